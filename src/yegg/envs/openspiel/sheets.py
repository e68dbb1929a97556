"""Order sheets that all seats fill in at the same time: a line of each at a simultaneous node.

The engine lets the seats write one after the other.  Here each seat writes at a desk of its own: a
moment at which the seats before it have written anything, of which it cannot know.  Once all
sheets are full they are carried out in the engine's order.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from yegg.engine import NOBODY, NotLegal, Refused

from .positions import EVERYTHING, SPECTATOR, Moment, Told, draw_one

TOGETHER = -3  # who acts at a simultaneous node
PASS = -1  # what a seat does whose sheet is full while others write


class SeatSheet(NamedTuple):
    """Where one seat writes."""

    moment: Moment
    """The seat is to write its next line; of a full sheet, its last one."""
    lines: tuple[Told, ...] = ()
    full: bool = False

    def written(self, seat: int, choice: int) -> "SeatSheet":
        """The desk after a line.  Raises NotLegal."""
        after = self.moment.after(choice)
        line = Told(f"{seat + 1} {self.moment.say(seat, choice)}", 1 + choice)
        full = after.actor != seat
        return SeatSheet(self.moment if full else after, (*self.lines, line), full)


class Sheets:
    """A turn of sealed orders while it is written; nothing in it is ever changed."""

    actor = TOGETHER
    over = False
    legal: tuple[int, ...] = ()

    def __init__(self, moment: Moment, desks: tuple[SeatSheet, ...] = (), step: int = 0) -> None:
        """``moment``: before anybody has written; ``step``: how many lines ago that was."""
        self.moment, self.step = moment, step
        self.desks = desks or sheets_at(moment)

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __reduce__(self) -> Any:
        orders = [[line.code - 1 for line in desk.lines] for desk in self.desks]
        return _again, (self.moment, orders, self.step)

    @property
    def length(self) -> int:
        """How many events there were, and lines of this turn."""
        return self.moment.events + sum(len(desk.lines) for desk in self.desks)

    def legal_of(self, seat: int) -> tuple[int, ...]:
        """What a seat may write next; or `PASS` alone.  Raises Refused if it is no seat."""
        if seat < 0:
            raise Refused("all seats act at the same time here: ask for each, legal_actions(seat)")
        desk = self.desks[seat]
        return (PASS,) if desk.full else desk.moment.legal

    def say(self, seat: int, choice: int) -> str:
        """A legal choice of a seat in the words of the record."""
        return "pass" if choice == PASS else self.desks[seat].moment.say(seat, choice)

    def after_all(self, choices: Sequence[int]) -> "Moment | Sheets":
        """The position after one line of each seat.  Raises NotLegal."""
        desks = []
        for seat, (desk, choice) in enumerate(zip(self.desks, choices, strict=True)):
            if choice not in self.legal_of(seat):
                raise NotLegal(
                    f"choice {choice} of seat {seat + 1} is not legal here; possible: "
                    + ", ".join(self.say(seat, legal) for legal in self.legal_of(seat))
                )
            desks.append(desk if choice == PASS else desk.written(seat, choice))
        if not all(desk.full for desk in desks):
            return Sheets(self.moment, tuple(desks), self.step + 1)
        moment = self.moment
        for desk in desks:
            for line in desk.lines:
                moment = moment.after(line.code - 1)
        return opened(moment)

    def numbers(self, viewer: int, side: int) -> NDArray[np.float32]:
        """As for a moment; a seat's own lines are in it, but for the last one of a full sheet."""
        return (self.desks[viewer].moment if viewer >= 0 else self.moment).numbers(viewer, side)

    def heard_by(self, viewer: int) -> tuple[Told, ...]:
        """As for a moment; then one's own lines."""
        told = self.moment.heard_by(viewer)
        if viewer == SPECTATOR:
            return told
        desks = self.desks if viewer == EVERYTHING else self.desks[viewer : viewer + 1]
        return (*told, *(line for desk in desks for line in desk.lines))

    def imagined(self, seat: int, draw: Callable[[], float]) -> "Sheets":
        """As for a moment; the others' lines are drawn evenly."""
        moment = self.moment.dealt_anew(seat, draw)
        desks = []
        for other, (desk, old) in enumerate(zip(sheets_at(moment), self.desks, strict=True)):
            made = desk
            for line in old.lines:
                choice = line.code - 1 if other == seat else draw_one(made.moment.legal, draw)
                made = made.written(other, choice)
            desks.append(made)
        return Sheets(moment, tuple(desks), self.step)


def opened(moment: Moment) -> Moment | Sheets:
    """Where players act, the sheets that they fill in at the same time."""
    return Sheets(moment) if moment.actor >= 0 else moment


def sheets_at(moment: Moment) -> tuple[SeatSheet, ...]:
    """Every seat's desk before anybody has written."""
    desks = []
    for seat in range(moment.rules.setting.players):
        while moment.actor not in {seat, NOBODY}:
            moment = moment.after(moment.legal[0])
        desks.append(SeatSheet(moment))
    return tuple(desks)


def _again(moment: Moment, orders: list[list[int]], step: int) -> Sheets:
    """Sheets that were pickled."""
    desks = []
    for seat, (desk, lines) in enumerate(zip(sheets_at(moment), orders, strict=True)):
        made = desk
        for choice in lines:
            made = made.written(seat, choice)
        desks.append(made)
    return Sheets(moment, tuple(desks), step)
