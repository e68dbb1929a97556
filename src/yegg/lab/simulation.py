"""Simulations: many games on all cores, the same for a seed on any number of threads.

`run` is the one way to play many games: `simulate`, the arena and the blocks of experiments call
it.  So the same seed gives the same deals in all of them.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Game, Ints, Match, Refused, States, kernels
from yegg.engine.contest import Course, compete
from yegg.engine.dice import seeds
from yegg.engine.engine import Engine
from yegg.engine.record import SIDES
from yegg.engine.verbs import Dice
from yegg.stats.intervals import Results

from .executors.ordered import in_order
from .packed_counters import Counters, small
from .policies.habits import Habit, bindings
from .seating import seatings
from .stateful_players import Thinkers, Watch

PACKED = 10_000  # games that are put together to take less room
MAX_EVENTS = 20_000  # no game of sensible players has nearly as many
FEW_EVENTS = 8  # after the first decision, in which a player who thinks is compiled


class Team(NamedTuple):
    """Players that choose by the same code: the same player, and the same plan of one's own."""

    name: str
    plan: ModuleType | None

    def engine(self, game: Game) -> Engine:
        """The kernels over this player's code."""
        return bots.engine(game, self.name, parts=(self.plan,) if self.plan else ())


@dataclass(frozen=True)
class Setting:
    """What is simulated: a game, its options, and who plays."""

    game: Game
    players: int
    options: Mapping[str, str]
    lineup: Sequence[str]
    """The players' names."""
    seed: int
    max_events: int = MAX_EVENTS
    habits: Sequence[Habit | None] = ()
    """Of the line-up, in its order, if anybody has one: what the player is bound to."""
    arranged: Sequence[tuple[int, ...]] = ()
    """By seat, who of the line-up sits there, in each game of a deal.

    If it is not given, the line-up has one for each seat, and sits in all ways that differ.
    """
    course: bool = False
    """Whether the decisions and turns of each game are kept: they are always counted, so that
    nothing is compiled twice."""
    lots: bool = False
    """Whether chance draws by lots, so that other rules or choices share its luck (kept too)."""
    forfeit: bool = False
    """Whether a player that fails to choose ends the game, and is not chosen for by lot."""

    @property
    def bound(self) -> list[tuple[str, Habit | None]]:
        """The players of the line-up with their habits."""
        return list(zip(self.lineup, self.habits or [None] * len(self.lineup), strict=True))

    @property
    def teams(self) -> list[Team]:
        """Who of the line-up chooses by the same code, in its order."""
        return [Team(name, habit.plan if habit else None) for name, habit in self.bound]

    @cached_property
    def seatings(self) -> NDArray[np.int64]:
        """(games of a deal, players): who of the line-up sits where."""
        return np.array(self.arranged or seatings(self.bound), np.int64)

    def seated(self, first: int, games: int) -> NDArray[np.int64]:
        """The same in the games from ``first`` on: (games, players)."""
        return self.seatings[np.arange(first, first + games) % len(self.seatings)]

    def dice(self, first: int, games: int) -> Dice:
        """Their generators of chance and of each seat; those of a deal are equal."""
        each = len(self.seatings)
        begin = first // each
        deals = np.arange(first, first + games) // each - begin
        return seeds(self.seed, begin, int(deals[-1]) + 1, 1 + self.players)[deals]


@dataclass
class Batch:
    """How some games went, one row for each.  Sides are those that have a place in the end."""

    seating: NDArray[np.int64]
    """(games, players): the place in the line-up of the player who sat there."""
    lengths: Ints
    """(games,): how many events each had."""
    over: NDArray[np.bool_]
    """(games,): whether it ended, and did not reach the limit of events."""
    scores: Ints
    """(games, sides): the game's headline number."""
    standings: NDArray[np.int64]
    """(games, sides): more is better, equal is a tie."""
    counts: Ints | Counters
    """(games, counters): what the game's tally counted."""
    decisions: Ints
    """(games, players): choices made among several; (games, 0) if they were not counted."""
    forced: Ints
    """(games, players) or (games, 0): choices made because nothing else was possible."""
    turns: NDArray[np.int32]
    """(games,) or (games, 0): how often a seat took over from another."""
    failed: Ints
    """(games, players): decisions that a player failed to make, and that were drawn by lot."""
    why: dict[str, str]
    """By player: why it failed the first time."""
    log: Ints
    """The choices: (games, max_events), or (games, 0) if they were not asked for."""

    @property
    def shares(self) -> NDArray[np.float64]:
        """(games, sides): each side's share of the win; ties share it."""
        top = self.standings == self.standings.max(axis=1, keepdims=True)
        shares: NDArray[np.float64] = top / top.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def results(self) -> Results:
        """The games that ended."""
        done = slice(None) if self.over.all() else self.over  # no copies without need
        return Results(self.shares[done], self.scores[done], self.lengths[done])


