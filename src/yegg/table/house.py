"""All tables of the server: found by their key, opened, forgotten when nobody is there."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from yegg import games, players
from yegg.engine import Game, Match, Refused
from yegg.engine.match import check_names

from . import metrics, schema
from .bots import Thinkers
from .coach import Coach
from .people import Signer, fresh
from .position import Event, Kind, Position
from .refusals import Refusal
from .rooms import Room, now_ms, play_out
from .store import Store, Unwritten

IDLE = 600  # seconds after which a room that nobody watches is forgotten
FIRST = "Amber Ashen Blue Brass Copper Cobbled Crooked Drowned Gilded Hollow Ivory Lantern Moth Old Painted Quiet Rusty Salt Silver Thirteenth Velvet Wren's".split()  # noqa: E501, SIM905
SECOND = "Alley Anchor Arcade Bell Bridge Cellar Court Door Gate Ink House Kettle Lamp Mews Quay Room Row Shutters Stair Steps Terrace Well".split()  # noqa: E501, SIM905
CITIZENS = "Bexley Corvin Dorn Elspet Hob Ilse Juno Lark Nessa Orrin Pike Quill Rue Siveny Tamsin Vesper".split()  # noqa: E501, SIM905
OPEN, ME = "open", "me"


@dataclass(frozen=True)
class Wish:
    """A table that somebody would like opened."""

    game: str
    seats: Sequence[str]
    """Each ``open``, ``me`` or a bot's name."""
    you: str
    options: Mapping[str, str] = field(default_factory=dict)
    odds: bool = True
    listed: bool = True
    shuffled: bool = False
    """Whether seats are drawn by lot."""


class House:
    """The rooms are only a cache: everything is on disk."""

    def __init__(self, store: Store, pace: float) -> None:
        """``pace``: seconds that a bot takes at least when somebody watches."""
        self.store, self.pace = store, pace
        self.signer = Signer(store.secret(fresh()))
        self.thinkers = Thinkers()
        self.coach = Coach(self.thinkers)
        self.rooms: dict[str, Room] = {}

    def room(self, key: str) -> Room:
        """The room of that key.  Raises Refusal 404, and 410 if its rules are gone."""
        if key not in self.rooms:
            row = self.store.read(key)
            if row is None:
                raise Refusal(404, "there is no such table")
            game = rules_of(row.game, row.version)
            how = self.thinkers.warmth.how(game)
            self._add(Room(row, game, self.store, self.thinkers, how)).kick()
        room = self.rooms[key]
        room.used = time.monotonic()
        return room

    def _add(self, room: Room) -> Room:
        room.pace = self.pace
        self.rooms[room.key] = room
        metrics.rooms.set(len(self.rooms))
        return room

    async def open(self, wish: Wish, person: str) -> Room:
        """A new table with somebody at it.  Raises Refusal."""
        try:
            game = games.find(wish.game)
            options = game.chosen(len(wish.seats), wish.options)
            check_names([wish.you], 1)
            seats = list(wish.seats)
            if seats.count(ME) > 1:
                raise Refused("you can sit on one seat only")
            for bot in set(seats) - {OPEN, ME}:
                players.find(bot)
        except Refused as error:
            raise Refusal(422, str(error)) from None
        if wish.shuffled:
            random.SystemRandom().shuffle(seats)
        key = fresh()
        head = {
            "id": self.store.next_game(),
            "key": key,
            "game": game.name,
            "version": game.version,
            "seats": len(seats),
            "options": options,
            "name": f"{random.choice(FIRST)} {random.choice(SECOND)}",  # noqa: S311
            "odds": wish.odds,
            "listed": wish.listed,
            "at": now_ms(),
        }
        await self._keep(head, game, seated(seats, wish.you, person))
        metrics.games.labels(game.name).inc()
        return self.room(key)

    async def _keep(self, head: dict[str, Any], game: Game, first: list[Event]) -> None:
        how = self.thinkers.warmth.how(game)
        position = Position(Match(game, head["seats"], head["options"], how=how))
        rows = [(schema.games, head), *play_out(head["id"], position, first)]
        try:
            await self.store.keep(rows)
        except Unwritten:
            raise Refusal(503, "the table could not be saved; try again") from None

    def evict(self) -> None:
        """Forget the rooms that nobody watches and nobody has used for a while."""
        late = time.monotonic() - IDLE
        for key, room in list(self.rooms.items()):
            busy = room.watchers or room.lock.locked() or (room.driver and not room.driver.done())
            if room.used < late and not busy:
                del self.rooms[key]
        metrics.rooms.set(len(self.rooms))

    def close(self) -> None:
        """End all streams; compile nothing more."""
        self.thinkers.warmth.close()
        for room in self.rooms.values():
            room.close()


def rules_of(name: str, version: int) -> Game:
    """The game of that name, if its rules are still those.  Raises Refusal 410."""
    try:
        game = games.find(name)
    except Refused:
        raise Refusal(410, f"this table plays {name}, a game that is not here any more") from None
    if game.version != version:
        why = f"this game was begun under rules {version} of {game.title}; here are {game.version}"
        raise Refusal(410, why)
    return game


def seated(seats: Sequence[str], you: str, person: str) -> list[Event]:
    """Who sits down as the table is opened."""
    first, names = [], {you}
    for i, who in enumerate(seats):
        if who == ME:
            first.append(Event(i, Kind.SIT, you, person))
        elif who != OPEN:
            name = random.choice([n for n in CITIZENS if n not in names])  # noqa: S311
            names.add(name)
            first.append(Event(i, Kind.SIT, name, None, who))
    return first
