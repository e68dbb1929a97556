"""What the databases do differently; everything else is the same SQL."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

Row = Mapping[str, Any]


class Database(ABC):
    """A database that keeps games."""

    shared: bool
    """Whether several processes may use it at the same time."""

    def __init__(self, engine: sa.Engine) -> None:
        """``engine`` reaches it."""
        self.engine = engine
        self.reading = engine
        """For single statements that only read."""

    @abstractmethod
    def lock(self, connection: sa.Connection) -> None:
        """Let no other process change what the database is made of, until the transaction ends."""

    @abstractmethod
    def add_events(self, connection: sa.Connection, rows: list[Row]) -> None:
        """Write rows of `schema.events`, which are many, in few statements."""

    @abstractmethod
    def tell(self, connection: sa.Connection, said: list[str]) -> None:
        """Tell all processes, once the transaction is committed."""

    @abstractmethod
    def numbers(self, connection: sa.Connection) -> list[int]:
        """Numbers that no game has, and that no other process will give to one."""

    @abstractmethod
    def away(self, error: Exception) -> bool:
        """Whether this error means that the database did not answer, so that nobody knows more."""

    @abstractmethod
    def about(self) -> str:
        """The database in a word, for people who look after it."""

    def free(self) -> int | None:
        """Bytes that are free where the data lie; None if that is not on this machine."""
        return None
