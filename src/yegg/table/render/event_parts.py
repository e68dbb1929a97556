"""Events that are shown part by part, such as orders that are carried out together."""

from typing import Any

from yegg.engine import Match
from yegg.table.domain.shown_position import Stage
from yegg.table.service.table import TOLD

from . import renderers


def both(match: Match, seat: int, choice: int, *, whole: bool = False) -> tuple[Any, Any]:
    """What a seat knows before a choice and after it; ``whole``: the whole states instead."""
    after = match.fork()
    after.follow([choice])
    before, since = (one.state if whole else one.known_to(seat)[0] for one in (match, after))
    return before, since


def many(table: Stage) -> dict[int, int]:
    """After how many events the next one is shown part by part, and in how many; found once."""
    return table.once("parts of events", lambda: found(table))


def found(table: Stage) -> dict[int, int]:
    """The number of parts of each event that has any; everybody sees the same ones."""
    game, history, there = table.game, table.now.match.history, dict[int, int]()
    told, at = table.heard(-1), table.now.match.again()
    for events, line in enumerate(told):
        if not renderers.in_parts(game, [line]):
            continue
        at.follow(history[len(at.history) : events])
        known = both(at, -1, history[events])
        heard = told[: events + 1][-TOLD:]
        if shown := list(renderers.parts(game, *known, at.names, -1, heard)):
            there[events] = len(shown)
    return there
