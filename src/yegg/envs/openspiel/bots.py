"""Our players in OpenSpiel: as a bot, and as a policy."""

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy

from yegg import players as bots
from yegg.engine import CHANCE, Refused, View

from .sheets import PASS, Sheets


def choose(bot: bots.Bot, state: Any, player: int) -> int:
    """The action that a bot takes for a player, also where OpenSpiel makes turns of lines."""
    if isinstance(state, pyspiel.TurnBasedSimultaneousState):
        state = state.simultaneous_game_state()
    at = state.position
    choices = list(at.legal_of(player))
    if choices == [PASS]:
        return int(state.get_game().idle)
    moment = at.desks[player].moment if isinstance(at, Sheets) else at
    made = state.get_game().setting
    view = View(made.game, moment.known_to(player), player, choices)
    return int(made.actions[player, bot.choose(view)])


class YeggBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """A player of ours at one seat: ``YeggBot(game, 0, "search:2000")``.

    It sees what its seat may know, and no more.
    """

    def __init__(self, game: pyspiel.Game, player: int, name: str, seed: int = 0) -> None:
        """``name`` as for ``yegg bots``; its clock is off.  Raises Refused."""
        super().__init__()
        made = getattr(game, "setting", None)  # a game that OpenSpiel has converted has none
        if made and (why := bots.objection(made.game, name, made.players, made.options)):
            raise Refused(why)
        self.game, self.player, self.name, self.seed = game, player, name, seed
        self.restart()

    def restart(self) -> None:
        """Begin another game: the same bot, with other dice."""
        self._bot = bots.Bot(self.name, self.seed, clock=False)
        self.seed += 1

    def restart_at(self, _state: pyspiel.State) -> None:
        """Go on from another state, without memories."""
        self.restart()

    def step(self, state: pyspiel.State) -> int:
        """Its action."""
        return choose(self._bot, state, self.player)

    def player_id(self) -> int:
        """Its seat."""
        return self.player


class BotPolicy(policy.Policy):  # type: ignore[misc]  # pyspiel has no types
    """The mixture of actions that a player of ours takes, told by asking it many times.

    For algorithms that want probabilities, on games that are small.  Each information state is
    asked about once, each time by ``samples`` bots that have no memories.
    """

    def __init__(self, game: pyspiel.Game, name: str, *, samples: int = 100, seed: int = 0) -> None:
        """As for `YeggBot`."""
        super().__init__(game, list(range(game.num_players())))
        self.name, self.samples, self._dice = name, samples, np.random.default_rng(seed)
        self._found: dict[str, dict[int, float]] = {}

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """The probability of each legal action."""
        player = state.current_player() if player_id is None else player_id
        if player == CHANCE:
            return dict(state.chance_outcomes())
        key = state.information_state_string(player)
        if key not in self._found:
            self._found[key] = self._ask(state, player)
        return self._found[key]

    def _ask(self, state: Any, player: int) -> dict[int, float]:
        legal = state.legal_actions(player)
        if len(legal) == 1:
            return {legal[0]: 1.0}
        counts = dict.fromkeys(legal, 0)
        for seed in self._dice.integers(2**62, size=self.samples).tolist():
            bot = bots.Bot(self.name, seed, clock=False)
            counts[choose(bot, state, player)] += 1
        return {action: times / self.samples for action, times in counts.items()}
