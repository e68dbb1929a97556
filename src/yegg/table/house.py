"""All tables of the server: found by their key, opened, forgotten when nobody is there."""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from yegg import games
from yegg.engine import Game, Match, Refused
from yegg.engine.match import check_names

from . import metrics, schema
from .bots import Thinkers, admit
from .coach import Coach
from .people import Signer, fresh
from .position import Position
from .presence import PATIENCE
from .refusals import Refusal
from .rooms import Room, now_ms, play_out
from .seats import Event, Kind, citizen
from .store import Store, Unwritten

IDLE = 600  # seconds after which a room that nobody watches is forgotten
FIRST = "Amber Ashen Blue Brass Copper Cobbled Crooked Drowned Gilded Hollow Ivory Lantern Moth Old Painted Quiet Rusty Salt Silver Thirteenth Velvet Wren's".split()  # noqa: E501, SIM905
SECOND = "Alley Anchor Arcade Bell Bridge Cellar Court Door Gate Ink House Kettle Lamp Mews Quay Room Row Shutters Stair Steps Terrace Well".split()  # noqa: E501, SIM905
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

    def __init__(self, store: Store, pace: float, patience: float = PATIENCE) -> None:
        """``pace``: seconds that a bot takes at least when somebody watches.

        ``patience``: after how many seconds somebody who keeps the others waiting is away.
        """
        self.store, self.pace, self.patience = store, pace, patience
        self.signer = Signer(store.secret(fresh()))
        self.thinkers = Thinkers()
        self.coach = Coach(self.thinkers)
        self.rooms: dict[str, Room] = {}

    def room(self, key: str) -> Room:
        """The room of that key.  Raises Refusal 404, and 410 if its game is gone."""
        if key not in self.rooms:
            row = self.store.read(key)
            if row is None:
                raise Refusal(404, "there is no such table")
            game = game_of(row.game)
            how = self.thinkers.warmth.how(game)
            try:
                room = Room(row, game, self.store, self.thinkers, how)
            except Refused as error:
                why = f"today's {game.title} cannot be set up as at this table: {error}"
                raise Refusal(410, why) from None
            self._add(room).driver.kick()
        room = self.rooms[key]
        room.used = time.monotonic()
        return room

    def _add(self, room: Room) -> Room:
        room.pace, room.presence.patience = self.pace, self.patience
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
        except Refused as error:
            raise Refusal(422, str(error)) from None
        for bot in dict.fromkeys(seats):
            if bot not in (OPEN, ME):
                admit(game, bot, len(seats), options)
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
        happened = list(play_out(head["id"], position, first))
        try:
            await self.store.keep([(schema.games, head | position.standing()), *happened])
        except Unwritten:
            raise Refusal(503, "the table could not be saved; try again") from None

    def evict(self) -> None:
        """Forget the rooms that nobody watches and nobody has used for a while."""
        late = time.monotonic() - IDLE
        for key, room in list(self.rooms.items()):
            busy = room.watchers or room.lock.locked() or room.driver.busy
            if room.used < late and not busy:
                del self.rooms[key]
        metrics.rooms.set(len(self.rooms))

    def close(self) -> None:
        """End all streams; compile nothing more."""
        self.thinkers.warmth.close()
        for room in self.rooms.values():
            room.close()


def game_of(name: str) -> Game:
    """The game of that name.  Raises Refusal 410."""
    try:
        return games.find(name)
    except Refused:
        raise Refusal(410, f"this table plays {name}, a game that is not here any more") from None


def seated(seats: Sequence[str], you: str, person: str) -> list[Event]:
    """Who sits down as the table is opened."""
    first, names = [], {you}
    for i, who in enumerate(seats):
        if who == ME:
            first.append(Event(i, Kind.SIT, you, person))
        elif who != OPEN:
            name = citizen(names)
            names.add(name)
            first.append(Event(i, Kind.SIT, name, None, who))
    return first
