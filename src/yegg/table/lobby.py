"""What stands in the lobby: tables to join or to watch, and one's own."""

import time

import msgspec

from .house import House
from .refusals import Refusal
from .rooms import Room

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
    your_turn: bool
    place: int | None
    """Yours, once it is over."""


def entry(room: Room, person: str | None = None) -> Listed:
    """A table as it stands in a list."""
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
        acting is not None and not acting[1],
        now.match.places[seat] if now.over and seat >= 0 else None,
    )


def listed(house: House) -> list[Listed]:
    """Tables that are not over: those with a free seat first."""
    since = int(time.time() - DAYS * 86400) * 1000
    tables = [entry(room) for room in rooms(house, house.store.listed(since, MANY))]
    return sorted(tables, key=lambda table: table.taken == table.seats)


def mine(house: House, person: str) -> list[Listed]:
    """Somebody's own tables, the newest first."""
    keys = house.store.of_person(person, MANY)
    return [entry(room, person) for room in rooms(house, keys) if room.now.seat_of(person) >= 0]


def rooms(house: House, keys: list[str]) -> list[Room]:
    """Those of the rooms whose rules still are here."""
    found = []
    for key in keys:
        try:
            found.append(house.room(key))
        except Refusal:
            continue
    return found
