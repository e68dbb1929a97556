"""The game in progress that the lobby shows to everybody, as those who watch are told of it."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from yegg.players import LEVELS, base
from yegg.table.domain.watching import Candidate, best, players, turns
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Unread

from .delays import THEN
from .lobby import IDLE
from .registry import Registry
from .table import Table

CONSIDERED = 12  # of the newest games that everybody may watch
KEPT = 3.0  # seconds for which they are looked at once
QUIET = 1_800_000  # milliseconds; a game where nobody has chosen anything for so long is not shown
LONGEST = 86_400_000  # milliseconds by which somebody may be told later that a game is over


class Watchable(msgspec.Struct):
    """A game that everybody may watch."""

    id: str
    """The table's key."""
    game: str
    """The game's name."""
    title: str
    """The game's name for people."""
    players: str
    """Who plays, in words."""
    turn: int | None
    """How many turns have begun; null where all order at the same time."""
    told: str
    """How much later those who watch are told, in words; empty if at once."""


class Looked(NamedTuple):
    """A game, as those who watch are told of it."""

    candidate: Candidate
    shown: Watchable
    people: list[Any]
    """Who plays: names, persons and bots, as `BlockList.minds` takes them."""


class BestGame:
    """Finds the game for each visitor; the games are looked at once in some seconds."""

    def __init__(self, registry: Registry) -> None:
        """``registry``: the tables of this process."""
        self.registry, self.looked, self.at = registry, list[Looked](), -KEPT

    async def found(
        self, person: str | None, minds: Callable[[list[Any]], bool]
    ) -> Watchable | None:
        """The best game that somebody does not play; None if there is none.  Raises Unread.

        ``minds``: whether they would rather not meet people, or these them.
        """
        if time.monotonic() - self.at >= KEPT:
            self.at, self.looked = time.monotonic(), await self._look()
        others = {
            one.candidate.key: one
            for one in self.looked
            if not minds(one.people) and all(who != person for _, who, _ in one.people if who)
        }
        first = best([one.candidate for one in others.values()])
        return others[first.key].shown if first else None

    async def _look(self) -> list[Looked]:
        store, found = self.registry.store, []
        for row in await store.aside(store.for_all, store.hours.now() - LONGEST, CONSIDERED):
            try:
                table = await self.registry.fetched(row.key)
                await self.registry.delays.made_ready(table, None)
                seen = self.registry.delays.seen_by(table, None)
            except (HttpRefusal, Unread):
                continue  # it is not to be watched
            if one := looked_at(seen):
                found.append(one)
        return found


def looked_at(table: Table) -> Looked | None:
    """A game as it is told of; None if nothing happens there that could be watched."""
    now, terms = table.now, table.shown.terms
    if terms.later is None or not now.begun or now.over or now.closed or now.paused:
        return None
    moved = max(now.moved, table.row.at)
    if moved < table.moment() - (IDLE if now.clock and now.clock.terms.by_days else QUIET):
        return None
    bots = [place.bot and base(place.bot) for place in now.seats]
    levels = [LEVELS.index(bot) + 1 if bot in LEVELS else 0 for bot in bots if bot]
    candidate = Candidate(table.key, sum(not bot for bot in bots), levels, moved)
    names = [place.name for place in now.seats]
    game, turn = table.game, None if now.sealed else len(turns(now.match.actors))
    shown = Watchable(table.key, game.name, game.title, players(names, bots), turn, terms.delay)
    owners = [place.person and place.person.removeprefix(THEN) for place in now.seats]
    people = [[place.name, who, place.bot] for place, who in zip(now.seats, owners, strict=True)]
    return Looked(candidate, shown, people)
