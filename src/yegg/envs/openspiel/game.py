"""Games and their states as OpenSpiel has them.

Every event is a node, chance's and forced ones too, so that a history is a record.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pyspiel

from yegg import games
from yegg.engine import CHANCE, Game, Match, NotLegal, Refused, notation
from yegg.engine.orders import can_be_read
from yegg.engine.promised import has_chance
from yegg.envs.steps import reward
from yegg.observations.setting import setting

from .observer import OBSERVATION, Observer, Position
from .positions import EVERYTHING, Moment, rules_of
from .sheets import PASS, TOGETHER, Sheets, opened

HORIZON = 2000
"""How many events a game has at most: twice as many as the longest of ten thousand by chance."""
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
USUAL = -1  # an option whose usual value depends on players and other options
Type = pyspiel.GameType


def short_name(game: Game) -> str:
    """What OpenSpiel calls a game: ``yegg_second_story``."""
    return f"yegg_{game.name.replace('-', '_')}"


def parameters(game: Game) -> dict[str, Any]:
    """What can be given when a game is loaded, with its usual value."""
    usual = game.defaults(game.usual)
    told: dict[str, Any] = {"players": game.usual, "horizon": HORIZON, "recall": USUAL}
    if can_be_read(game):
        told["turn_based"] = False
    for name, option in game.options.items():
        value = USUAL if callable(option.usual) else spelt(usual[name], option.values)
        told[name.replace("-", "_")] = value
    return told


def spelt(value: str, values: Sequence[str]) -> int | str:
    """An option's value as OpenSpiel reads it: a number where all are, else a word.

    >>> spelt("3", ["2", "3"]), spelt("5", ["5", "4", "aces"])
    (3, 'five')
    """
    if all(each.isdecimal() for each in values):
        return int(value)
    return NUMBERS[int(value)] if value.isdecimal() else value


def options(game: Game, given: Mapping[str, Any]) -> dict[str, str]:
    """The options by the names that records have."""
    chosen = {}
    for name, option in game.options.items():
        value = given.get(name.replace("-", "_"), USUAL)
        if value != USUAL:
            words = {str(spelt(each, option.values)): each for each in option.values}
            chosen[name] = words.get(str(value), str(value))
    return chosen


def game_type(
    game: Game, *, players: int | None = None, turn_based: bool = False
) -> pyspiel.GameType:
    """What OpenSpiel is told of a game; ``players`` and ``turn_based`` of one that is loaded."""
    together = can_be_read(game) and not turn_based
    chance = has_chance(game)
    return Type(
        short_name=short_name(game),
        long_name=game.title,
        dynamics=Type.Dynamics.SIMULTANEOUS if together else Type.Dynamics.SEQUENTIAL,
        chance_mode=Type.ChanceMode.EXPLICIT_STOCHASTIC
        if chance
        else Type.ChanceMode.DETERMINISTIC,
        information=Type.Information.IMPERFECT_INFORMATION
        if game.secret
        else Type.Information.PERFECT_INFORMATION,
        utility=Type.Utility.GENERAL_SUM if players == 1 else Type.Utility.ZERO_SUM,
        reward_model=Type.RewardModel.TERMINAL,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters(game),
    )


class YeggGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """A game with its options, loaded by ``pyspiel.load_game``; each game is a subclass."""

    game_name: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Raises Refused if the parameters do not go together."""
        game = games.find(self.game_name)
        given = {**parameters(game), **(params or {})}
        self.setting = made = setting(game, given["players"], **options_named(game, given))
        self.horizon = int(given["horizon"])
        self.recall = self.horizon if given["recall"] == USUAL else int(given["recall"])
        self.together = can_be_read(game) and not given["turn_based"]
        """Whether orders are written at the same time."""
        if min(self.horizon, self.recall) < 1:
            raise Refused("a game has at least one event, and remembers at least one")
        mine = set(made.choices.ravel().tolist())
        every = range(game.choices)
        self.outcomes = [choice for choice in every if choice not in mine] or [*every]
        """Chance's choices, by the number of the outcome: those that are no actions, or all."""
        self.outcome_of = {choice: i for i, choice in enumerate(self.outcomes)}
        actions = made.choices.shape[1]
        self.idle = actions if self.together else None
        """The action of a seat whose sheet is full while others write."""
        self.first = rules_of(made).first()
        alone = made.players == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=actions + self.together,
            max_chance_outcomes=len(self.outcomes) if has_chance(game) else 0,
            num_players=made.players,
            min_utility=-1 / (made.sides - 1),
            max_utility=1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=self.horizon,
        )
        kind = game_type(game, players=made.players, turn_based=not self.together)
        super().__init__(kind, info, dict(params or {}))

    def __reduce__(self) -> Any:
        return load, (str(self),)

    @classmethod
    def of(cls, game: Game) -> type["YeggGame"]:
        """The class of a game.

        OpenSpiel keeps what makes a game until Python has ended.  A class outlives Python; a
        function would be freed then, and crash the process.
        """
        title = "".join(word.capitalize() for word in game.name.split("-"))
        return type(f"Yegg{title}", (cls,), {"game_name": game.name, "__doc__": game.blurb})

    def max_chance_nodes_in_history(self) -> int:
        """At most every event is chance's."""
        return self.horizon if has_chance(self.setting.game) else 0

    def new_initial_state(self) -> "State":
        """The deal."""
        return State(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> Observer:
        """An observer of this kind; by default of observations.  Raises ValueError."""
        if isinstance(iig_obs_type, Mapping):  # so OpenSpiel asks for the default
            iig_obs_type, params = None, iig_obs_type
        if params:
            raise ValueError(f"observers take no parameters here, so not {dict(params)}")
        return Observer(self.setting, self.recall, iig_obs_type or OBSERVATION)


def load(text: str) -> pyspiel.Game:
    """The game of a text as `pyspiel.load_game` takes it; pickled games are loaded by it."""
    return pyspiel.load_game(text)


def options_named(game: Game, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options as `setting` takes them."""
    return {name.replace("-", "_"): value for name, value in options(game, given).items()}


class State(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state: a position that never changes, and which one it is."""

    def __init__(self, game: YeggGame) -> None:
        """The deal; `YeggGame.new_initial_state` makes it."""
        super().__init__(game)
        self.position: Position = opened(game.first) if game.together else game.first

    def __deepcopy__(self, _memo: object) -> "State":
        return self.clone()  # type: ignore[no-any-return]

    def current_player(self) -> int:
        """The seat that acts, or one of OpenSpiel's own players."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        actor = self.position.actor
        special = {CHANCE: pyspiel.PlayerId.CHANCE, TOGETHER: pyspiel.PlayerId.SIMULTANEOUS}
        return int(special.get(actor, actor))

    def is_terminal(self) -> bool:
        """Whether the game is over, or as long as it may be."""
        return self.position.over or self.position.length >= self.get_game().horizon

    def _legal_actions(self, player: int) -> list[int]:
        legal = self.position.legal_of(player)
        return sorted(self._action(player, choice) for choice in legal)

    def _action(self, player: int, choice: int) -> int:
        game = self.get_game()
        return int(game.idle if choice == PASS else game.setting.actions[player, choice])

    def choice(self, player: int, action: int) -> int:
        """The engine's choice for an action of a seat, or for an outcome of chance."""
        game = self.get_game()
        if action == game.idle and player >= 0:
            return PASS
        choices = game.outcomes if player == CHANCE else game.setting.choices[player]
        if not 0 <= action < len(choices):
            raise NotLegal(f"actions are 0 to {len(choices) - 1} here, not {action}")
        return int(choices[action])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome of chance, and its probability."""
        legal, number = self.position.legal, self.get_game().outcome_of
        return [(number[choice], 1 / len(legal)) for choice in legal]

    def _apply_action(self, action: int) -> None:
        position = self.position
        if isinstance(position, Sheets):
            raise NotLegal("all seats act at the same time here, by apply_actions")
        moment = position.after(self.choice(position.actor, action))
        self.position = opened(moment) if self.get_game().together else moment

    def _apply_actions(self, actions: Sequence[int]) -> None:
        if isinstance(self.position, Moment):
            raise NotLegal("one player acts here, by apply_action")
        choices = [self.choice(seat, action) for seat, action in enumerate(actions)]
        self.position = self.position.after_all(choices)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            return f"action {action}"
        position, choice = self.position, self.choice(player, action)
        if choice in position.legal_of(player):
            return position.say(player, choice)
        return f"action {action}"

    def returns(self) -> list[float]:
        """At the end 1 for the only winner, all sides together 0; before the end 0."""
        position, made = self.position, self.get_game().setting
        if not position.over:
            return [0.0] * made.players
        standings = position.moment.rules.engine.result(position.moment.states)[1]
        best, sides = max(standings), len(standings)
        winners = standings.count(best)
        return [reward(sides, winners, mine == best) for mine in standings[: made.players]]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "State":
        """A state that a player cannot tell from this one; hidden cards and orders drawn evenly.

        Its history begins there.  Where nothing is hidden it is a copy.  Raises Refused at a
        chance node.
        """
        game = self.get_game()
        if not game.setting.game.secret:
            return self.clone()  # type: ignore[no-any-return]
        twin: State = game.new_initial_state()
        twin.position = self.position.imagined(player, sampler)
        return twin

    def parent(self) -> "State":
        """The state before the last action, as a new one; OpenSpiel's `undo_action` is refused.

        Raises Refused at the beginning, and where the past was made up.
        """
        first, history = self.position.moment.way()[0], self.full_history()
        if first.heard is not None or not history:
            raise Refused("nothing is known of what was before this state")
        state: State = self.get_game().new_initial_state()
        played = [item.action for item in history]
        while played:
            many = self.num_players() if state.is_simultaneous_node() else 1
            step, played = played[:many], played[many:]
            if not played:
                break
            if state.is_simultaneous_node():
                state.apply_actions(step)
            else:
                state.apply_action(step[0])
        return state

    def match(self) -> Match:
        """The game as a `yegg.Match`; orders of a turn that is still written are left out.

        Raises Refused if the past was made up.
        """
        return self.position.moment.match()

    def record(self, seat: int | None = None) -> str:
        """The game as a record, whole or as a seat may know it.  Raises Refused as `match`."""
        return notation.write(self.match(), seat=seat)

    def __str__(self) -> str:
        position = self.position
        lines = [told.line for told in position.heard_by(EVERYTHING)]
        if position.moment.departed:
            lines.append(position.moment.states.tobytes().hex())
        return "\n".join(lines) or "dealt"
