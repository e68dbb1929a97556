"""Secrets in the browser: the order sheet, secrets to steal, orders as buttons."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from yegg.games.secrets.events import Turn
from yegg.games.secrets.rules import points_left, score
from yegg.games.secrets.state import (
    HOME,
    POINTS,
    POLICEMAN,
    SECRETS,
    SPY_NAMES,
    Choice,
    State,
    of,
    secret_name,
)
from yegg.text.phrases import counted, listing

from .report import lines, mark, moments, report


def acts(s: State, seat: int, legal: Mapping[str, int]) -> list[dict[str, Any]]:
    """Every order that the seat may write next."""
    return [act(s, seat, choice, text) for text, choice in legal.items()]


def act(s: State, seat: int, choice: int, text: str) -> dict[str, Any]:
    """One order as a button."""
    if choice == Choice.IDLE:
        spy = SPY_NAMES[s.given[seat]]
        return idle(text, spy, "nothing is left to steal")
    if choice == Choice.GUARD_NOTHING:
        return idle(text, "Policeman", "no secret is left that he may guard")
    if choice >= Choice.ALLOCATE:
        return {"text": text, "verb": counted(choice - Choice.ALLOCATE, "point")}
    if choice >= Choice.GUARD:
        secret = secret_name(s, choice - Choice.GUARD)
        return {"text": text, "verb": f"Guard {secret}", "key": secret.lower(), "secret": secret}
    owner, at = divmod(choice, SECRETS)
    secret = secret_name(s, at)
    return {"text": text, "verb": f"Steal {secret}", "seat": owner, "secret": secret}


def idle(text: str, piece: str, why: str) -> dict[str, Any]:
    """SE-5, SE-6: the only order for a piece that can do nothing."""
    return {"text": text, "verb": f"{piece} idles", "key": "i", "says": why, "idle": True}


COME = "All orders are in. The spies come to the secrets."


def scene(s: State, names: Sequence[str], seat: int, told: Sequence[Turn]) -> dict[str, Any]:
    """The position as plain fields; at the end there are no order sheets any more."""
    over = bool(s.turn > s.turns)
    mine = -1 if over else seat
    return {
        "phase": "over" if over else "orders" if s.turn else "spread",
        "turn": int(s.turn),
        "turns": int(s.turns),
        "hidden": bool(s.hidden),
        "due": due(s, mine),
        "left": int(points_left(s, mine)) if mine >= 0 and s.turn == 0 else 0,
        "entries": entries(s, mine) if mine >= 0 and s.turn == 0 else [],
        "spies": [spy(s, names, mine, i) for i in range(s.spies)] if mine >= 0 else [],
        "home": home(s, names, mine) if mine >= 0 else None,
        "rivals": [place(s, names, i, mine) for i in range(s.players) if i != mine],
        "points": [points(s, i, seat) for i in range(s.players)],
        "report": report(s, names, seat, told),
    }


def parts(
    before: State,
    after: State,
    names: Sequence[str],
    seat: int,
    told: Sequence[Turn],
    news: Sequence[str],
) -> Iterator[tuple[dict[str, Any], str, int]]:
    """The turn that was told last, carried out event by event: scenes, a sentence and a seat each.

    ``news`` is what the seat was told of it.
    """
    *earlier, turn = told
    said = [COME, *lines(turn, news)]
    for sentence, at in zip(said, moments(before, after, seat, turn), strict=False):
        so_far = [*earlier, turn.so_far(at.done)] if at.done else earlier
        made = scene(at.state, names, seat, so_far)
        mark(made, seat, at)
        yield made, sentence, at.whose(seat)


def due(s: State, seat: int) -> str:
    """What the seat's sheet asks for next."""
    if seat < 0:
        return ""
    piece = int(s.given[seat])
    if s.turn == 0:
        return secret_name(s, piece) if piece < s.secrets else ""
    if piece < POLICEMAN:
        return SPY_NAMES[piece].lower()
    return "policeman" if piece == POLICEMAN else ""