def run(
    setting: Setting, first: int, games: int, *, log: bool = False, watch: Watch | None = None
) -> Batch:
    """Play the games ``first``, ``first`` + 1 … to their end or to the limit of events.

    The first ones are those of the first deal, one for each of the ``seatings``; then come those of
    the next.  ``watch`` is told how long players took.
    """
    seating, dice = setting.seated(first, games), setting.dice(first, games)
    return Games.dealt(setting, seating, dice, log=log).finish(watch=watch)


@dataclass
class Games:
    """Games that are going on, a row for each."""

    setting: Setting
    seating: NDArray[np.int64]
    states: States
    dice: Dice
    events: Ints
    counts: Ints
    course: Course
    log: Ints

    @classmethod
    def dealt(
        cls, setting: Setting, seating: NDArray[np.int64], dice: Dice, *, log: bool = False
    ) -> Self:
        """New games.  ``dice`` are used up."""
        game, many = setting.game, len(seating)
        states = game.blank(setting.players, setting.options, many)
        game.engine().kernel(kernels.begin)(states, np.zeros(game.choices, np.int32))
        return cls(
            setting,
            seating,
            states,
            dice,
            np.zeros(many, np.int32),
            np.zeros((many, counters(game)), np.int32),
            counting(setting, many),
            np.zeros((many, setting.max_events if log else 0), np.int32),
        )

    def finish(self, barred: Ints | None = None, watch: Watch | None = None) -> Batch:
        """Play all of them to their end, or to the limit of events.

        ``barred`` (games,): a choice that is not made at the next decision; -1: none.
        """
        game, setting = self.setting.game, self.setting
        out = np.zeros(game.choices, np.int32)
        habits = bindings(game, setting.habits, self.seating, barred)
        thinkers = Thinkers(self, watch)
        every = setting.teams
        going = len(self.seating)
        while going:
            for team in dict.fromkeys(every):
                by, mine = team, np.array([other == team for other in every])[self.seating]
                mine = mine.astype(np.int32)
                if bots.thinks(team.name):
                    thinkers.act()
                    by, mine = Team("uniform", None), np.zeros_like(mine)  # chance goes on
                views = np.zeros(1 + bots.room(by.name), game.state.dtype)
                kernel = by.engine(game).kernel(compete)
                begun = time.perf_counter()
                going = kernel(
                    self.states,
                    views,
                    self.dice,
                    mine,
                    self.events,
                    setting.max_events,
                    self.log,
                    self.counts,
                    self.course,
                    habits,
                    out,
                ) - len(thinkers.gave_up)
                if watch:
                    watch.spent[team.name] += time.perf_counter() - begun
                if not going:
                    break
        return self._batch(thinkers)

    def _batch(self, thinkers: Thinkers) -> Batch:
        over, scores, standings = _concluded(self.setting.game, self.states, self.counts)
        none = np.zeros((len(over), 0), np.int32)
        course = self.course if self.setting.course or self.setting.lots else None
        return Batch(
            self.seating,
            self.events,
            over,
            scores,
            standings,
            self.counts,
            course.acted[:, 1::2] if course else none,
            course.acted[:, ::2] if course else none,
            course.turns[:, 0] if course else none,
            thinkers.failed,
            thinkers.why,
            self.log,
        )


def counting(setting: Setting, many: int) -> Course:
    """What is counted of so many new games, and their lots."""
    game, players = setting.game, setting.players
    acted, turns = np.zeros((many, 2 * players), np.int32), np.zeros((many, 2), np.int32)
    if not setting.lots:
        return Course(acted, turns, np.zeros((many, 0, 0), np.int32))
    lots = np.zeros((many, game.choices, 2 + players), np.int32)
    lots[:, list(getattr(game.part("odds"), "DEALT", ())), 0] = 1
    return Course(acted, turns, lots)


def _concluded(
    game: Game, states: States, counts: Ints
) -> tuple[NDArray[np.bool_], Ints, NDArray[np.int64]]:
    """Whether each game is over, its scores and its standings by side."""
    games = len(states)
    scores, standings = np.zeros((games, SIDES), np.int32), np.zeros((games, SIDES), np.int64)
    over = np.zeros(games, np.int32)
    sides = closing(game).kernel(kernels.conclude)(states, scores, standings, over, counts)
    return over.astype(bool), scores[:, :sides], standings[:, :sides]


def closing(game: Game) -> Engine:
    """The kernels over a game's rules and tally."""
    return game.engine("tally")


