"""Simulations on a graphics card: each thread plays a game, and all is what the processor plays."""

import numpy as np

from yegg import players as bots
from yegg.engine import Refused, cuda, kernels
from yegg.engine.record import Ints

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
        many = self.most
        self._states = [card.device_array(many, blank.dtype) for _ in range(2)]
        self._played = cuda_kernels.Played(
            card.device_array(many, np.int32),
            card.device_array((many, count), np.int32),
            card.device_array((many, sides), np.int32),
            card.device_array((many, sides), np.int64),
            card.device_array(many, np.int32),
        )
        everybody, no_log = np.ones((1, setting.players), np.int32), np.zeros((1, 0), np.int32)
        self._blank, self._mine, self._log = cuda.lifted((blank, everybody, no_log), 0)
        engine = bots.engine(game, "uniform", how="cuda")
        whole = cuda_kernels.playing(game.choices)
        self._kernel = engine.direct(whole, *self._given(0, 1))

    def _given(self, first: int, games: int) -> tuple[object, ...]:
        """What the kernel takes to play so many games."""
        states, views = (array[:games] for array in self._states)
        dice = cuda.lifted(self.setting.dice(first, games), 0)
        to = self._played._make(array[:games] for array in self._played)
        limit = self.setting.max_events
        return states, views, self._blank, dice, self._mine, limit, self._log, to

    def run(self, first: int, games: int) -> Batch:
        """Play the games ``first``, ``first`` + 1 …, as `simulation.run` does; ``most`` at most."""
        given = self._given(first, games)
        cuda.launch(self._kernel, games, 0, *given)
        to = self._played._make(array[:games].copy_to_host() for array in self._played)
        none: Ints = np.zeros((games, 0), np.int32)
        return Batch(
            seating=self.setting.seated(first, games),
            lengths=to.events,
            over=to.over.astype(bool),
            scores=to.scores,
            standings=to.standings,
            counts=to.counts,
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
