"""Tokens of devices: which were given out here, and whose device each proves.

A device carries a token, and its key is the token's digest.  A key that is not on the ring is a
person of its own, as everybody is at first.  Every request asks, so the ring is kept in memory;
each process reads it when it begins, and is told of each change when that is on disk.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa

from yegg.table.storage.database import Tell
from yegg.table.storage.schema import EVERYWHERE, keys
from yegg.table.storage.store import Store

from .tokens import Signer, digest

GONE = "-"
UNSIGNED = re.compile(r"[A-Za-z0-9_-]{22}")
"""A token from before they were signed."""
T = TypeVar("T")


class DeviceTokens:
    """The keys of all devices that are not, or not only, persons of their own."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """Nobody has a second device.

        ``changed`` is called after each change: a page of somebody may be open that must end.
        """
        self.keys: dict[str, dict[int, str | None]] = {}
        """By key, and by game or `EVERYWHERE`: the person; None if it was taken away."""
        self.changed = changed

    def person(self, key: str, game: int = EVERYWHERE) -> str | None:
        """The person whose device it is, at a table or elsewhere; None if it was taken away."""
        mine = self.keys.get(key)
        if mine is None:
            return key
        own = mine.get(EVERYWHERE, key)
        return mine.get(game) or own if own else None

    def put(self, key: str, game: int, person: str | None) -> None:
        """Note a change that is on disk."""
        self.keys.setdefault(key, {})[game] = person
        self.changed()

    def load(self, rows: Iterable[sa.Row[Any]]) -> None:
        """Note everything that is on disk."""
        for row in rows:
            there = self.keys.setdefault(row.digest, {})
            there[row.game] = None if row.ended else row.person
        self.changed()

    async def change(self, store: Store, what: Callable[[sa.Connection, Tell], T]) -> T:
        """Change devices on disk, then here.  Raises Taken, Unwritten."""
        lines: list[str] = []

        def told(connection: sa.Connection, tell: Tell) -> T:
            lines.clear()  # it may be the second attempt
            answer = what(connection, lines.append)
            for one in lines:
                tell(one)
            return answer

        answer = await store.work(told)
        for one in lines:
            _, process, *said = one.split(" ")
            self.hear(process, said)
        return answer

    # With other processes

    def updates(self, _second: int, *, everything: bool) -> Iterable[str]:  # noqa: ARG002
        """Nothing now and then: each change is told with its transaction."""
        return ()

    def hear(self, _process: str, said: Sequence[str]) -> None:
        """A change that another process has made."""
        key, game, person = said
        self.put(key, int(game), None if person == GONE else person)

    def alive(self, processes: Collection[str]) -> None:
        """Nothing: `Cluster` reads all keys anew, since something may have been missed."""


def keys_on_disk(store: Store) -> Sequence[sa.Row[Any]]:
    """All keys on disk."""
    with store.database.reading.connect() as connection:
        return connection.execute(sa.select(keys)).all()


def line(key: str, game: int, person: str | None) -> str:
    """A change, as processes are told of it."""
    return f"keys . {key} {game} {person or GONE}"


class Tokens:
    """Knows a token by its mark, or by the seat that it has held since before there were marks."""

    def __init__(self, signer: Signer, keyring: DeviceTokens, store: Store) -> None:
        """All processes of a house have the same ``signer``."""
        self.signer, self.keyring, self.store = signer, keyring, store
        self.old: set[str] = set()
        """Digests of unsigned tokens that hold a seat, as far as somebody has come with them."""

    def at_once(self, said: str) -> str | None:
        """The token that somebody sends, if it is known without asking the database."""
        if signed := self.signer.token(said):
            return signed
        key = digest(said) if UNSIGNED.fullmatch(said) else ""
        return said if key in self.old or key in self.keyring.keys else None

    def may_be_old(self, said: str) -> bool:
        """Whether only the database can say if it was given out."""
        return self.at_once(said) is None and UNSIGNED.fullmatch(said) is not None

    async def look_up(self, said: str) -> None:
        """Look whether an unsigned token holds a seat.  Raises Unread."""
        if await self.store.aside(self.store.of_person, digest(said), 1):
            self.old.add(digest(said))
