"""Simulations on a graphics card: each thread plays a game, and all is what the processor plays."""

from typing import Any

import numpy as np

from yegg import players as bots
from yegg.engine import Refused, cuda, kernels

from .batch import Batch, Setting, counters

AT_ONCE = 65_536  # games


class Card:
    """Plays the games of a setting on the graphics card, many at once."""

    def __init__(self, setting: Setting) -> None:
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

    def run(self, first: int, games: int) -> Batch:
        """Play the games ``first``, ``first`` + 1 …, as `simulation.run` does; ``most`` at most."""
        given = self._given(games)
        rows = given[0]
        rows.dice.copy_to_device(self.setting.dice(first, games))
        cuda.launch(self._kernel, games, 0, *given)
        none = np.zeros((games, 0), np.int32)
        return Batch(
            seating=self.setting.seated(first, games),
            lengths=rows.events.copy_to_host(),
            over=rows.over.copy_to_host().astype(bool),
            scores=rows.scores.copy_to_host(),
            standings=rows.standings.copy_to_host(),
            counts=rows.counts.copy_to_host(),
            decisions=none,
            forced=none,
            turns=none,
            failed=np.zeros((games, self.setting.players), np.int32),
            why={},
            log=none,
        )


def _sides(setting: Setting) -> int:
    """How many sides have a place in the end."""
    game = setting.game
    engine = game.engine(how="plain")
    dealt = game.blank(setting.players, setting.options)
    engine.kernel(kernels.begin)(dealt, np.zeros(game.choices, np.int32))
    return len(engine.result(dealt)[0])
