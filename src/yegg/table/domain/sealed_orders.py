"""Sheets of sealed orders: whether one is full, and sealed, and how an order is replaced."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from yegg.engine import Match
from yegg.engine.orders import ahead

from .seats import Event, Kind

Sheets = Mapping[int, bool]
"""Of seats that seal their sheet by hand: whether it is open.  Others seal theirs by filling it."""


class Acting(NamedTuple):
    """A seat that may act, or that has given its orders before it is their turn."""

    match: Match
    """The game as the seat finds it, its own orders written."""
    full: bool = False
    """Whether all its orders are written."""
    ready: bool = False
    """Whether they are sealed, too, so that nobody waits for this seat."""


class InRow(NamedTuple):
    """Orders that a seat gives or takes back at one moment: to others they are one change or none.

    Whoever writes an order anew takes others back and gives them again.  What is asked for next
    is of a later moment, so that nobody sees a number go back.
    """

    seat: int
    at: int
    ready: tuple[int, ...]
    """The seats that were ready before."""
    seen: tuple[int, ...]
    """How many events each seat had seen before."""


NO_ROW = InRow(-1, -1, (), ())


def written(own: Match, seat: int, orders: Sequence[int], sheets: Sheets) -> Acting:
    """The game with a seat's orders written, and whether its sheet is full, and sealed.

    It is full when another seat is to act, or when the last order showed others something.
    """
    twin = own.fork()
    others = [other for other in range(twin.players) if other != seat]
    known = [twin.known_to(other).tobytes() for other in others]
    for order in orders:
        before = twin.fork()
        if order not in twin.choices:
            return Acting(twin)
        twin.play(order)
        if twin.actor != seat or [twin.known_to(other).tobytes() for other in others] != known:
            return Acting(before, full=True, ready=not sheets.get(seat))
    return Acting(twin)


def sheets_after(sheets: Sheets, event: Event) -> Sheets:
    """The sheets that are sealed by hand, after an event.

    Where a bot or the rules write, and once an order is carried out, a full sheet is sealed.
    """
    if event.kind in (Kind.OPEN, Kind.SEAL):
        return {**sheets, event.actor: event.kind == Kind.OPEN}
    done = event.kind in (Kind.CHOICE, Kind.DROP, Kind.LATE) or event.bot is not None
    return {seat: opened for seat, opened in sheets.items() if not done or seat != event.actor}


def held_open(sheets: Sheets, seat: int, *, by_hand: bool) -> list[Event]:
    """What comes before a seat's orders: its sheet stays open, or is sealed once it is full."""
    if by_hand == sheets.get(seat, False):
        return []
    return [Event(seat, Kind.OPEN if by_hand else Kind.SEAL)]


def rewritten(match: Match, seat: int, orders: Sequence[int], text: str) -> tuple[int, list[int]]:
    """Replace one of a seat's orders: how many orders before it stay, and the new ones after them.

    Later orders stay if they are still legal; if only one order is legal, it is taken instead.
    (0, []): the text replaces no order.  (all of them, []): the seat has given it already.
    """
    own = ahead(match, seat) if orders else None
    if own is None:
        return 0, []
    twin = own.fork()
    for i, order in enumerate(orders):
        texts = twin.texts
        if text in texts and texts[text] == order:
            return len(orders), []
        if text in texts:
            return i, [texts[text], *_kept(twin, seat, texts[text], orders[i + 1 :])]
        twin.play(order)
        if twin.actor != seat:
            break
    return 0, []


def _kept(twin: Match, seat: int, fresh: int, later: Sequence[int]) -> list[int]:
    kept: list[int] = []
    twin.play(fresh)
    for order in later:
        legal = twin.choices if twin.actor == seat else []
        if order not in legal and len(legal) != 1:
            break
        kept.append(order if order in legal else legal[0])
        twin.play(kept[-1])
    return kept
