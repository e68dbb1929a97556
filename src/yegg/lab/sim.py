"""Simulations: many games on all cores, the same for a seed on any number of threads."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Game, Ints, Refused, States, kernels
from yegg.engine.dice import seeds
from yegg.engine.engine import Engine
from yegg.engine.figures import Results
from yegg.engine.record import SIDES
from yegg.engine.verbs import Dice

from .thought import Thinkers

MAX_EVENTS = 20_000  # no game of sensible players has nearly as many


@dataclass(frozen=True)
class Setting:
    """What is simulated: a game, its options, and who plays."""

    game: Game
    players: int
    options: Mapping[str, str]
    lineup: Sequence[str]
    """A player's name for each seat of the first game; in each next game they move on a seat."""
    seed: int
    max_events: int = MAX_EVENTS


@dataclass
class Batch:
    """How some games went, one row for each.  Sides are those that have a place in the end."""

    seating: NDArray[np.int64]
    """(games, players): the index in the line-up of the player who sat there."""
    lengths: Ints
    """(games,): how many events each had."""
    over: NDArray[np.bool_]
    """(games,): whether it ended, and did not reach the limit of events."""
    scores: Ints
    """(games, sides): the game's headline number."""
    standings: NDArray[np.int64]
    """(games, sides): more is better, equal is a tie."""
    counts: Ints
    """(games, counters): what the game's tally counted."""
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

    @property
    def results(self) -> Results:
        """The games that ended."""
        done = self.over
        return Results(self.shares[done], self.scores[done], self.lengths[done])


def seated(setting: Setting, first: int, games: int) -> NDArray[np.int64]:
    """Where the line-up sits in the games from ``first`` on: (games, players)."""
    seats = np.arange(setting.players)
    return (seats + np.arange(first, first + games)[:, None]) % setting.players


def run(setting: Setting, first: int, games: int, *, log: bool = False) -> Batch:
    """Play the games ``first``, ``first`` + 1 … to their end or to the limit of events."""
    dice = seeds(setting.seed, first, games, 1 + setting.players)
    return play(setting, seated(setting, first, games), dice, log=log)


def play(setting: Setting, seating: NDArray[np.int64], dice: Dice, *, log: bool = False) -> Batch:
    """Play a game for each row of ``seating``, which says who of the line-up sits where.

    ``dice`` (games, 1 + players, 1) are the generators of chance and of each seat.
    """
    game, games = setting.game, len(seating)
    states = game.blank(setting.players, setting.options, games)
    out = np.zeros(game.choices, np.int32)
    game.engine().kernel(kernels.begin)(states, out)
    events = np.zeros(games, np.int32)
    counts = np.zeros((games, counters(game)), np.int32)
    logged = np.zeros((games, setting.max_events if log else 0), np.int32)
    teams = sorted(set(setting.lineup))
    thinkers = Thinkers(game, setting.lineup, seating, dice)
    going = games
    while going:
        for team in teams:
            bot, mine = team, np.array([name == team for name in setting.lineup])[seating]
            mine = mine.astype(np.int32)
            if bots.thinks(bot):
                thinkers.act(states, events, setting.max_events, logged, counts)
                bot, mine = "uniform", np.zeros_like(mine)  # chance goes on
            views = np.zeros(1 + bots.room(bot), game.state.dtype)
            compete = bots.engine(game, bot).kernel(kernels.compete)
            going = compete(
                states, views, dice, mine, events, setting.max_events, logged, counts, out
            )
            if not going:
                break
    over, scores, standings = _concluded(game, states, counts)
    return Batch(
        seating, events, over, scores, standings, counts, thinkers.failed, thinkers.why, logged
    )


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
    if not dry:
        run(setting, 0, 1)
        return False
    return (
        setting.game.engine().cold(kernels.begin)
        or closing(setting.game).cold(kernels.conclude)
        or any(
            bots.engine(setting.game, bot).cold(kernels.compete)
            for bot in setting.lineup
            if not bots.thinks(bot)
        )
    )


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
    threads = threads or os.cpu_count() or 1
    warm(setting)  # not part of the time
    fast = set(setting.lineup) == {"uniform"} and not batches
    most = 1000 if fast else 1 if any(map(bots.thinks, setting.lineup)) else 50
    size = max(1, min(most, -(-games // (threads * 4))))
    starts = range(0, games, size)
    done: list[Batch] = []
    begun = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        work = pool.map(
            lambda first: run(setting, first, min(size, games - first), log=batches is not None),
            starts,
        )
        for first, batch in zip(starts, work, strict=True):
            if batches:
                batches(first, batch)
                batch.log = batch.log[:, :0]
            done.append(batch)
            if progress:
                progress(first + len(batch.lengths))
    return _joined(done), time.perf_counter() - begun


def _joined(parts: Sequence[Batch]) -> Batch:
    def all_of(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(part, name) for part in parts])

    why = {name: said for part in reversed(parts) for name, said in part.why.items()}
    arrays = {name: all_of(name) for name in Batch.__dataclass_fields__ if name != "why"}
    return Batch(**arrays, why=why)


def logs(batch: Batch) -> Iterator[list[int]]:
    """The choices of each game of a batch."""
    for choices, length in zip(batch.log, batch.lengths, strict=True):
        yield choices[:length].tolist()
