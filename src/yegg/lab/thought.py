"""Players with a memory in simulations: one instance for each seat of each game."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Failed, Game, States, kernels
from yegg.engine.contest import Course, enact
from yegg.engine.dice import roll
from yegg.engine.verbs import Dice

if TYPE_CHECKING:
    from .sim import Games


class Thinkers:
    """The players with a memory in a batch of games."""

    def __init__(
        self, game: Game, lineup: Sequence[str], seating: NDArray[np.int64], dice: Dice
    ) -> None:
        """``dice`` (games, 1 + seats, 1): a seat's generator is also the seed of its player."""
        self.game = game
        self.minds = {
            (g, seat): bots.thinker(game, lineup[who], int(dice[g, 1 + seat, 0]), clock=False)
            for who in [i for i, name in enumerate(lineup) if bots.thinks(name)]
            for g, seat in np.argwhere(seating == who).tolist()
        }
        self.made = bots.engine(game, "uniform")
        self.out = np.zeros(game.choices, np.int32)
        self.dice = dice
        self.failed = np.zeros((len(dice), seating.shape[1]), np.int32)
        self.why: dict[str, str] = {}

    def act(self, games: "Games") -> None:
        """Make one decision for each player with a memory whose turn it is."""
        who = np.zeros(1, np.int32)
        for g in sorted({g for g, _ in self.minds}):
            here = slice(g, g + 1)
            k = self.made.kernel(kernels.options_of)(games.states[here], self.out, who)
            mind = self.minds.get((g, int(who[0])))
            if mind is None or games.events[g] >= games.setting.max_events:
                continue
            view = games.states[here].copy()
            self.made.kernel(kernels.veil)(view, who[0])
            choice = self.choice(mind, view, g, int(who[0]), self.out[:k].tolist())
            self.made.kernel(enact)(
                games.states[here],
                choice,
                games.events[here],
                games.log[here],
                games.counts[here],
                Course(*(counted[here] for counted in games.course)),
                self.out,
            )

    def choice(
        self, mind: bots.Thinker, view: States, game: int, seat: int, choices: list[int]
    ) -> int:
        """What the player chooses; if it fails, a choice drawn by lot."""
        try:
            return mind.choose(view, seat, choices)
        except Failed as failure:
            self.why.setdefault(failure.player, failure.why)
            self.failed[game, seat] += 1
            with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
                return choices[roll(self.dice[game, 1 + seat], len(choices))]
