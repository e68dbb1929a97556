"""Who would rather not meet whom, and whom the house does not let in; kept in memory.

People are blocked by people for themselves only: the two are not seated together any more, and the
blocked one's phrases are not heard.  Nothing changes at tables where both sit already.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from yegg.table.domain.state import TableState
from yegg.table.networks import Network, among, network
from yegg.table.refusals import HttpRefusal
from yegg.table.storage import block_list
from yegg.table.storage.store import Store

APART = "you cannot sit down at this table"
NOT_HERE = "whoever runs this server does not let you play here"


async def check_seat(store: Store, now: TableState, person: str) -> None:
    """Check that somebody may sit down beside those who sit there.

    What is on disk counts, since another process may have been told of it just now.  Raises
    HttpRefusal 403, and Unread.
    """
    there = {place.person for place in now.seats if place.person}

    def read() -> bool:
        with store.database.reading.connect() as connection:
            return block_list.apart(connection, person, there)

    if not there or person in there:
        return
    apart = await store.aside(read)
    if apart:
        raise HttpRefusal(403, APART)


class Guests:
    """The guests of a house, as far as somebody minds them."""

    def __init__(self) -> None:
        """Nobody minds anybody."""
        self.blocks: dict[str, set[str]] = {}
        self.people: frozenset[str] = frozenset()
        self.networks: list[Network] = []
        self.seen: set[int] | None = None

    def apart(self, one: str | None, other: str | None) -> bool:
        """Whether one of two people has blocked the other."""
        return self.deaf(one, other) or self.deaf(other, one)

    def deaf(self, listener: str | None, speaker: str | None) -> bool:
        """Whether somebody has blocked somebody."""
        return speaker in self.blocks.get(listener or "", ())

    def minds(self, person: str | None, people: Sequence[Any]) -> bool:
        """Whether a person and one of those at a table are kept apart.

        ``people`` as in `games.people`.
        """
        return bool(self.blocks) and any(self.apart(person, who) for _, who, _ in people)

    def check(self, person: str) -> None:
        """Check that a person may do something here.  Raises HttpRefusal 403."""
        if person in self.people:
            raise HttpRefusal(403, NOT_HERE)

    def let_in(self, address: str) -> bool:
        """Whether whoever comes from an address may come in."""
        return not self.networks or not among(address, self.networks)

    # As it is on disk

    def load(self, store: Store) -> list[int] | None:
        """Read everything anew if something has changed; return the games that were changed.

        None: nothing has changed.
        """
        with store.database.reading.connect() as connection:
            now = {row.id: row.game for row in connection.execute(block_list.LATEST)}
            fresh = set(now) - (self.seen or set())
            if self.seen is not None and not fresh:
                return None
            begun, self.seen = self.seen is None, set(now)
            blocks: dict[str, set[str]] = {}
            for row in connection.execute(sa.select(block_list.blocks)):
                blocks.setdefault(row.person, set()).add(row.other)
            self.blocks = blocks
            self._bar(connection.scalars(sa.select(block_list.barred.c.who)))
        return [] if begun else [now[one] for one in fresh if now[one]]

    def _bar(self, whom: Iterable[str]) -> None:
        barred = list(whom)
        self.networks = [there for who in barred if (there := network(who))]
        self.people = frozenset(who for who in barred if network(who) is None)
