"""Any moment of a finished game: after an event, or while the next one is carried out."""

from itertools import islice
from typing import Any

from yegg.table.service.table import TOLD, Table

from . import event_parts, html_view, steps


def then(
    table: Table, seat: int, events: int, part: int = 0, other: int | None = None
) -> dict[str, Any]:
    """The table of a finished game as it was after this many events.

    ``part``: how many parts of the next event are carried out.  ``other``: the seat through whose
    eyes it is seen, if not through one's own; -1: all lies open.
    """
    match = table.now.match.again()
    match.follow(table.now.match.history[:events])
    told = table.heard(seat)
    eyes_of = seat if other is None else other
    seen = match if other == -1 else match.view(eyes_of)
    made = html_view.drawn(table, eyes_of, seen, told[:events][-TOLD:], events)
    still: dict[str, Any] = {
        "turn": None,
        "acts": [],
        "orders": [],
        "over": True,
        "can_undo": False,
    }
    part = min(part, event_parts.many(table).get(events, 0))
    made["t"].update(still, number=0, then=events, part=part, other=other)
    if part:
        choice = table.now.match.history[events]
        known = event_parts.both(match, eyes_of, choice, whole=other == -1)
        shown = steps.carried_out(made, known, eyes_of, told[: events + 1])
        made = next(islice(shown, part - 1, None), made)
    return made
