"""Simulations: many games on all cores, the same for a seed on any number of threads.

`run` is the one way to play many games: `simulate`, the arena and the blocks of experiments call
it.  So the same seed gives the same deals in all of them.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, cast

import numpy as np

from yegg import players as bots
from yegg.engine import Game, Ints, Match, Refused, kernels
from yegg.engine.contest import compete
from yegg.engine.engine import Engine
from yegg.engine.record import SIDES

from .batch import Batch, Games, Matchup, Team
from .compiling import beside
from .executors.ordered import in_order
from .policies.habits import bindings
from .simulation_sums import Sums
from .stateful_players import Thinkers, Watch

if TYPE_CHECKING:
    from types import FunctionType

R = TypeVar("R")

AT_ONCE = 50  # games in a piece of work
SOON = 0.25  # seconds of a piece that might as well have been larger
FEW_EVENTS = 8  # after the first decision, in which a player who thinks is compiled


def run(
    setting: Matchup, first: int, games: int, *, log: bool = False, watch: Watch | None = None
) -> Batch:
    """Play the games ``first``, ``first`` + 1 … to their end or to the limit of events.

    The first ones are those of the first deal, one for each of the ``seatings``; then come those of
    the next.  ``watch`` is told how long players took.
    """
    seating, dice = setting.seated(first, games), setting.dice(first, games)
    logged = log or any(map(bots.from_outside, setting.lineup))  # where one fails is told
    batch = finish(Games.dealt(setting, seating, dice, log=logged, first=first), watch=watch)
    if not log:
        batch.log = np.zeros((games, 0), np.int32)
    return batch


def finish(games: Games, barred: Ints | None = None, watch: Watch | None = None) -> Batch:
    """Play games to their end, or to the limit of events.

    ``barred`` (games,): a choice that is not made at the next decision; -1: none.
    """
    game, setting = games.setting.game, games.setting
    out = np.zeros(game.choices, np.int32)
    habits = bindings(game, setting.habits, games.seating, barred)
    thinkers = Thinkers(games, watch)
    every = setting.teams
    going = len(games.seating)
    while going:
        for team in dict.fromkeys(every):
            by, mine = team, np.array([other == team for other in every])[games.seating]
            mine = mine.astype(np.int32)
            if bots.thinks(team.name):
                thinkers.act()
                by, mine = Team("uniform", None), np.zeros_like(mine)  # chance goes on
            views = np.zeros(1 + bots.room(by.name), game.state.dtype)
            kernel = by.engine(game).kernel(compete)
            begun = time.perf_counter()
            going = kernel(
                games.states,
                views,
                games.dice,
                mine,
                games.events,
                setting.max_events,
                games.log,
                games.counts,
                games.course,
                habits,
                out,
            ) - len(thinkers.gave_up)
            if watch:
                watch.spent[team.name] += time.perf_counter() - begun
            if not going:
                break
    return _finished(games, thinkers)


def _finished(games: Games, thinkers: Thinkers) -> Batch:
    game, many = games.setting.game, len(games.states)
    scores, standings = np.zeros((many, SIDES), np.int32), np.zeros((many, SIDES), np.int64)
    over = np.zeros(many, np.int32)
    conclude = closing(game).kernel(kernels.conclude)
    sides = conclude(games.states, scores, standings, over, games.counts)
    none = np.zeros((many, 0), np.int32)
    course = games.course if games.setting.course or games.setting.lots else None
    return Batch(
        games.seating,
        games.events,
        over.astype(bool),
        scores[:, :sides],
        standings[:, :sides],
        games.counts,
        course.acted[:, 1::2] if course else none,
        course.acted[:, ::2] if course else none,
        course.turns[:, 0] if course else none,
        thinkers.failed,
        games.log,
        thinkers.failures,
    )


def closing(game: Game) -> Engine:
    """The kernels over a game's rules and tally."""
    return game.engine("tally")


def cold(setting: Matchup) -> bool:
    """Whether something must still be compiled; of a player who thinks this is not known."""
    game = setting.game
    first = game.engine().cold(kernels.begin) or closing(game).cold(kernels.conclude)
    return first or not all(mark.exists() for mark in _marks(setting))


def warm(setting: Matchup) -> None:
    """Compile what must be compiled."""
    at_once = ["uniform" if bots.thinks(name) else name for name in setting.lineup]
    marks = _marks(setting)
    ready = all(mark.exists() for mark in marks)
    with nullcontext() if ready else beside(setting.game, dict.fromkeys(at_once)):
        run(replace(setting, lineup=at_once), 0, 1)
    for mark in marks:
        bots.leave(mark)
    for name in set(setting.lineup):
        if bots.thinks(name) and not bots.from_outside(name):
            _warm_mind(setting, name)


