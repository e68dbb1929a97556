"""Secrets as an order sheet: four spies, a policeman, and everybody's secrets."""

from collections.abc import Mapping, Sequence
from typing import Any

from yegg.games.secrets.rules import score
from yegg.games.secrets.state import HOME, POLICEMAN, SECRETS, SPY_NAMES, UNSEEN, State
from yegg.games.secrets.story import secret_name

SIGNS = ("c-club", "c-diamond", "c-heart", "c-spade")
Told = Sequence[tuple[int, str]]


def scene(s: State, names: Sequence[str], seat: int, told: Told) -> dict[str, Any]:
    """The position as plain fields."""
    return {
        "turn": int(s.turn),
        "turns": int(s.turns),
        "hidden": bool(s.hidden),
        "allocating": s.turn == 0,
        "points": [int(score(s, i)) for i in range(s.players)],
        "mine": sheet(s, names, seat) if seat >= 0 and s.turn > 0 else None,
        "own": secrets(s, names, seat, seat) if seat >= 0 else [],
        "must_leave": left_behind(s, seat),
        "rivals": [rival(s, names, i, seat) for i in range(s.players) if i != seat],
        "left": 45 - sum(max(0, int(v)) for v in s.value[seat, : s.given[seat]])
        if seat >= 0
        else 0,
    }


def left_behind(s: State, seat: int) -> str:
    """SE-6: the secret where the policeman stood in vain."""
    if seat < 0 or s.stood[seat] in (0, UNSEEN) or s.turn > s.turns:
        return ""
    return secret_name(s, int(s.stood[seat]) - 1)


def sheet(s: State, names: Sequence[str], seat: int) -> list[dict[str, Any]]:
    """SE-3: a seat's spies and where they are sent this turn."""
    spies = []
    for spy in range(s.spies):
        order = int(s.order[seat, spy]) if spy < s.given[seat] else 0
        owner, secret = divmod(order - 1, SECRETS) if order > 0 else (-1, -1)
        captor = int(s.captor[seat, spy]) - 1
        spies.append(
            {
                "name": SPY_NAMES[spy],
                "sign": SIGNS[spy],
                "captor": names[captor] if captor >= 0 else "",
                "now": spy == s.given[seat] and captor < 0,
                "idle": spy < s.given[seat] and order in (0, HOME) and captor < 0,
                "owner": owner,
                "secret": secret_name(s, secret) if order > 0 else "",
            }
        )
    return spies


def secrets(s: State, names: Sequence[str], owner: int, seat: int) -> list[dict[str, Any]]:
    """SE-1, SE-21: a player's secrets: still there, or stolen and by whom."""
    listed = []
    for secret in range(s.secrets):
        thief = int(s.thief[owner, secret]) - 1
        name, value = secret_name(s, secret), int(s.value[owner, secret])
        steal = next(
            (
                spy
                for spy in range(s.spies)
                if seat >= 0
                and spy < s.given[seat]
                and s.order[seat, spy] == 1 + owner * SECRETS + secret
            ),
            -1,
        )
        mine = owner == seat
        guarded = mine and s.given[seat] > POLICEMAN and s.order[seat, POLICEMAN] == 1 + secret
        knows = (
            s.hidden and s.turn > 0 and (mine or (seat >= 0 and s.told[owner, secret] >> seat & 1))
        )
        listed.append(
            {
                "name": name,
                "thief": thief,
                "by": names[thief] if thief >= 0 else "",
                "sign": SIGNS[steal] if steal >= 0 and owner != seat else "",
                "guarded": bool(guarded),
                "value": value if knows and value >= 0 else None,
                "left": mine and s.stood[seat] == 1 + secret,
            }
        )
    return listed


def rival(s: State, names: Sequence[str], owner: int, seat: int) -> dict[str, Any]:
    """Another player: spies left, points, secrets."""
    return {
        "seat": owner,
        "name": names[owner],
        "spies": [
            {"sign": SIGNS[spy], "name": SPY_NAMES[spy], "lost": bool(s.captor[owner, spy])}
            for spy in range(s.spies)
        ],
        "secrets": secrets(s, names, owner, seat),
    }


def acts(s: State, seat: int, legal: Mapping[str, int]) -> list[dict[str, Any]]:
    """What may be ordered next; targets are pressed where they lie, so these carry no keys."""
    listed = []
    for text in legal:
        words = text.split()
        act: dict[str, Any]
        if words[1:2] == ["steals"]:
            act = {"verb": f"{words[2]} of seat {words[4]}", "where": f"{words[4]}-{words[2]}"}
        elif words[0] == "guards":
            act = {"verb": f"Guard {words[1]}", "guard": words[1]}
        elif words[0] == "allocate":
            act = {"verb": words[2], "points": int(words[2])}
        else:
            act = {"verb": text.capitalize()}
        listed.append(
            {"text": text, "key": words[2] if len(legal) < 10 and len(words) > 2 else "", **act}
        )
    return listed


def verdict(s: State, names: Sequence[str]) -> str:
    """SE-20: stolen secrets and captured spies."""
    parts = []
    for seat in range(s.players):
        stolen = int((s.thief == seat + 1).sum())
        caught = int((s.captor == seat + 1).sum())
        parts.append(f"{names[seat]} stole {stolen} and captured {caught}")
    return "; ".join(parts) + ". (SE-20)"