def counters(game: Game) -> int:
    """How many counters the game's tally has."""
    tally = game.part("tally")
    return int(tally.COUNTS) if tally else 0


def warm(setting: Setting, *, dry: bool = False) -> bool:
    """Compile what must be compiled; if ``dry``, only return whether there is anything."""
    marks = [_mark(setting, team) for team in setting.teams if not bots.thinks(team.name)]
    if not dry:
        at_once = ["uniform" if bots.thinks(name) else name for name in setting.lineup]
        run(replace(setting, lineup=at_once), 0, 1)
        for mark in marks:
            bots.leave(mark)
        for name in set(setting.lineup):
            if bots.thinks(name) and not bots.from_outside(name):
                _warm_mind(setting, name)
        return False
    game = setting.game
    cold = game.engine().cold(kernels.begin) or closing(game).cold(kernels.conclude)
    return cold or not all(mark.exists() for mark in marks)


def _mark(setting: Setting, team: Team) -> Path:
    """The file that is there once this player has played such games, compiled."""
    kind = "bound" if any(setting.habits) else "plain"
    forge = team.engine(setting.game).forge
    return forge.folder(cast("FunctionType", compete)) / f"counted-{kind}.ready"


def _warm_mind(setting: Setting, name: str) -> None:
    """Compile a player who thinks, by some decisions."""
    opening = Match(setting.game, setting.players, setting.options, how="plain").to_decision()
    few = len(opening.history) + FEW_EVENTS
    lineup = [name] * setting.players
    run(replace(setting, lineup=lineup, habits=(), arranged=(), max_events=few), 0, 1)


def line_up(
    game: Game, players: int, options: Mapping[str, str], names: Sequence[str]
) -> list[str]:
    """A player's name for each seat; one name stands for all seats.  Raises Refused."""
    game.setup(players, options)
    for name in names:
        bots.find(name)
    if len(names) == 1:
        return list(names) * players
    if len(names) != players:
        raise Refused(f"{players} players need {players} bots or one for all, not {len(names)}")
    return list(names)


def simulate(
    setting: Setting,
    games: int,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    batches: Callable[[int, Batch], None] | None = None,
) -> tuple[Batch, float]:
    """Play many games; return how they went, and how many seconds it took.

    ``progress`` is called with the number of games done.  ``batches`` is called with every batch
    in order, its choices logged, and with the number of its first game.
    """
    warm(setting)  # not part of the time
    size = 1000 if set(setting.lineup) == {"uniform"} and not batches else at_once(setting)
    size = max(1, min(size, -(-games // (4 * (threads or os.cpu_count() or 1)))))

    def work(first: int) -> Batch:
        return run(setting, first, min(size, games - first), log=batches is not None)

    done, waiting = [], []
    begun = time.perf_counter()
    for first, batch in in_order(work, range(0, games, size), threads):
        if batches:
            batches(first, batch)
            batch.log = batch.log[:, :0]
        waiting.append(batch)
        if (first + len(batch.lengths)) // PACKED > first // PACKED:
            done.append(_packed(waiting))
            waiting = []
        if progress:
            progress(first + len(batch.lengths))
    spent = time.perf_counter() - begun
    return _joined([*done, *([_packed(waiting)] if waiting else [])]), spent


def at_once(setting: Setting) -> int:
    """How many games are played in one piece of work."""
    return 1 if any(map(bots.thinks, setting.lineup)) else 50


def _packed(parts: Sequence[Batch]) -> Batch:
    """Batches as one, in as few bytes as their numbers need: 180 counters a game add up."""
    batch = _joined(parts)
    batch.counts = Counters.of(np.asarray(batch.counts))
    beaten = batch.standings[:, :, None] > batch.standings[:, None, :]
    batch.standings = beaten.sum(axis=2)  # of as many sides each is ahead: more is still better
    for name in ("seating", "standings", "decisions", "forced", "failed"):
        setattr(batch, name, small(getattr(batch, name)))
    return batch


def _joined(parts: Sequence[Batch]) -> Batch:
    """Batches as one."""

    def all_of(name: str) -> Any:
        every = [getattr(part, name) for part in parts]
        if isinstance(every[0], Counters):
            return Counters.joined(every)
        return np.concatenate(every)

    why = {name: said for part in reversed(parts) for name, said in part.why.items()}
    arrays = {name: all_of(name) for name in Batch.__dataclass_fields__ if name != "why"}
    return Batch(**arrays, why=why)


def logs(batch: Batch) -> Iterator[list[int]]:
    """The choices of each game of a batch."""
    for choices, length in zip(batch.log, batch.lengths, strict=True):
        yield choices[:length].tolist()
