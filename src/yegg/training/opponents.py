"""Who has the other seats where a net learns to beat a bot: ``yegg train GAME --against BOT``.

A bot that looks at most one choice ahead is played inside the batch.  One that thinks is asked
here, one decision after the other: the batch then asks every seat.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Failed, Game, Ints, Refused, kernels
from yegg.engine.record import copied
from yegg.envs.batches import Batch, Seats
from yegg.observations.setting import Setting
from yegg.players.policy_net import policy_function
from yegg.players.policy_net.weights import path_of


class Opponents:
    """A bot that has all seats but one of each game; without a ``bot`` the net has all of them."""

    def __init__(self, bot: str | None) -> None:
        """Raises Refused if there is no such bot."""
        self.bot = bot
        self.think = bot is not None and bots.thinks(bot)
        """Whether it is asked here, and not inside the batch."""

    @property
    def wishes(self) -> dict[str, Any]:
        """How a batch is made in which it plays."""
        return {"bot": self.bot} if self.bot and not self.think else {}

    def seats(self, ours: Seats = None) -> Seats:
        """What it is told of the seats that are ``ours``: by default one on in every game."""
        if not self.wishes:
            return None
        return "in-turn" if ours is None else ours

    def thinkers(self, one: Setting) -> "Thinkers | None":
        """What is asked in games of a setting; None if the batch plays the bot.  Raises Refused."""
        if self.bot is None:
            return None
        if one.players == 1:
            raise Refused("who plays alone plays against nobody: --players says how many play")
        return Thinkers(one, self.bot) if self.think else None

    def net(self, game: Game) -> str:
        """What names the policy net that the bot plays by; "" if it plays by none."""
        if self.bot is None or not _goes_by_nets(self.bot):
            return ""
        return "".join(part.__name__ for part in policy_function.learned(game).parts[:1])

    def known_net(self, one: Setting) -> Path | None:
        """The file of the net that the bot plays by in a setting, if it plays by any."""
        if self.net(one.game) and policy_function.covered(one.game, one.players, one.options):
            return path_of(one.game)
        return None


def _goes_by_nets(bot: str) -> bool:
    return bool(getattr(bots.find(bot), "LEARNED", False))


def ours(numbers: NDArray[Any], players: int) -> NDArray[np.int64]:
    """Our seat in each game, where it is one seat on in every game: see `Batch.numbers`."""
    return (numbers.astype(np.int64) - 1) % players


class Thinkers:
    """A bot that remembers between decisions: one for each seat of each game of a batch.

    As in simulations it minds no clock, and a seat's generator is its seed.
    """

    def __init__(self, one: Setting, bot: str) -> None:
        """Raises Refused if the bot cannot play such games."""
        if why := bots.objection(one.game, bot, one.players, one.options):
            raise Refused(f"{bot} cannot play such games: {why}")
        self.setting, self.bot = one, bot
        self.choices, self.seconds = 0, 0.0
        """How often it was asked so far, and how long that took."""
        self._minds: dict[tuple[int, int], tuple[int, bots.Thinker]] = {}
        """By game and seat: which game of the batch's seed, and who plays it."""
        made = bots.engine(one.game, "uniform")
        self._options_of = made.kernel(kernels.options_of)
        self._veil = made.kernel(kernels.veil)
        self._out, self._who = np.zeros(one.game.choices, np.int32), np.zeros(1, np.int32)

    def forget(self) -> None:
        """Begin anew: what follows does not depend on what was asked before."""
        self._minds.clear()

    def answers(self, batch: Batch, games: NDArray[np.int64]) -> Ints:
        """The actions of those who are asked in these games, in their order.

        Raises Refused if a player from outside makes no choice.
        """
        begun = time.perf_counter()
        found = np.array([self._answer(batch, g) for g in games.tolist()], np.int32)
        self.choices += len(found)
        self.seconds += time.perf_counter() - begun
        return found

    def _answer(self, batch: Batch, g: int) -> int:
        states = batch.states[g : g + 1]
        k = self._options_of(states, self._out, self._who)
        seat, choices = int(self._who[0]), self._out[:k].tolist()
        view = copied(states)
        self._veil(view, seat)
        try:
            choice = self._mind(batch, g, seat).choose(view, seat, choices)
        except Failed as failure:
            raise Refused(f"nothing is learned against {self.bot}: {failure}") from None
        return int(self.setting.actions[seat, choice])

    def _mind(self, batch: Batch, g: int, seat: int) -> bots.Thinker:
        """Who has a seat of a game; somebody new in every game."""
        number, found = int(batch.numbers[g]), self._minds.get((g, seat))
        if found is None or found[0] != number:
            seed = int(batch.dice[g, 1 + seat, 0])
            found = number, bots.thinker(self.setting.game, self.bot, seed, clock=False)
            self._minds[g, seat] = found
        return found[1]
