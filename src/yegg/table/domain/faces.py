"""What a game's own folder ``face`` makes of a position; without one it is plain text and buttons.

Nothing here is a page: the values go to templates and to scripts.
"""

import string
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from yegg.engine import Game, Match
from yegg.engine.secrecy import Heard
from yegg.text.untrusted import as_text

from .shown_position import ShownPosition

SIGNS = string.ascii_lowercase + string.digits  # of which keys are made
TOLD = 80  # how many of the newest events a face gets
Told = Sequence[Any]
"""Events as a seat may know them, oldest first: what the game's ``events`` makes of each."""


@cache
def face(game: Game) -> Any:
    """A game's ``face.py``, if there is one."""
    return game.part("face.face") if (game.folder / "face" / "face.py").is_file() else None


def feed(game: Game, events: Sequence[Heard]) -> Told:
    """The newest of some events for a face: the game's own data, else actors and words."""
    events = events[-TOLD:]
    if not game.voice.has_events:
        return [(one.actor, one.text) for one in events]
    return [one.event for one in events if one.event is not None]


def pause(match: Match, events: Sequence[Heard]) -> float:
    """How long people look at a position, as a multiple of the time for a beat."""
    made = face(match.game)
    if not hasattr(made, "pause"):
        return 1.0
    return float(made.pause(match.known_to(-1)[0], feed(match.game, events)))


def beats(game: Game) -> frozenset[str]:
    """The kinds of events with which the show begins another beat; none: with each kind."""
    return frozenset(getattr(face(game), "BEATS", ()))


def in_parts(game: Game, newest: Sequence[Heard]) -> bool:
    """Whether the newest event is shown part by part."""
    return bool(newest and newest[-1].event is not None and hasattr(face(game), "parts"))


def parts(
    game: Game, before: Any, after: Any, names: list[str], seat: int, events: Sequence[Heard]
) -> Iterator[tuple[dict[str, Any], str, int]]:
    """The newest event part by part: scenes, each with a sentence and a seat; often there are none.

    ``before`` and ``after``: what the seat knew before this event, and what it knows since.
    """
    if in_parts(game, events):
        yield from face(game).parts(before, after, names, seat, feed(game, events), events[-1].news)


def known_around(match: Match, seat: int, choice: int, *, whole: bool = False) -> tuple[Any, Any]:
    """What a seat knows before a choice and after it; ``whole``: the whole states instead."""
    after = match.fork()
    after.follow([choice])
    before, since = (one.state if whole else one.known_to(seat)[0] for one in (match, after))
    return before, since


def many_parts(shown: ShownPosition) -> dict[int, int]:
    """After how many events the next one is shown part by part, and in how many; found once."""
    return shown.once("parts of events", lambda: _many(shown))


def _many(shown: ShownPosition) -> dict[int, int]:
    game, history, numbers = shown.game, shown.now.match.history, dict[int, int]()
    told, at = shown.heard(-1), shown.now.match.again()
    for events, line in enumerate(told):
        if not in_parts(game, [line]):
            continue
        at.follow(history[len(at.history) : events])
        known = known_around(at, -1, history[events])
        if many := len(list(parts(game, *known, at.names, -1, told[: events + 1]))):
            numbers[events] = many
    return numbers


def scene(game: Game, s: Any, names: list[str], seat: int, told: Told) -> dict[str, Any]:
    """The position as plain named fields, for the game's template and for scripts."""
    made = face(game)
    if made:
        fields: dict[str, Any] = made.scene(s, names, seat, told)
        return fields
    return {"text": printed(game, s, names, seat)}


def printed(game: Game, s: Any, names: list[str], seat: int) -> str:
    """The position as the terminal shows it, or its bare fields."""
    screen = game.part("screen")
    if screen is None:
        fields = [name for name in s.dtype.names if name != "_pad"]
        return "\n".join(f"{name} {s[name].tolist()}" for name in fields)
    return as_text(screen.draw(s, names, seat), 80)


def acts(game: Game, s: Any, seat: int, legal: dict[str, int]) -> list[dict[str, Any]]:
    """What the seat may do, as buttons: the game's own words, or the record's."""
    made = face(game)
    if hasattr(made, "acts"):
        listed: list[dict[str, Any]] = made.acts(s, seat, legal)
    else:
        listed = [{"text": text, "verb": text.capitalize()} for text in legal]
    keyed(listed)
    return listed


def keyed(listed: list[dict[str, Any]]) -> None:
    """Give each button without a key the first letter or digit of its words that is free.

    If none is, it gets any other. No such key is the beginning of a longer one.
    """
    taken = {act["key"] for act in listed if act.get("key")} | {"o", "r", "u"}
    taken |= {key[0] for key in taken}
    for act in listed:
        if not act.get("key"):
            letters = [c for c in act["verb"].lower() if c in SIGNS]
            act["key"] = next((c for c in (*letters, *SIGNS) if c not in taken), "")
            taken.add(act["key"])
