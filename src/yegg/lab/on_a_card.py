"""Simulations on a graphics card: each thread plays a game, and all is what the processor plays."""

import os
from collections.abc import Iterator
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from yegg import players as bots
from yegg.engine import Refused, cuda, kernels

from .batch import Batch, Matchup, counters
from .simulation import Played, in_pieces, played

AT_ONCE = 65_536  # games
BESIDE = 4  # threads


class Card:
    """Plays the games of a setting on the graphics card, many at once."""

    def __init__(self, setting: Matchup) -> None:
        """Compile.  Raises Refused where there is no card, or what it cannot play."""
        card = cuda.numba_cuda()
        for name in setting.lineup:
            if name != "uniform":
                raise Refused(f"{name} does not play on a card; of the bots uniform does")
        from yegg.engine import cuda_kernels

        self.setting, game = setting, setting.game
        blank = game.blank(setting.players, setting.options)
        count, sides = counters(game), _sides(setting)
        self.each = 2 * blank.itemsize + setting.dice(0, 1).nbytes + 4 * count + 12 * sides + 8
        self.most = min(AT_ONCE, cuda.room(self.each))
        """How many games it plays at once."""
        if not self.most:
            raise Refused("the card has not the memory for a single game")
        self._one_at_a_time = Lock()
        many, generators = self.most, 1 + setting.players
        kinds = (
            *((many, blank.dtype), (many, blank.dtype), ((many, generators, 1), np.uint64)),
            *((many, np.int32), ((many, count), np.int32), ((many, sides), np.int32)),
            *(((many, sides), np.int64), (many, np.int32)),
        )
        self._rows: Any = cuda_kernels.Rows(*(card.device_array(*kind) for kind in kinds))
        everybody, no_log = np.ones((1, setting.players), np.int32), np.zeros((1, 0), np.int32)
        self._blank, self._mine, self._log = cuda.lifted((blank, everybody, no_log), 0)
        engine = bots.engine(game, "uniform", how="cuda")
        whole = cuda_kernels.playing(game.choices)
        self._kernel = engine.direct(whole, *self._given(1))

    def _given(self, games: int) -> tuple[Any, ...]:
        """What the kernel takes to play so many games."""
        rows = self._rows._make(array[:games] for array in self._rows)
        return rows, self._blank, self._mine, self.setting.max_events, self._log

    def play(self, games: int, *, rows: bool = False, first: int = 0) -> Iterator[Played]:
        """Play so many games from ``first`` on, as many at once as it can.

        A thread waits for the card; others add up what it has played.
        """
        work = partial(played, self.setting, self.run, rows=rows)
        threads = min(BESIDE, os.cpu_count() or 1)
        every = [range(first, first + games)]
        return in_pieces(self.setting, work, every, threads, most=self.most)

    def run(self, first: int, games: int) -> Batch:
        """Play the games ``first``, ``first`` + 1 …, as `simulation.run` does; ``most`` at most."""
        given, dice = self._given(games), self.setting.dice(first, games)
        rows, kept = given[0], ("events", "over", "scores", "standings", "counts")
        with self._one_at_a_time:
            rows.dice.copy_to_device(dice)
            cuda.launch(self._kernel, games, 0, *given)
            came = {name: getattr(rows, name).copy_to_host() for name in kept}
        none = np.zeros((games, 0), np.int32)
        return Batch(
            seating=self.setting.seated(first, games),
            lengths=came["events"],
            over=came["over"].astype(bool),
            scores=came["scores"],
            standings=came["standings"],
            counts=came["counts"],
            decisions=none,
            forced=none,
            turns=none,
            failed=np.zeros((games, self.setting.players), np.int32),
            log=none,
        )


def _sides(setting: Matchup) -> int:
    """How many sides have a place in the end."""
    game = setting.game
    engine = game.engine(how="plain")
    dealt = game.blank(setting.players, setting.options)
    engine.kernel(kernels.begin)(dealt, np.zeros(game.choices, np.int32))
    return len(engine.result(dealt)[0])
