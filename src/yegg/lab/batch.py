"""Batches of games as rows of arrays: the setting to simulate, running games, and results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Game, Ints, States, kernels
from yegg.engine.contest import Tracks
from yegg.engine.dice import seeds
from yegg.engine.engine import Engine
from yegg.engine.renamed import by_old_names
from yegg.engine.verbs import Dice
from yegg.players.outside import SECONDS
from yegg.stats.intervals import Results, whole_win

from .cells import seatings
from .failures import Failure
from .packed_counters import Counters, small
from .policies.habits import Habit

PACKED = 10_000  # games that are put together to take less room
MAX_EVENTS = 20_000  # no game of sensible players has nearly as many


class Team(NamedTuple):
    """Players that choose by the same code: the same player, and the same plan of one's own."""

    name: str
    plan: ModuleType | None

    def engine(self, game: Game) -> Engine:
        """The engine over this player's code."""
        return bots.engine(game, self.name, parts=(self.plan,) if self.plan else ())


@dataclass(frozen=True)
class Matchup:
    """The setting of a simulation: a game, its options, and who plays."""

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
    seconds: float = SECONDS
    """How long a player from outside may think about a decision; infinite: as long as it likes."""
    debug: bool = False
    """Whether the first failure of a player ends everything, as `Failed`."""

    @property
    def bound(self) -> list[tuple[str, Habit | None]]:
        """The players of the line-up with their habits."""
        return list(zip(self.lineup, self.habits or [None] * len(self.lineup), strict=True))

    @property
    def teams(self) -> list[Team]:
        """Groups of the line-up that choose by the same code, in its order."""
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
    """Results of some games, one row for each.  Sides are those that have a place in the end."""

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
    log: Ints
    """The choices: (games, max_events), or (games, 0) if they were not asked for."""
    failures: dict[str, Failure] = field(default_factory=dict)
    """By player: where it failed the first time."""

    @property
    def won(self) -> NDArray[np.int64]:
        """(games, sides): what each side won, in parts of `whole_win`; ties share it."""
        top = self.standings == self.standings.max(axis=1, keepdims=True)
        won: NDArray[np.int64] = top * (whole_win(top.shape[1]) // top.sum(axis=1, keepdims=True))
        return won

    @property
    def shares(self) -> NDArray[np.float64]:
        """(games, sides): each side's share of the win."""
        shares: NDArray[np.float64] = self.won / whole_win(self.standings.shape[1])
        return shares

    @cached_property
    def results(self) -> Results:
        """The games that ended."""
        done = slice(None) if self.over.all() else self.over  # no copies without need
        return Results(self.won[done], self.scores[done], self.lengths[done])


def won_on(seats: NDArray[np.bool_], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(games,): what some seats, (games, players), win together of ``shares`` (games, sides)."""
    won: NDArray[np.float64] = np.where(seats, shares[:, : seats.shape[1]], 0).sum(axis=1)
    return won


@dataclass
class Games:
    """Games that are going on, a row for each."""

    setting: Matchup
    seating: NDArray[np.int64]
    states: States
    dice: Dice
    events: Ints
    counts: Ints
    course: Tracks
    log: Ints
    first: int = 0
    """The number of the first one."""

    @classmethod
    def dealt(
        cls,
        setting: Matchup,
        seating: NDArray[np.int64],
        dice: Dice,
        *,
        log: bool = False,
        first: int = 0,
    ) -> Self:
        """New games, whose numbers begin with ``first``.  ``dice`` are used up."""
        game = setting.game
        states = game.blank(setting.players, setting.options, len(seating))
        game.engine().kernel(kernels.begin)(states, np.zeros(game.choices, np.int32))
        return cls.at(states, setting, seating, dice, log=log, first=first)

    @classmethod
    def at(
        cls,
        states: States,
        setting: Matchup,
        seating: NDArray[np.int64],
        dice: Dice,
        *,
        log: bool = False,
        first: int = 0,
    ) -> Self:
        """Games that go on from some states; what is counted begins with 0."""
        many = len(states)
        events = np.zeros(many, np.int32)
        counts = np.zeros((many, counters(setting.game)), np.int32)
        logged = np.zeros((many, setting.max_events if log else 0), np.int32)
        course = counting(setting, many)
        return cls(setting, seating, states, dice, events, counts, course, logged, first)


def counting(setting: Matchup, many: int) -> Tracks:
    """Zeroed counters and lots for so many new games."""
    game, players = setting.game, setting.players
    acted, turns = np.zeros((many, 2 * players), np.int32), np.zeros((many, 2), np.int32)
    if not setting.lots:
        return Tracks(acted, turns, np.zeros((many, 0, 0), np.int32))
    lots = np.zeros((many, game.choices, 2 + players), np.int32)
    lots[:, list(getattr(game.part("odds"), "DEALT", ())), 0] = 1
    return Tracks(acted, turns, lots)


def counters(game: Game) -> int:
    """How many counters the game's tally has."""
    tally = game.part("tally")
    return int(tally.COUNTS) if tally else 0


class Rows:
    """Batches that come in order, put together so that little memory holds very many games."""

    def __init__(self) -> None:
        """None has come yet."""
        self._done: list[Batch] = []
        self._waiting: list[Batch] = []

    def add(self, _first: int, batch: Batch) -> None:
        """Put a batch behind the others."""
        self._waiting.append(batch)
        if sum(len(one.lengths) for one in self._waiting) >= PACKED:
            self._done.append(packed(self._waiting))
            self._waiting = []

    def together(self) -> Batch:
        """All games that have come."""
        return joined([*self._done, *([packed(self._waiting)] if self._waiting else [])])


def packed(parts: Sequence[Batch]) -> Batch:
    """Batches as one, in as few bytes as their numbers need: 180 counters a game add up."""
    batch = joined(parts)
    batch.counts = Counters.of(np.asarray(batch.counts))
    beaten = batch.standings[:, :, None] > batch.standings[:, None, :]
    batch.standings = beaten.sum(axis=2)  # of as many sides each is ahead: more is still better
    for name in ("seating", "standings", "decisions", "forced", "failed"):
        setattr(batch, name, small(getattr(batch, name)))
    return batch


def joined(parts: Sequence[Batch]) -> Batch:
    """Batches as one."""

    def all_of(name: str) -> Any:
        every = [getattr(part, name) for part in parts]
        if isinstance(every[0], Counters):
            return Counters.joined(every)
        return np.concatenate(every)

    failures = {name: one for part in reversed(parts) for name, one in part.failures.items()}
    arrays = {name: all_of(name) for name in Batch.__dataclass_fields__ if name != "failures"}
    return Batch(**arrays, failures=failures)


def called(setting: Matchup, seating: NDArray[np.int64]) -> list[str]:
    """What the players of one game are called in its record, by seat: ``greedy 1``."""
    return [f"{setting.lineup[who]} {seat + 1}" for seat, who in enumerate(seating.tolist())]


def logs(batch: Batch) -> Iterator[list[int]]:
    """The choices of each game of a batch."""
    for choices, length in zip(batch.log, batch.lengths, strict=True):
        yield choices[:length].tolist()


__getattr__ = by_old_names(__name__, {"Setting": "Matchup"})