def _marks(setting: Matchup) -> list[Path]:
    """The files that are there once the players without a memory have played, compiled."""
    kind = "bound" if any(setting.habits) else "plain"
    makers = [team.engine(setting.game) for team in setting.teams if not bots.thinks(team.name)]
    folders = [made.compiler.folder(cast("FunctionType", compete)) for made in makers]
    return [folder / f"counted-{kind}.ready" for folder in folders]


def _warm_mind(setting: Matchup, name: str) -> None:
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


class Played(NamedTuple):
    """A piece of a simulation."""

    games: range
    sums: Sums
    batch: Batch | None
    """How each of these games went, if that was asked for."""


class Player(Protocol):
    """The protocol of what plays the games of a setting: the processor, a card, a cluster."""

    def play(self, games: int, *, rows: bool) -> Iterator[Played]:
        """Play so many games, and give them piece by piece in their order.

        ``rows``: whether each game is asked for.
        """


class Processor:
    """Plays the games of a setting on this machine's processor."""

    def __init__(self, setting: Matchup, threads: int | None = None, *, log: bool = False) -> None:
        """Compile, so that it is no part of the time.

        ``threads`` is by default one for each core.  ``log``: whether choices are kept.
        """
        warm(setting)
        self.setting, self.log = setting, log
        self.threads = threads or os.cpu_count() or 1

    def play(self, games: int, *, rows: bool = False, first: int = 0) -> Iterator[Played]:
        """Play so many games from ``first`` on."""
        quick = set(self.setting.lineup) == {"uniform"} and not self.log
        most = max(1, min(1000 if quick else AT_ONCE, -(-games // (4 * self.threads))))
        run_piece = partial(run, self.setting, log=self.log)
        work = partial(played, self.setting, run_piece, rows=rows)
        every = [range(first, first + games)]
        return in_pieces(self.setting, work, every, self.threads, most=most)


def played(
    setting: Matchup, run: Callable[[int, int], Batch], games: range, *, rows: bool
) -> Played:
    """A piece that ``run`` plays; it is called with the number of the first game and how many."""
    batch = run(games.start, len(games))
    return Played(games, Sums.of(setting, games.start, batch), batch if rows else None)


def simulate(
    setting: Matchup,
    games: int,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    batches: Callable[[int, Batch], None] | None = None,
    by: Player | None = None,
) -> tuple[Sums, float]:
    """Play many games; return how they went, and how many seconds it took.

    ``progress`` is called with the number of games done.  ``batches`` is called with every batch
    in order, and with the number of its first game; nothing else keeps what is of a single game.
    ``by`` plays them: by default the processor, on so many ``threads``.  Raises Interrupted on
    Ctrl-C, if any game had been played.
    """
    by = by or Processor(setting, threads)
    sums: Sums | None = None
    begun = time.perf_counter()
    try:
        for piece in by.play(games, rows=batches is not None):
            if batches and piece.batch:
                batches(piece.games.start, piece.batch)
            sums = sums + piece.sums if sums else piece.sums  # at once, whenever it stops
            if progress:
                progress(piece.games.stop)
    except KeyboardInterrupt:
        if not sums:
            raise
        raise Interrupted(sums, time.perf_counter() - begun) from None
    if not sums:
        raise ValueError("a simulation has at least one game")
    return sums, time.perf_counter() - begun


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while games are simulated: how those went that had been played, the first ones."""

    def __init__(self, sums: Sums, seconds: float) -> None:
        """Their sums, and how many seconds it took."""
        super().__init__()
        self.played = sums, seconds


def in_pieces(
    setting: Matchup,
    work: Callable[[range], R],
    stretches: Iterable[range],
    threads: int | None = None,
    *,
    most: int = AT_ONCE,
    each: int = 1,
) -> Iterator[R]:
    """Cut stretches of numbers into pieces, and do the work for each on some threads, in order.

    A number stands for ``each`` games of a setting: for one, or for those of a deal.  A piece has
    ``most`` games at most; if one is soon done, later ones are larger.  The first have one game
    where players have a memory, for they may think.
    """
    size = 1 if any(map(bots.thinks, setting.lineup)) else most

    def paced(piece: range) -> R:
        nonlocal size
        begun = time.perf_counter()
        done = work(piece)
        if len(piece) * each >= size and time.perf_counter() - begun < SOON:
            size = min(2 * size, most)
        return done

    def pieces() -> Iterator[range]:
        for stretch in stretches:
            left = stretch
            while left:
                many = max(1, size // each)
                yield left[:many]
                left = left[many:]

    return (done for _, done in in_order(paced, pieces(), threads))
