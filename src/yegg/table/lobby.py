"""What stands in the lobby: tables to join or to watch, and one's own."""

import time

import msgspec

from .house import House
from .refusals import Refusal
from .rooms import Room, now_ms

IDLE = 86_400_000  # milliseconds without news, after which a table is folded away
DAYS = 3  # how long a table without an end stands in the lobby
MANY = 40


class Listed(msgspec.Struct):
    """A table in a list."""

    id: str
    game: str
    title: str
    name: str
    seats: int
    taken: int
    names: list[str]
    over: bool
    older: bool
    """Whether it was begun under other rules, so that it cannot go on."""
    your_turn: bool
    place: int | None
    """Yours, once it is over."""
    idle: bool
    """Whether nothing has happened there for a day."""


def entry(room: Room, newest: int, person: str | None = None) -> Listed:
    """A table as it stands in a list; ``newest``: when something last happened there."""
    now = room.now
    seat = now.seat_of(person)
    acting = now.acting().get(seat)
    return Listed(
        room.key,
        room.game.name,
        room.game.title,
        room.name,
        len(now.seats),
        sum(not place.free for place in now.seats),
        [place.name for place in now.seats if not place.free],
        now.over,
        bool(now.closed),
        acting is not None and not acting[1],
        now.result()[0][seat] if now.over and seat >= 0 else None,
        newest < now_ms() - IDLE,
    )


def listed(house: House) -> list[Listed]:
    """Tables that are not over: those with a free seat first."""
    since = int(time.time() - DAYS * 86400) * 1000
    keys = house.store.listed(since, MANY)
    newest = house.store.newest(keys)
    tables = [entry(room, newest[room.key]) for room in rooms(house, keys)]
    return sorted(tables, key=lambda table: table.taken == table.seats)


def mine(house: House, person: str) -> list[Listed]:
    """Somebody's own tables, the newest first."""
    keys = house.store.of_person(person, MANY)
    newest = house.store.newest(keys)
    return [
        entry(room, newest[room.key], person)
        for room in rooms(house, keys)
        if room.now.seat_of(person) >= 0
    ]


def rooms(house: House, keys: list[str]) -> list[Room]:
    """Those of the rooms whose rules still are here."""
    found = []
    for key in keys:
        try:
            found.append(house.room(key))
        except Refusal:
            continue
    return found