def spy(s: State, names: Sequence[str], seat: int, i: int) -> dict[str, Any]:
    """A row of the order sheet: one of the seat's spies and where he goes."""
    order, captor = int(s.order[seat, i]), int(s.captor[seat, i]) - 1
    owner, secret = divmod(order - 1, SECRETS)
    written = i < s.given[seat] and captor < 0
    return {
        "key": SPY_NAMES[i].lower(),
        "name": SPY_NAMES[i],
        "captor": names[captor] if captor >= 0 else "",
        "goal": {"seat": owner, "secret": secret_name(s, secret)} if order > 0 else None,
        "rests": ("at home" if order == HOME else "idle") if written and order <= 0 else "",
        "due": bool(s.turn and s.given[seat] == i),
    }


def entries(s: State, seat: int) -> list[dict[str, Any]]:
    """SE-30: the secrets whose points may be written now, or anew, and how many those may be."""
    found, left = [], POINTS
    for i in range(min(int(s.given[seat]) + 1, int(s.secrets))):
        least = left if i == s.secrets - 1 else 0
        found.append({"name": secret_name(s, i), "least": least, "most": left})
        left -= int(s.value[seat, i])
    return found


def home(s: State, names: Sequence[str], seat: int) -> dict[str, Any]:
    """The seat's own secrets and its policeman."""
    post, stood = int(s.order[seat, POLICEMAN]), int(s.stood[seat])
    return {
        "secrets": letters(s, names, seat, -1),
        "post": secret_name(s, post - 1) if post > 0 else "",
        "stood": secret_name(s, stood - 1) if stood > 0 else "",
    }


def place(s: State, names: Sequence[str], owner: int, seat: int) -> dict[str, Any]:
    """Another player's secrets and spies, with the seat's own spies on their targets."""
    stood = int(s.stood[owner])
    return {
        "seat": owner,
        "name": names[owner],
        "of": of(names[owner]),
        "secrets": letters(s, names, owner, seat),
        "spies": [
            {"key": SPY_NAMES[i].lower(), "name": SPY_NAMES[i], "lost": bool(s.captor[owner, i])}
            for i in range(s.spies)
        ],
        "free": listing([SPY_NAMES[i] for i in range(s.spies) if not s.captor[owner, i]]) or "none",
        "leaves": secret_name(s, stood - 1) if stood > 0 else "",
    }


def letters(s: State, names: Sequence[str], owner: int, seat: int) -> list[dict[str, Any]]:
    """Somebody's secrets: what each is worth if that is known, who has it, who is sent there."""
    return [
        {
            "name": secret_name(s, i),
            "worth": worth(s, owner, i),
            "thief": int(s.thief[owner, i]) - 1,
            "by": names[s.thief[owner, i] - 1] if s.thief[owner, i] else "",
            "sent": [
                SPY_NAMES[k].lower()
                for k in range(s.spies)
                if seat >= 0 and s.order[seat, k] == 1 + SECRETS * owner + i
            ],
        }
        for i in range(s.secrets)
    ]


def worth(s: State, owner: int, secret: int) -> str:
    """SE-30: hidden points, where they are known; SE-1: else the number says it."""
    if not s.hidden or s.value[owner, secret] < 0:
        return ""
    if s.turn == 0 and secret >= s.given[owner]:
        return ""
    return str(s.value[owner, secret])


def points(s: State, owner: int, seat: int) -> dict[str, Any]:
    """SE-20; SE-31: in the hidden game others may have more than is known here."""
    stolen = s.thief[: s.players, : s.secrets] == 1 + owner
    unknown = (s.value[: s.players, : s.secrets][stolen] < 0).any()
    return {
        "seat": owner,
        "points": int(score(s, owner)),
        "more": bool(unknown),
        "me": owner == seat,
    }


def verdict(s: State, names: Sequence[str]) -> str:
    """SE-20: what decided."""
    order = sorted(range(s.players), key=lambda seat: -int(score(s, seat)))
    first, second = order[0], order[1]
    best, next_best = int(score(s, first)), int(score(s, second))
    if best == next_best:
        equal = [names[seat] for seat in order if score(s, seat) == best]
        return f"{listing(equal)} have {counted(best, 'point')} each. (SE-20)"
    caught = int((s.captor == 1 + first).sum())
    spies = counted(caught, "captured spy", "captured spies")
    reward = int(s.reward) * caught
    how = f"{best - reward} from secrets and {reward} for {spies}"
    won = f"{names[first]} has {counted(best, 'point')}, {how if caught else 'all from secrets'}"
    return f"{won}; {names[second]} has {next_best}. (SE-20)"
