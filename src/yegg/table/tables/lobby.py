"""The lists of the lobby: tables to join or to watch, and one's own."""

import time
from typing import Any

import msgspec
import sqlalchemy as sa

from yegg.engine import Game, Refused
from yegg.table.storage.store import Store

from .older_rules import in_version
from .outcome import outcome
from .table import now_ms

IDLE = 86_400_000  # milliseconds; the lobby folds away a table without news for so long
DAYS = 3  # how long the lobby shows a table that has not ended
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
    """Your place, once the game is over."""
    idle: bool
    """Whether nothing has happened there for a day."""
    ended: str | None
    """How the game ended, once it is over."""


def entry(row: sa.Row[Any], person: str | None = None) -> Listed | None:
    """A table's entry in a list; None if its game is not installed any more."""
    try:
        game = in_version(row.game, row.version)
    except Refused:
        return None
    people = row.people or []
    seat = next((i for i, (_, who, _) in enumerate(people) if who and who == person), -1)
    older = row.version != game.version
    return Listed(
        row.key,
        game.name,
        game.title,
        row.name,
        row.seats,
        sum(bool(who or bot) for _, who, bot in people),
        [name for name, who, bot in people if who or bot],
        row.ended is not None,
        older,
        seat >= 0 and not older and bool((row.to_act or 0) >> seat & 1),
        row.result["places"][seat] if row.result and seat >= 0 else None,
        (row.newest or row.at) < now_ms() - IDLE,
        how_it_ended(game, people, row.result) if row.result else None,
    )


def how_it_ended(game: Game, people: list[Any], result: dict[str, list[int]]) -> str:
    """Who won a game, with everybody's score, as they were counted then."""
    places, scores = result["places"], result["scores"]
    return outcome(game.side_names([name for name, _, _ in people], len(places)), places, scores)


def listed(store: Store) -> list[Listed]:
    """Tables that are not over: those with a free seat first."""
    since = int(time.time() - DAYS * 86400) * 1000
    found = [table for row in store.listed(since, MANY) if (table := entry(row))]
    return sorted(found, key=lambda table: table.taken == table.seats)


def mine(store: Store, person: str) -> list[Listed]:
    """Tables where somebody sits now, the newest first."""
    sits = [
        row
        for row in store.of_person(person, MANY)
        if any(who == person for _, who, _ in row.people or [])
    ]
    return [table for row in sits if (table := entry(row, person))]
