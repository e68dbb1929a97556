"""Server-sent events: whoever watches gets the newest view whenever there is one.

A stream remembers the number it sent last and sleeps until something happens.  A slow
or sleeping client skips what lies between, so nothing grows.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack

from .rooms import Room, View


async def stream(
    room: Room, draw: View, person: str | None, last: int, *counted: AbstractContextManager[None]
) -> AsyncIterator[bytes]:
    """Views from after the number ``last``, for as long as somebody listens, and is ``counted``."""
    edition = room.edition
    with ExitStack() as open_ones, room.watching(person) as awake:
        for one in counted:
            open_ones.enter_context(one)
        yield b"retry: 1000\n\n"
        while not room.closing:
            awake.clear()
            seat = room.now.seat_of(person)
            number = room.now.seen[seat]
            if (number, room.edition) != (last, edition):  # not <: a restored backup heals
                last, edition = number, room.edition
                view = room.view(draw, seat).replace(b"\n", b"\ndata: ")
                yield b"id: %d\nevent: view\ndata: %b\n\n" % (last, view)
                continue
            await awake.wait()
            if (room.now.seen[room.now.seat_of(person)], room.edition) == (last, edition):
                yield b":\n\n"  # the house's pulse, or something that this seat may not know
