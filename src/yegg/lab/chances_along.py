"""Chances along the games of a setting, from their logs."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import CHANCE, Ints, Match, States, kernels
from yegg.engine.curve import Curve, along, room
from yegg.lab.batch import Matchup
from yegg.players.policy_net.policy_function import covered
from yegg.players.thinking.evaluation import prospects
from yegg.players.thinking.knowledge import reasoned

Numbers = NDArray[np.float64]

FUTURES = 16
"""A point of the curve is the mean of so many, where a policy net plays them."""


class Follower:
    """Follows games of one kind."""

    def __init__(self, setting: Matchup, *, luck: bool) -> None:
        """Compile nothing yet."""
        game = self.game = setting.game
        self.setting, self.luck = setting, luck
        self.kernel = reasoned(game).kernel(along)
        self.out = np.zeros(game.choices, np.int32)
        self.learned = covered(game, setting.players, setting.options)

    def follow(self, choices: Ints, sides: int, heat: float) -> Curve:
        """The curve of a game from its log, cut to the points that there are."""
        states: States = self.game.blank(self.setting.players, self.setting.options)
        self.game.engine().kernel(kernels.begin)(states, self.out)
        on = room(self.game.state.dtype, sides)
        many = self.kernel(states, choices, heat, int(self.luck), on, self.out)
        points = on.points[:many]
        if self.learned:  # not by what seats expect that do not decide: see `foresight`
            said = self.foreseen(choices, sides, -(-int(on.turns[0]) // max(many, 1))) ** heat
            points = said / said.sum(axis=1, keepdims=True)
        return on._replace(points=points)

    def movers(self, choices: Ints) -> list[int]:
        """By turn of a game, which seat was to choose."""
        match = Match(self.game, self.setting.players, self.setting.options)
        match.follow(choices.tolist())
        acted = [actor for actor in match.actors if actor != CHANCE]
        return [seat for at, seat in enumerate(acted) if at == 0 or acted[at - 1] != seat]

    def foreseen(self, choices: Ints, sides: int, step: int) -> Numbers:
        """The chances, as they are, at every ``step``-th turn of a game: (points, sides)."""
        told, points = prospects(self.game, sides, FUTURES), []
        match, last, turns = Match(self.game, self.setting.players, self.setting.options), -1, 0
        for event, choice in enumerate(choices.tolist()):
            if match.actor not in (CHANCE, last):
                last = match.actor
                if turns % step == 0:
                    points.append(told(match.states, event))
                turns += 1
            match.follow([choice])
        return np.maximum(np.array(points).reshape(-1, sides), 1e-12)
