"""What the database keeps of a table beside its events, so that lists need not replay it."""

from typing import TYPE_CHECKING, Any

from .watching import LIVE

if TYPE_CHECKING:
    from .state import TableState


def columns(now: "TableState") -> dict[str, Any]:
    """The columns of `schema.games` that follow from the events: who sits where, who is to act."""
    waited_for = now.waited_for()
    to_act = sum(1 << seat for seat in waited_for)
    bots_turn = any(now.seats[seat].bot for seat in waited_for)
    waits = [[seat, *since, now.due_at(seat)] for seat, since in now.waits.items()]
    due = min((wait[-1] for wait in waits if wait[-1] is not None), default=None)
    waits_for = {"to_act": to_act, "bots_turn": bots_turn, "waits": waits, "due": due}
    people = [[seat.name, seat.person, seat.bot] for seat in now.seats]
    watch = None if now.watch == LIVE else now.watch.kept
    return {"people": people, "watch": watch, "begun": now.begun, **waits_for}
