"""Server-sent events: everybody who watches a table gets each new view.

A stream remembers the number it sent last and sleeps until something happens.  A slow
or sleeping client skips the views in between, so no queue grows.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, ExitStack
from typing import NamedTuple

import msgspec

from yegg.table.domain.phrases_and_emotes import Phrase
from yegg.table.domain.table_view import TableView
from yegg.table.service.table import Table

ALIVE = b"event: beat\ndata:\n\n"  # a sign of life that pages see, as they do not see comments


class Listener(NamedTuple):
    """A reader of an event stream: who they are, and what they listen to."""

    person: str | None
    draw: Callable[[TableView], bytes]
    last: int
    """The number of the newest view that they have."""
    phrases: bool
    """Whether they want to hear what people say."""
    pace: float = 1.0
    """How much of the time that bots take is for this reader; 0: none."""
    whose: Callable[[], str | None] | None = None
    """Who it is now: somebody else, or nobody, once the device was taken away."""
    deaf: Callable[[str | None], bool] = lambda _: False
    """Whose phrases they do not want to hear."""
    shows: Callable[[Table, str | None], bool] = lambda *_: True
    """Whether a table is what somebody is to see: a player as it is now, others perhaps later."""

    def still(self, table: Table) -> bool:
        """Whether the reader may go on: the device is theirs, and they are to see this table."""
        theirs = self.whose is None or self.whose() == self.person
        return theirs and self.shows(table, self.person)


async def stream(
    table: Table, who: Listener, *counted: AbstractContextManager[None]
) -> AsyncIterator[bytes]:
    """The events of a stream, while somebody listens; ``counted`` are limits to hold."""
    person, draw, last, hears, pace = who[:5]
    known, spoken, beats = (last, table.now.seat_of(person), table.edition), 0, table.beats
    with ExitStack() as open_ones, table.watching(person, pace) as awake:
        for one in counted:
            open_ones.enter_context(one)
        yield b"retry: 1000\n\n"
        while not table.closing and who.still(table):
            awake.clear()
            if table.beats != beats:  # by the clock alone: else they would count orders under seal
                beats = table.beats
                yield ALIVE
            seat = table.now.seat_of(person)
            newest = table.now.seen[seat], seat, table.edition
            if newest != known:  # the number alone misses a new seat and a restored backup
                known = newest
                view = table.view(seat).once(draw).replace(b"\n", b"\ndata: ")
                yield b"id: %d\nevent: view\ndata: %b\n\n" % (newest[0], view)
            if hears and (said := table.phrases.after(spoken)):
                spoken = said[-1].number
                for phrase in said:
                    if not who.deaf(table.now.seats[phrase.seat].person):
                        yield phrased(table, phrase)
            await awake.wait()


def phrased(table: Table, phrase: Phrase) -> bytes:
    """A phrase as an event of the stream."""
    name = table.now.seats[phrase.seat].name
    told = {"seat": phrase.seat + 1, "name": name, "text": phrase.text}
    if phrase.sign:
        told["sign"] = phrase.sign
    return b"event: phrase\ndata: %b\n\n" % msgspec.json.encode(told)
