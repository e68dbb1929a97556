"""Server-sent events: whoever watches gets the newest view whenever there is one.

A stream remembers the number it sent last and sleeps until something happens.  A slow
or sleeping client skips what lies between, so nothing grows.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack

from yegg.table.tables.table import Table, View


async def stream(
    table: Table, draw: View, person: str | None, last: int, *counted: AbstractContextManager[None]
) -> AsyncIterator[bytes]:
    """Views from after the number ``last``, for as long as somebody listens, and is ``counted``."""
    edition = table.edition
    with ExitStack() as open_ones, table.watching(person) as awake:
        for one in counted:
            open_ones.enter_context(one)
        yield b"retry: 1000\n\n"
        while not table.closing:
            awake.clear()
            seat = table.now.seat_of(person)
            number = table.now.seen[seat]
            if (number, table.edition) != (last, edition):  # not <: a restored backup heals
                last, edition = number, table.edition
                view = table.view(draw, seat).replace(b"\n", b"\ndata: ")
                yield b"id: %d\nevent: view\ndata: %b\n\n" % (last, view)
                continue
            await awake.wait()
            if (table.now.seen[table.now.seat_of(person)], table.edition) == (last, edition):
                yield b":\n\n"  # a beat, or something that this seat may not know
