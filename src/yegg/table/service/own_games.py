"""The games that somebody has finished: what they won, and what the coach found in them.

All is reckoned from the rows of games, and from reviews; nothing of it is kept.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from yegg.coach.habits import Habit, Made, habits
from yegg.coach.review import Review
from yegg.engine import Game
from yegg.engine.voice import Handicap, handicaps
from yegg.players import LEVELS
from yegg.stats.intervals import Figure, proportion
from yegg.table.domain.quick_match import was_quick
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.store import Store, Unread

from .coach import Coach
from .even_match import EvenMatch, Result, even_match
from .lobby import game_here, seat_of
from .table import Table

MOST = 1000  # games of a person that are looked at, the newest first
REVIEWED = 20  # games, the newest, that the coach goes through
TOLD = 3  # habits
PEOPLE, SEVERAL, ALONE = "people", "several bots", "alone"


class Played(NamedTuple):
    """A game that somebody has finished, from their seat."""

    key: str
    """The table's key."""
    game: Game
    name: str
    """The table's name."""
    ended: int
    """In ms since 1970."""
    seat: int
    """Theirs, from 0."""
    against: str
    """A bot's name, if all others were that bot; else in words."""
    handicap: Handicap | None
    chosen: bool
    """Whether they chose whom to meet: not in a deal of others, nor in a quick match."""
    places: list[int]
    scores: list[int]

    @property
    def share(self) -> float:
        """Their share of the win: all who come first share it."""
        return (self.places[self.seat] == 1) / self.places.count(1)

    @property
    def even(self) -> float:
        """What an even match would give them."""
        return 1 / len(self.places)


def played(rows: Sequence[sa.Row[Any]], person: str) -> list[Played]:
    """The finished games among ``rows``, in their order.

    Games that went on from a position of another, and those in which a bot played for the person
    at the end, say little of them and are left out; so are games that are not installed any more.
    """
    return [game for row in rows if (game := _played(row, person))]


def _played(row: sa.Row[Any], person: str) -> Played | None:
    game, seat = game_here(row), seat_of(row, person)
    if game is None or seat < 0 or row.origin or not row.result or row.people[seat][2]:
        return None
    handicap = next((h for h in handicaps(game) if h.options == row.options), None)
    others = [one for i, one in enumerate(row.people) if i != seat]
    bots = {bot for _, _, bot in others}
    if any(who for _, who, _ in others):
        against = PEOPLE
    elif not others:
        against = handicap.named if handicap else ALONE
    else:
        against = next(iter(bots)) if len(bots) == 1 else SEVERAL
    places, scores = row.result["places"], row.result["scores"]
    chosen = row.chance is None and not was_quick(row)
    return Played(
        row.key, game, row.name, row.ended, seat, against, handicap, chosen, places, scores
    )


async def rows_of(store: Store, person: str | None) -> list[sa.Row[Any]]:
    """The rows of a person's games that are over, the newest first.  Raises Unread."""
    return await store.aside(store.finished, person, MOST) if person else []


async def of_person(store: Store, person: str | None) -> list[Played]:
    """What a person has finished, the newest first.  Raises Unread."""
    return played(await rows_of(store, person), person or "")


class Row(NamedTuple):
    """What somebody won in one game against one kind of others."""

    game: Game
    against: str
    games: int
    won: Figure
    even: float | None
    """The share of an even match; None if that was not always the same."""


def won(games: Sequence[Played]) -> list[Row]:
    """By game and by whom it was played against: games by title, levels from the easiest."""
    groups = defaultdict[tuple[str, int, str], list[Played]](list)
    for one in games:
        level = LEVELS.index(one.against) if one.against in LEVELS else len(LEVELS)
        groups[one.game.title, level, one.against].append(one)
    rows = []
    for (_, _, against), group in sorted(groups.items(), key=lambda item: item[0]):
        share = proportion(sum(one.share for one in group), len(group))
        evens = {one.even for one in group}
        even = evens.pop() if len(evens) == 1 else None
        rows.append(Row(group[0].game, against, len(group), share, even))
    return rows


def even_matches(games: Sequence[Played]) -> dict[str, EvenMatch]:
    """By a game's name: the level that would be an even match; ``games``: the newest first."""
    results = defaultdict[str, list[Result]](list)
    easier = {one.game.name: handicaps(one.game) for one in games}
    for one in (one for one in games if one.chosen):
        result = Result(one.against, one.share, len(one.places), one.handicap)
        results[one.game.name].append(result)
    found = {name: even_match(several, easier[name]) for name, several in results.items()}
    return {name: match for name, match in found.items() if match}


class LookedBack(NamedTuple):
    """What the coach found in somebody's newest games, the oldest first."""

    games: list[Played]
    """Those that it has gone through."""
    awaited: int
    """How many it has still to go through."""
    luck: list[float]
    """By game: what chance changed of their share of the win."""
    play: list[float]
    """By game: what everybody's choices changed of it."""
    habits: list[Habit]
    """What they do most often, `TOLD` at most."""


class Backlog:
    """Goes through people's games, one after another, as the coach has time.

    The reviews are the coach's own; a game whose review is kept there is not gone through again.
    """

    def __init__(self, coach: Coach, fetched: Callable[[str], Awaitable[Table]]) -> None:
        """``fetched``: the table of a key, read from disk if need be."""
        self.coach, self.fetched = coach, fetched
        self.tasks: dict[str, asyncio.Task[None]] = {}
        """By person: who is at work for them."""
        self.turn = asyncio.Semaphore(1)  # so that it takes one place of those who ask the coach
        self.never: set[str] = set()
        """The keys of tables of which no review can be made."""

    def look(self, person: str, games: Sequence[Played]) -> LookedBack:
        """What is known by now; what is not is begun.  ``games``: the newest first."""
        wanted = [one for one in games if one.key not in self.never][:REVIEWED]
        kept = {one.key: self._kept(one.key) for one in wanted}
        left = [one.key for one in wanted if kept[one.key] is None]
        if left and person not in self.tasks:
            task = asyncio.get_running_loop().create_task(self._go_through(person, left))
            self.tasks[person] = task
            task.add_done_callback(lambda _: self.tasks.pop(person))
        done = [(one, found) for one in reversed(wanted) if (found := kept[one.key])]
        made = [
            Made(one.game, one.key, slip)
            for one, found in done
            for slip in found.slips
            if slip.seat == one.seat
        ]
        return LookedBack(
            [one for one, _ in done],
            len(left),
            [float(found.luck[one.seat]) for one, found in done],
            [float(found.decisions[one.seat]) for one, found in done],
            habits(made)[:TOLD],
        )

    def _kept(self, key: str) -> Review | None:
        back = self.coach.reviews.get(key)
        return back.found if back else None

    async def _go_through(self, person: str, keys: list[str]) -> None:
        for key in keys:
            async with self.turn:
                try:
                    table = await self.fetched(key)
                    back = self.coach.look_back(table, person, later=True)
                except Unread:
                    return
                except HttpRefusal as refusal:
                    if refusal.status == 503:  # the coach has no time now; the page asks again
                        return
                    self.never.add(key)
                    continue
                if back.task:
                    await asyncio.wait([back.task])
                if back.found is None:
                    self.never.add(key)
