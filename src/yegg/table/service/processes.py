"""Which process lets a game's bots play, and how the others hear at once what somebody said."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b

from yegg.table.accounts.tokens import new_token
from yegg.table.storage.postgres import Postgres
from yegg.table.storage.store import Store, Unread

MANY = 50_000  # games whose driver is remembered
SAID = "said"


class Processes:
    """The only process on its database: it lets all bots play, and tells nobody else."""

    def drives(self, _game: int) -> bool:
        """Whether this process lets a game's bots play."""
        return True

    def shout(self, line: str) -> None:
        """Tell the others at once what somebody said: game, seat and phrase."""


class SeveralProcesses(Processes):
    """The processes on one database that are alive, as one of them knows them."""

    def __init__(self, store: Store, database: Postgres) -> None:
        """Nobody else is known yet."""
        self.store, self.database, self.me = store, database, new_token()
        self.alive = [self.me]
        self.owned: dict[int, bool] = {}
        self.shouting: set[asyncio.Task[None]] = set()

    def living(self, others: Iterable[str]) -> bool:
        """Note which others are alive; whether that has changed."""
        alive = sorted({*others, self.me})
        if alive == self.alive:
            return False
        self.alive = alive
        self.owned.clear()
        return True

    def drives(self, game: int) -> bool:
        """Whether this process lets a game's bots play: if it has the highest hash of both."""
        if game not in self.owned:
            if len(self.owned) > MANY:
                self.owned.clear()
            best = max(self.alive, key=lambda name: blake2b(f"{name} {game}".encode()).digest())
            self.owned[game] = best == self.me
        return self.owned[game]

    def shout(self, line: str) -> None:
        """Tell the others at once what somebody said; lost if the database does not answer."""
        task = asyncio.get_running_loop().create_task(self._shout(f"{SAID} {self.me} {line}"))
        self.shouting.add(task)
        task.add_done_callback(self.shouting.discard)

    async def _shout(self, line: str) -> None:
        with suppress(Unread):
            await self.store.aside(self.database.shout, line)


def processes_of(store: Store) -> Processes:
    """The processes that share a store's database: others too where it can be shared."""
    database = store.database
    return SeveralProcesses(store, database) if isinstance(database, Postgres) else Processes()
