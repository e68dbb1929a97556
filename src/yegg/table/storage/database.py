"""The database: what one transaction writes, and what SQLite and PostgreSQL do differently."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import msgspec
import sqlalchemy as sa

from yegg.table.domain.lobby_columns import TURN, Change
from yegg.table.domain.seats import Event

from .schema import EVENT, events, games, sittings
from .uptime import Sign, Uptime, sign

Row = Mapping[str, Any]
Tell = Callable[[str], None]
"""Takes a line that all processes are told once the change is on disk."""
TURNS = frozenset(TURN)
CARRIED = 2000  # bytes of events that others are told; longer ones they read


class Carried(NamedTuple):
    """An event at which nobody sat down, with the columns of `EVENTS`, as others are told of it."""

    number: int
    actor: int
    choice: int
    at: int
    words: str | None
    name: None = None
    person: None = None
    bot: None = None


HEAR = msgspec.json.Decoder(list[Carried]).decode


def as_json(what: object) -> str:
    """A text that both databases take apart faster than their drivers write arrays."""
    return msgspec.json.encode(what).decode()


def rows_of(game: int, happened: Iterable[tuple[int, Event]]) -> Iterator[tuple[sa.Table, Row]]:
    """The rows of events, each with its number, and of who sits down at them."""
    for number, event in happened:
        where: Row = {"game": game, "number": number}
        what = {"actor": event.actor, "choice": event.number, "at": event.at, "words": event.words}
        yield events, {**where, **what}
        if event.name is not None:
            who = {"name": event.name, "person": event.person, "bot": event.bot}
            yield sittings, {**where, **who}


@dataclass(frozen=True)
class Write:
    """Rows that are written together: all of them, or none."""

    rows: tuple[tuple[sa.Table, Row], ...] = ()
    change: Change | None = None
    work: Callable[[sa.Connection, Tell], Any] | None = None
    """Something else that is done in the same transaction; what it returns is the answer."""

    @property
    def plain(self) -> bool:
        """Whether there are only events, and for whom a game waits now: so are nearly all."""
        return (
            self.work is None
            and (self.change is None or self.change.values.keys() == TURNS)
            and all(table is events for table, _ in self.rows)
        )

    def happened(self) -> Iterable[tuple[Any, ...]]:
        """The events, with the columns `EVENT`."""
        return (tuple(map(row.get, EVENT)) for table, row in self.rows if table is events)

    def turn(self) -> Iterable[tuple[Any, ...]]:
        """Of a plain one, the game and the columns of `TURN`, if it waits for somebody else now."""
        if self.change:
            game, values = self.change
            yield game, *map(values.__getitem__, TURN)

    def news(self) -> Iterable[str]:
        """What others are told: each game, its newest event, whether a bot's turn began, events.

        Nobody who has followed so far needs to read them.  Where somebody sat down, or where they
        are long, there are none.
        """
        plain, bots = dict[int, list[Carried]](), dict[int, bool]()
        seated = {row["game"] for table, row in self.rows if table is sittings}
        for game, *columns in self.happened():
            plain.setdefault(game, []).append(Carried(*columns))
        for table, row in self.rows:
            if table is games:
                bots[row["id"]] = bool(row.get("bots_turn"))
        if self.change:
            bots[self.change.game] = bool(self.change.values.get("bots_turn"))
        for game, carried in plain.items():
            text = "" if game in seated else as_json(carried)
            line = f"{game} {carried[-1].number} {bots.get(game, False):d}"
            yield f"{line} {text}" if 0 < len(text.encode()) <= CARRIED else line


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
        self.line: sa.PoolProxiedConnection | None = None
        """A connection that is kept for `put`."""

    def sign(self, hours: Uptime, *, first: bool = False) -> Sign:
        """Give a sign of life; ``hours``: what the process knows already.

        ``first``: of a process that begins and has no company, so that the house was closed.
        """
        with self.engine.begin() as connection:
            return sign(connection, self.clock, 0 if first else self.silent, hours)

    @abstractmethod
    def lock(self, connection: sa.Connection) -> None:
        """Let no other process change what the database is made of, until the transaction ends."""

    @abstractmethod
    def put(
        self,
        happened: Sequence[tuple[Any, ...]],
        turns: Sequence[tuple[Any, ...]] = (),
        said: Sequence[str] = (),
        connection: sa.Connection | None = None,
    ) -> None:
        """Write down what choices come to, in as few statements as can be.

        ``happened`` are events, with the columns `EVENT`; ``turns`` are games with the columns
        `TURN`; ``said`` is what all processes are told once it is committed.  It belongs to the
        transaction of ``connection``; without one it is a transaction by itself, by the driver,
        since SQLAlchemy's way to a statement takes longer than all else together.  It raises as
        SQLAlchemy does.
        """

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
    def size(self, connection: sa.Connection) -> int:
        """Bytes that it takes on disk."""

    def close(self) -> None:
        """Give up the connection that is kept for `put`."""
        if self.line:
            self.line.invalidate()
            self.line = None

    def free(self) -> int | None:
        """Bytes that are free where the data lie; None if that is not on this machine."""
        return None


def put_row(
    connection: sa.Connection, table: sa.Table, which: Mapping[str, Any], **values: Any
) -> None:
    """Change the row of a table that is named by these columns, or make it."""
    same = sa.and_(*(table.c[name] == value for name, value in which.items()))
    if not connection.execute(sa.update(table).where(same).values(values)).rowcount:
        connection.execute(sa.insert(table).values(**which, **values))
