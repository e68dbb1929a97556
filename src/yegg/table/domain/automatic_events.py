"""What follows by itself when something happens: chance, and orders under seal that are due."""

from collections.abc import Iterator

import sqlalchemy as sa

from yegg.table.storage.database import Row
from yegg.table.storage.schema import events, sittings

from .dice import Chance
from .seats import Event
from .state import TableState


def play_out(
    game: int, ahead: TableState, first: list[Event], at: int, chance: Chance
) -> Iterator[tuple[sa.Table, Row]]:
    """Apply events and what is due after them, all at one moment; yields the rows to write."""
    waiting = first
    while waiting:
        event = waiting.pop(0)
        event = event._replace(words=ahead.words(event), at=at)
        ahead.apply(event)
        where: Row = {"game": game, "number": ahead.number}
        what = {"actor": event.actor, "choice": event.choice, "at": at, "words": event.words}
        yield events, {**where, **what}
        if event.name is not None:
            who = {"name": event.name, "person": event.person, "bot": event.bot}
            yield sittings, {**where, **who}
        if not waiting and (due := ahead.due(chance)):
            waiting.append(due)
