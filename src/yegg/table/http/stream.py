"""Server-sent events: everybody who watches gets each new view.

A stream remembers the number it sent last and sleeps until something happens.  A slow
or sleeping client skips the views in between, so no queue grows.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack

from yegg.table.tables.table import Table, View


async def stream(
    table: Table,
    draw: View,
    person: str | None,
    last: int,
    *counted: AbstractContextManager[None],
    pace: float = 1.0,
) -> AsyncIterator[bytes]:
    """Views newer than number ``last``, while somebody listens; ``counted`` are limits to hold.

    ``pace``: how much of the time that bots take is for this reader; 0: none.
    """
    edition = table.edition
    with ExitStack() as open_ones, table.watching(person, pace) as awake:
        for one in counted:
            open_ones.enter_context(one)
        yield b"retry: 1000\n\n"
        while not table.closing:
            awake.clear()
            seat = table.now.seat_of(person)
            number = table.now.seen[seat]
            if (number, table.edition) != (last, edition):  # after a restored backup it is less
                last, edition = number, table.edition
                view = table.view(draw, seat).replace(b"\n", b"\ndata: ")
                yield b"id: %d\nevent: view\ndata: %b\n\n" % (last, view)
                continue
            await awake.wait()
            if (table.now.seen[table.now.seat_of(person)], table.edition) == (last, edition):
                yield b":\n\n"  # a sign of life, or news that this seat may not know
