"""Which house a command is about: its settings, its database, and a change of it."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from yegg.text.untrusted import say

from .options import FILE, grouped, option
from .settings import configured, there, usable, where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from yegg.table.admin.configuration import Held
    from yegg.table.storage.store import Store


class House(NamedTuple):
    """Which house is meant; each field is an option of that name."""

    config: Path | None
    db: str | None

    def holds(self) -> "Held":
        """Its settings."""
        return configured(self.config, {"db": self.db})

    def address(self) -> str:
        """Where its games are, for their owner alone; earlier rules are at hand."""
        from yegg.engine import earlier
        from yegg.table.storage.store import mended

        holds = self.holds()
        if holds.settings.rules:
            earlier.use(Path(holds.settings.rules))
        url = where(holds)
        for why in mended(url):
            say(f"yegg: {why}", err=True)
        return url

    @contextmanager
    def opened(self) -> "Iterator[Store]":
        """Its store, brought up to date first."""
        from yegg.table.app import prepare
        from yegg.table.storage.store import Store

        url = self.address()
        there(url)
        with usable(url):
            prepare(url)
            store = Store(url)
            try:
                yield store
            finally:
                store.close()

    @contextmanager
    def changing(self) -> "Iterator[Connection]":
        """A transaction in its database; servers that run see it within seconds."""
        with self.opened() as store, store.engine.begin() as connection:
            yield connection


of_a_house = grouped(
    House,
    "house",
    option("--config FILE", "Its settings, as for yegg serve.", FILE, envvar="YEGG_CONFIG"),
    option("--db FILE|URL", "Where its games are, as for yegg serve."),
)
