"""Games in the middle of play: written to the disk as if they had been played there."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from yegg import games
from yegg.engine import Match
from yegg.table.accounts.tokens import Signer, digest
from yegg.table.domain.state import Event, Kind, TableState
from yegg.table.storage import schema
from yegg.table.storage.migrate import migrate
from yegg.table.storage.store import connected

NAMES = "Morgan", "Siveny", "Shar", "Quill", "Bexley", "Orrin"
SIGNED = Signer("a server that is only there for tests")
LONGEST = (  # forty letters, as many as a name may have
    "Bartholomew Featherstonehaugh Cholmonde",
    "Wilhelmina Wollstonecraft of Wandsworth",
    "Maximilian Montgomery Mortimer Macready",
    "Quillwort of the Winding Willow Meadows",
    "Anastasia Alexandrovna Arkhangelskaya A",
    "Orrin Wolfeschlegelsteinhausenbergerdorf",
)
GAMES = 400  # that are played at random in search of a moment


@dataclass(frozen=True)
class Moment:
    """A kind of position to look for, and the seat that looks at it."""

    game: str
    name: str
    players: int
    when: Callable[[Match], bool]
    options: tuple[tuple[str, str], ...] = ()
    likes: tuple[str, ...] = ()
    """Beginnings of choices that are made more often, so that the moment comes."""
    eyes: str = "actor"
    """Or: another, nobody."""
    orders: int = 0
    """How many orders the eyes have given under seal."""

    def __str__(self) -> str:
        return f"{self.game}-{self.name}"

    @property
    def key(self) -> str:
        """The table's key, which links carry."""
        return sha256(str(self).encode()).hexdigest()[:22]

    def token(self, seat: int) -> str:
        """What proves a seat."""
        return f"{self.key}{seat}"

    def match(self) -> Match:
        """Play at random until the moment is there."""
        for seed in range(GAMES):
            dice = random.Random(f"{self} {seed}")
            match = Match(games.find(self.game), self.players, dict(self.options))
            while not match.over:
                if match.actor >= 0 and self.when(match):
                    return match
                match.play(self.liked(match, dice))
            if self.when(match):
                return match
        raise AssertionError(f"{self} does not come")

    def liked(self, match: Match, dice: random.Random) -> int:
        """A random choice, more often one that leads to the moment."""
        if self.likes and match.actor >= 0 and dice.random() < 0.8:
            liked = [c for text, c in match.texts.items() if text.startswith(self.likes)]
            if liked:
                return dice.choice(liked)
        return dice.choice(match.choices)


@dataclass(frozen=True)
class Laid:
    """A table on the disk, and the cookie of whoever looks at it."""

    path: str
    cookie: str | None


def lay(url: str, moments: list[Moment], names: Sequence[str] = NAMES) -> dict[str, Laid]:
    """Write tables for all moments; the server must not be open yet."""
    database = connected(url)
    migrate(database)
    with database.engine.begin() as disk:
        disk.execute(sa.insert(schema.server).values(secret=SIGNED.secret.decode()))
        laid = {str(m): _table(disk, i, m, names) for i, m in enumerate(moments, 1)}
    database.engine.dispose()
    return laid


def _table(disk: sa.Connection, number: int, moment: Moment, names: Sequence[str]) -> Laid:
    match = moment.match()
    seats = range(match.players)
    sat = [Event(i, Kind.SIT, name=names[i], person=digest(moment.token(i))) for i in seats]
    played = [Event(a, Kind.CHOICE, c) for a, c in zip(match.actors, match.history, strict=True)]
    seat = _eyes(moment, match)
    written = [*sat, *played, *_orders(moment, match, seat)]
    head = {"id": number, "key": moment.key, "game": moment.game, "version": match.game.version}
    head |= {"seats": match.players, "options": match.options, "name": "Lantern Row", "at": 0}
    head["people"] = [[e.name, e.person, None] for e in sat]
    disk.execute(sa.insert(schema.games).values(**head, odds=True, listed=False))
    at = [{"game": number, "number": i} for i in range(1, len(written) + 1)]
    events = [
        n | {"actor": e.actor, "choice": e.number, "at": 0}
        for n, e in zip(at, written, strict=True)
    ]
    disk.execute(sa.insert(schema.events), events)
    people = [
        n | {"name": e.name, "person": e.person, "bot": None} for n, e in zip(at, sat, strict=False)
    ]
    disk.execute(sa.insert(schema.sittings), people)
    cookie = SIGNED.signed(moment.token(seat)) if seat >= 0 else None
    return Laid(f"/t/{moment.key}", cookie)


def _eyes(moment: Moment, match: Match) -> int:
    if moment.eyes == "nobody":
        return -1
    first = max(match.actor, 0)
    return first if moment.eyes == "actor" else (first + 1) % match.players


def _orders(moment: Moment, match: Match, seat: int) -> list[Event]:
    """The orders that a seat has given and others wait with."""
    if not moment.orders:
        return []
    position = TableState(match.fork())
    position.begun, given = True, []
    for _ in range(moment.orders):
        there = position.turn_of(seat)
        if there is None:
            break
        given.append(Event(seat, Kind.ORDER, there.choices[len(given) % len(there.choices)]))
        position.apply(given[-1])
    return given
