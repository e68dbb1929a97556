"""Replaying the events of a table, however many there are, while everybody else is answered."""

import asyncio
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

import sqlalchemy as sa

from yegg.table.domain.seats import Event
from yegg.table.domain.state import TableState
from yegg.table.storage.database import Carried

AT_ONCE = 16  # events: some milliseconds
T = TypeVar("T")


def batched(rows: Iterable[T]) -> Iterator[list[T]]:
    """So many of them at once that nobody waits for them."""
    left = iter(rows)
    while some := list(islice(left, AT_ONCE)):
        yield some


async def replay(position: TableState, rows: Iterable[sa.Row[object] | Carried]) -> TableState:
    """Apply events to a position, which is returned; others have their turn between a few each."""
    for some in batched(rows):
        for row in some:
            position.apply(Event.read(row))
        await asyncio.sleep(0)
    return position
