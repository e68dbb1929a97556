"""What the databases do differently; everything else is the same SQL."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import sqlalchemy as sa

from .uptime import Hours, Sign, sign

Row = Mapping[str, Any]


class Database(ABC):
    """A database that keeps games."""

    shared: bool
    """Whether several processes may use it at the same time."""
    silent: int
    """After so many milliseconds without a sign of life the house counts as closed."""
    clock: ClassVar[sa.TextClause | None] = None
    """Asks the database what time it is; None: this machine's clock counts."""

    def __init__(self, engine: sa.Engine) -> None:
        """``engine`` reaches it."""
        self.engine = engine
        self.reading = engine
        """For single statements that only read."""

    def sign(self, hours: Hours, *, first: bool = False) -> Sign:
        """Give a sign of life; ``hours``: what the process knows already.

        ``first``: of a process that begins and has no company, so that the house was closed.
        """
        with self.engine.begin() as connection:
            return sign(connection, self.clock, 0 if first else self.silent, hours)

    @abstractmethod
    def lock(self, connection: sa.Connection) -> None:
        """Let no other process change what the database is made of, until the transaction ends."""

    @abstractmethod
    def add_events(self, connection: sa.Connection, rows: list[Row]) -> None:
        """Write rows of `schema.events`, which are many, in few statements."""

    @abstractmethod
    def jot(
        self,
        happened: Sequence[tuple[Any, ...]],
        turns: Sequence[tuple[Any, ...]],
        said: Sequence[str],
    ) -> None:
        """Write down in a transaction what choices come to, in as few statements as can be.

        ``happened`` are events, with the columns `EVENT`; ``turns`` are games with the columns
        `TURN`; ``said`` is what all processes are told.  It raises as SQLAlchemy does.
        """

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

    @abstractmethod
    def close(self) -> None:
        """Give up what is kept for `jot`."""

    def free(self) -> int | None:
        """Bytes that are free where the data lie; None if that is not on this machine."""
        return None
