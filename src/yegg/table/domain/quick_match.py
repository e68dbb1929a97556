"""A quick match: a table that waits for whoever presses next, and when it stops waiting.

`games.quick` has the game's name as long as it waits.  No two tables have the same, so that of two
people who press at the same moment, anywhere, one opens the table, and the other sits down there.
"""

from typing import Any

from yegg.engine import CHANCE

from .clock import ClockTerms
from .lobby_columns import Change
from .state import TableState

PACE = ClockTerms(30_000, 300_000, late="medium")
"""Thirty seconds a turn and five minutes in reserve: nobody waits long for who has gone."""
ALONE = 60_000  # milliseconds after which bots sit down beside whoever waits
LANES = 6  # tables of a game that may wait, where people would rather not meet


def lanes(game: str) -> list[str]:
    """What tables of a game that wait are known by; the second is for who may not sit at the first.

    >>> lanes("magnate")[:2]
    ['magnate', 'magnate 2']
    """
    return [game, *(f"{game} {n}" for n in range(2, LANES + 1))]


def was_quick(row: Any) -> bool:
    """Whether a game was a quick match, which its clock tells once it waits no more."""
    return ClockTerms.read(row.clock) == PACE and not row.odds


def first_turn(now: TableState) -> bool:
    """Whether nobody but the first player has had a turn yet."""
    acted = {actor for actor in now.match.actors if actor >= 0}
    return not acted or (len(acted) == 1 and now.match.actor in (CHANCE, *acted))


def joinable(now: TableState) -> list[int]:
    """The seats that somebody who presses may have, the free ones before those of bots."""
    if now.over or now.closed or (now.begun and not first_turn(now)):
        return []
    free = [i for i, seat in enumerate(now.seats) if seat.free]
    return free + [i for i, seat in enumerate(now.seats) if seat.bot and seat.person is None]


def waits(now: TableState) -> bool:
    """Whether a table has people, and seats for others."""
    return bool(joinable(now)) and any(seat.person for seat in now.seats)


def waits_no_more(
    changed: Change | None, row: Any, was: TableState, ahead: TableState
) -> Change | None:
    """The change of a game's columns, and that its table waits for nobody any more, if so."""
    if row.quick is None or not waits(was) or waits(ahead):
        return changed
    return Change(
        row.id,
        {**(changed.values if changed else {}), "quick": None, "due": ahead.standing()["due"]},
    )
