"""The schedule of notifications: who is told what, and when, decided from how things stand.

So nothing is lost in a crash, nobody is told twice of the same turn, and whoever left the page a
moment before the turn came is told all the same.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE, HOUR = 60_000, 3_600_000  # milliseconds
SETTLE = 2 * MINUTE
"""A turn may pass, or its owner come, before anybody is told."""
GAP = 15 * MINUTE
"""Between two letters to the same contact."""
LAST_CALL = 6 * HOUR, 0.25
"""Before the deadline, or that part of the whole time, whichever is shorter."""
SHORT = HOUR
"""Whoever has less time for a turn sits at the table; there is no last call."""


class Turn(NamedTuple):
    """A turn that waits for a seat, or what is told in the same way; times are in ms since 1970."""

    game: int
    seat: int
    number: int
    """The event with which the turn began: it stands for the turn."""
    since: int
    due: int | None
    seen: int
    """The turn that its owner has seen last, with the table open."""
    told: int
    """The turn of which the contact was told last …"""
    called: int
    """… and that it was called to a last time."""


class Rhythm(NamedTuple):
    """The times at which somebody wants to be told."""

    hours: Sequence[int] = ()
    """A digest at these hours; none: soon after each turn."""
    zone: str = "UTC"
    last: int = 0
    """When something was last sent, in ms since 1970."""


def letter(now: int, rhythm: Rhythm, turns: Iterable[Turn]) -> list[Turn]:
    """The turns that go into one letter now; none: no letter."""
    turns = [turn for turn in turns if turn.seen != turn.number or last_call(now, turn)]
    fresh = [turn for turn in turns if turn.told != turn.number]
    calls = [turn for turn in turns if last_call(now, turn) and turn.called != turn.number]
    rested = now - rhythm.last >= GAP
    if any(rested or near(now, turn) for turn in calls):
        soon = True
    elif rhythm.hours:
        soon = bool(fresh) and struck(now, rhythm)
    else:
        soon = rested and any(now - turn.since >= SETTLE for turn in fresh)
    if not soon:
        return []
    return fresh + [turn for turn in calls if turn not in fresh]  # if a letter goes, all ride along


def last_call(now: int, turn: Turn) -> bool:
    """Whether a turn's deadline is near."""
    if turn.due is None or turn.due - turn.since < SHORT:
        return False
    before = min(LAST_CALL[0], int((turn.due - turn.since) * LAST_CALL[1]))
    return turn.due - before <= now < turn.due


def near(now: int, turn: Turn) -> bool:
    """Whether a deadline is so near that nothing may wait any more."""
    return turn.due is not None and turn.due - now <= GAP


def struck(now: int, rhythm: Rhythm) -> bool:
    """Whether one of the hours has come, by the contact's wall clock, since the last letter."""
    zone = ZoneInfo(rhythm.zone)
    here = datetime.fromtimestamp(now / 1000, zone)
    for back in (0, 1):
        day = here.date() - timedelta(days=back)
        for hour in rhythm.hours:
            at = datetime(day.year, day.month, day.day, hour, tzinfo=zone).timestamp() * 1000
            if rhythm.last < at <= now:
                return True
    return False
