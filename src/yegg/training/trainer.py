"""The trainer of a value net: its steps, and a state that is kept and resumed."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Refused, States, kernels
from yegg.engine.compiler import How
from yegg.engine.dice import fraction, seeds
from yegg.engine.engine import Engine
from yegg.engine.record import SIDES
from yegg.engine.verbs import Dice
from yegg.engine.whole import whole
from yegg.players.value_net.value_function import (
    Net,
    drawn,
    fingerprint,
    named,
    senses,
    shaped,
    size,
)
from yegg.players.weights import read, write
from yegg.stats.intervals import Figure, share

from .kernels import adam, desk, duel, gradient

POSITIONS = 1500  # of a game that are learned from; the first ones
STARTS = 512  # players and options that games begin with


Gradient = tuple[NDArray[np.float32], NDArray[np.float64]]
"""What some games say: the sums of their gradients, and their squared errors with their number."""
Executor = Callable[["Training"], Sequence[Gradient]]
"""Who plays the games of a step: gives what each worker's games say, in the workers' order."""


@dataclass(frozen=True)
class Course:
    """The parameters of a training; all of them go into the weights' file."""

    games: int
    """How many games are played, in all."""
    units: int = 32
    seed: int = 1
    players: int | None = None
    """None: every number of players; all options are drawn in any case."""
    published: float = 0.75
    """The share of games as published; of the others, half have only the players drawn."""
    guests: float = 0.34
    """The share of seats that `greedy` plays."""
    batch: int = 8
    """Games between two steps."""
    workers: int = 1
    """Who share the games of a step; each has dice of its own, so the weights depend on it."""
    fast: float = 0.003
    """Adam's rate in the beginning …"""
    slow: float = 0.0001
    """… and in the end."""
    decay: float = 0.9
    """Lambda: how much of what came is learned one position earlier."""
    explore: float = 0.02
    """The share of choices made evenly."""

    @property
    def steps(self) -> int:
        """How often the weights are changed."""
        return -(-self.games // self.batch)

    def part(self, worker: int) -> int:
        """How many games of a step a worker plays."""
        return self.batch // self.workers + (worker < self.batch % self.workers)


class Training:
    """A training: the net as far as it has learned, and the optimizer's state.

    Every step has dice of its own, so it makes no difference where a training was interrupted.
    """

    def __init__(self, game: Game, course: Course, how: How = "compiled") -> None:
        """Begin.  Raises Refused where the game is not for so many players."""
        if course.workers > course.batch:
            raise Refused(
                f"{course.workers} workers cannot share {course.batch} games a step; "
                "give more games a step (--batch)"
            )
        self.game, self.course, self.how = game, course, how
        lore = game.part("lore")
        parts = [game.rules, senses(game), *([lore] if lore else [])]
        self.engine = Engine(*parts, how=how)
        width = int(senses(game).SENSES)
        n = size(width, course.units)
        self.flat, self.sums, self.m, self.v = (np.zeros(n, np.float32) for _ in range(4))
        self.net, self.grad = (shaped(a, width, course.units) for a in (self.flat, self.sums))
        self.step = 0
        self.shares: list[list[float]] = []
        """How it did against lore: games learned from, share of wins, and its interval."""
        self.starts = self.laid_out()
        self.on = desk(
            game.state.dtype,
            game.choices,
            (POSITIONS, SIDES, width),
            course.units,
            explore=course.explore,
            decay=course.decay,
            guests=course.guests,
        )
        _scatter(self.net, seeds(course.seed, 0, 1, 1)[0, 0])

    def cold(self) -> bool:
        """Whether anything has yet to be compiled."""
        return self.engine.cold(gradient, adam, duel)

    def warm(self) -> None:
        """Compile, or load what is compiled; nothing is learned."""
        dice, empty = np.zeros(1, np.uint64), np.zeros(0, np.float32)
        self.engine.kernel(gradient)(self.starts, self.net, self.grad, self.on, 0, dice)
        self.engine.kernel(adam)(empty, empty, empty, empty, 0.0, 1)
        none = np.zeros((0, self.usual), np.int32)
        self.engine.kernel(duel)(self.starts, self.net, self.on, none, 0, dice)

    def laid_out(self) -> States:
        """The starts of games: as published first, then with players drawn, or options as well."""
        game, players = self.game, self.course.players
        dice = random.Random(f"{self.course.seed} {game.name}")  # noqa: S311
        fit = [n for n in game.seats({}) if players in (None, n)] or [self.usual]
        published: list[tuple[int, dict[str, str]]] = [(self.usual, {})]
        wanted = max(1, round(STARTS * self.course.published)) * published
        while len(wanted) < STARTS:
            wanted += [(dice.choice(fit), {}), drawn(game, dice, players)]
        starts = np.concatenate([game.blank(*each) for each in wanted])
        self.engine.kernel(kernels.begin)(starts, np.zeros(game.choices, np.int32))
        return starts

    @property
    def usual(self) -> int:
        """The usual number of players of games as published."""
        return self.course.players or self.game.usual

    @property
    def played(self) -> int:
        """Games learned from so far."""
        return self.step * self.course.batch

    def gradient(self, worker: int) -> Gradient:
        """The gradient from a worker's games of the next step; nothing is learned from them yet."""
        course = self.course
        stream = worker + (worker > 0)  # the second is that of games against lore
        dice = seeds(course.seed, 1 + self.step, 1, 1 + stream)[0, stream]
        self.sums[:] = self.on.error[:] = 0
        run = self.engine.kernel(gradient)
        run(self.starts, self.net, self.grad, self.on, course.part(worker), dice)
        return self.sums.copy(), self.on.error.copy()

    def advance(self, executor: Executor | None = None) -> float:
        """One step: some games and a change of the weights.  Returns the mean squared error.

        Games are played by an ``executor``, or here.  Workers' sums are added in their order, so
        the same bytes come out wherever they play.
        """
        course = self.course
        every = (executor or alone)(self)
        self.sums[:], error = 0, np.zeros(2)
        for sums, missed in every:
            self.sums += sums
            error += missed
        self.step += 1
        rate = course.fast + (course.slow - course.fast) * self.step / course.steps
        self.engine.kernel(adam)(self.flat, self.sums, self.m, self.v, rate, self.step)
        return float(error[0] / max(error[1], 1))

    def against_lore(self, games: int) -> Figure:
        """The share of wins against `greedy` with its lore, every seat in turn: see `arena`."""
        seatings, seed = _seatings(self.usual), self.course.seed
        duels = partial(self.engine.kernel(duel), self.starts, self.net, self.on, seatings, 0)
        dice = (seeds(seed, i, 1, 2)[0, 1] for i in range(-(-games // len(seatings))))
        deals = [float(duels(each)) for each in dice]
        figure = share(deals, len(deals) * len(seatings))
        ends = figure.value, figure.low, figure.high
        self.shares.append([self.played, *(round(x, 4) for x in ends)])
        return figure

    def keep(self, path: Path) -> None:
        """Write down how far it has come; what is written is always whole."""
        about = {"course": asdict(self.course), "step": self.step, "shares": self.shares}
        about["fingerprint"] = fingerprint(self.game)
        write(path, about, flat=self.flat, m=self.m, v=self.v)

    @classmethod
    def resumed(cls, game: Game, path: Path, how: How = "compiled") -> "Training":
        """Go on where `keep` left off.  Raises Refused where the game has changed since."""
        about, arrays = read(path)
        if about.get("fingerprint") not in (fingerprint(game), named(game, game.name)):
            raise Refused(f"{path}: the rules or senses of {game.title} have changed; begin anew")
        try:
            training = cls(game, Course(**about["course"]), how)
            training.step, training.shares = whole(about["step"], "a step", 0), about["shares"]
            for name in ("flat", "m", "v"):
                there = getattr(training, name)
                if arrays[name].shape != there.shape or arrays[name].dtype != there.dtype:
                    raise ValueError(f"{name} is of another shape")
                there[:] = arrays[name]
        except (KeyError, TypeError, ValueError) as error:
            raise Refused(f"{path} holds no training to go on with: {error}") from None
        return training

    def finish(self, path: Path, games: int) -> dict[str, Any]:
        """Write the weights with where they come from; ``games`` against lore tell how good."""
        course, share = self.course, self.against_lore(games)
        about = {
            "game": self.game.name,
            "version": self.game.version,
            "fingerprint": fingerprint(self.game),
            **asdict(course),
            "players": course.players or list(self.game.players),
            "against_greedy": {
                "players": self.usual,
                "games": games,
                "share": round(share.value, 4),
                "interval": [round(share.low, 4), round(share.high, 4)],
            },
        }
        write(path, about, flat=self.flat)
        return about


def ours(path: Path) -> None:
    """Check that a file is ours to replace: of learned weights, or not there.  Raises Refused."""
    if path.exists():
        read(path)


def _seatings(players: int) -> NDArray[np.int32]:
    """Each seat once the net's and the others lore's, then the other way round."""
    alone = np.eye(players, dtype=np.int32)
    return alone if players == 2 else np.concatenate([alone, 1 - alone])


def _scatter(net: Net, dice: Dice) -> None:
    """Small weights to begin with: even, so wide that units see sums of about one."""
    for weights, width in ((net.w1, net.w1.shape[0] / 4), (net.w2, net.w2.size)):
        flat = weights.reshape(-1)
        with np.errstate(over="ignore"):  # the generator counts round and round
            for i in range(flat.size):
                flat[i] = (2 * fraction(dice) - 1) / width**0.5


def alone(training: Training) -> list[Gradient]:
    """The executor that is this process: it does what every worker does, one after the other."""
    return [training.gradient(worker) for worker in range(training.course.workers)]


def steps(training: Training, executor: Executor | None = None) -> Iterator[float]:
    """Advance to the end of the course; the error of every step."""
    while training.step < training.course.steps:
        yield training.advance(executor)
