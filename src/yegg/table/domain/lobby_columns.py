"""What the database keeps of a table beside its events, so that lists need not replay it."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from .seats import Seat
from .watching import LIVE, WatchTerms

TURN = ("to_act", "bots_turn", "waits", "due")
"""The columns of `games` that say for whom it waits."""


class Change(NamedTuple):
    """A change of the lobby's columns of a game, written with the events from which it follows."""

    game: int
    values: Mapping[str, Any]
    """By column of `games`; those of `TURN` come together."""


class Stands(Protocol):
    """What a list shows of a table after some of its events (`state.TableState`)."""

    seats: list[Seat]
    waits: dict[int, tuple[int, int]]
    watch: WatchTerms
    begun: bool

    def waited_for(self) -> list[int]:
        """The seats that still have to act."""

    def due_at(self, seat: int) -> int | None:
        """When a seat's time is up."""


def columns(now: Stands) -> dict[str, Any]:
    """The columns of `schema.games` that follow from the events: who sits where, who is to act."""
    waited_for = now.waited_for()
    to_act = sum(1 << seat for seat in waited_for)
    bots_turn = any(now.seats[seat].bot for seat in waited_for)
    waits = [[seat, *since, now.due_at(seat)] for seat, since in now.waits.items()]
    due = min((wait[-1] for wait in waits if wait[-1] is not None), default=None)
    waits_for = {"to_act": to_act, "bots_turn": bots_turn, "waits": waits, "due": due}
    people = [[seat.name, seat.person, seat.bot] for seat in now.seats]
    watch = None if now.watch == LIVE else now.watch.stored
    return {"people": people, "watch": watch, "begun": now.begun, **waits_for}
