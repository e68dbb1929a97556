"""PettingZoo environments: agents who act one after the other, or all at once."""

from typing import Any, Literal, TypedDict, get_args

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from yegg.engine import NotLegal, Refused
from yegg.engine.whole import whole
from yegg.observations.setting import Setting

from . import scenes
from .sheets import Sheet, simultaneous
from .single import OnIllegal, Single, check_on_illegal, why_not

Observe = Literal["dict", "vector"]
"""How an agent is shown what it may know: as `Observation`, or as its first part alone, where
``infos`` has the ``action_mask``: for wrappers that know of no dicts."""


class Observation(TypedDict):
    """What an agent is shown."""

    observation: NDArray[np.float32]
    """(C,): what its seat may know; ``env.columns`` names the columns."""
    action_mask: NDArray[np.int8]
    """(A,): 1 for each legal action; of who is not asked, or has no choice, for action 0 alone."""


Shown = Observation | NDArray[np.float32]
"""The same, or its ``observation``: see `Observe`."""
Told = tuple[
    dict[str, Shown],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]
"""By agent: observation, reward, terminated, truncated, infos."""


class Table:
    """What both kinds of environment are: a game, its agents and their spaces."""

    columns: tuple[str, ...]
    """What each column of an observation is called."""

    def _lay(
        self, setting: Setting, render_mode: str | None, observe: Observe, *, parallel: bool
    ) -> None:
        """Say what does not change from game to game.  Raises Refused."""
        if observe not in get_args(Observe):
            raise Refused(f"observe can be {', '.join(get_args(Observe))}, not {observe!r}")
        self._vector = observe == "vector"
        self.setting, self.columns = setting, setting.columns
        self.render_mode = scenes.check(render_mode)
        self.metadata: dict[str, Any] = {
            "name": f"yegg_{setting.name.replace('-', '_').lower()}",
            "render_modes": scenes.MODES,
            "is_parallelizable": parallel,
            "render_fps": 2,
        }
        self.agents: list[str] = []
        self.possible_agents = [f"player_{seat}" for seat in range(setting.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        low, high = setting.bounds()
        many = setting.choices.shape[1]
        self.state_space = Box(low, high, dtype=np.float32)
        self._shown: dict[str, Any] = {}
        self._acts: dict[str, Any] = {}
        for agent in self.possible_agents:
            seen = Box(low, high, dtype=np.float32)
            mask = Box(0, 1, (many,), np.int8)
            both = Dict({"observation": seen, "action_mask": mask})
            self._shown[agent] = seen if self._vector else both
            self._acts[agent] = Discrete(many)
        self._dealt = False

    def observation_space(self, agent: str) -> Any:
        """The same for every agent: see `Observe`."""
        return self._shown[agent]

    def action_space(self, agent: str) -> Any:
        """The same for every agent: ``Discrete(A)``, with names in ``env.single.say``."""
        return self._acts[agent]

    def _seed(self, seed: int | None) -> int | None:
        """The seed to begin with; None: go on with the next game of the seed before."""
        seed = None if seed is None else whole(seed, "a seed")
        if seed is None and not self._dealt:
            seed = int(np.random.default_rng().integers(2**62))
        self._dealt = True
        return seed

    def _check_dealt(self) -> None:
        """Raises Refused before the first reset."""
        if not self._dealt:
            raise Refused("no game is dealt yet: call reset() first")

    def _mask(self, legal: list[int] | NDArray[np.intp]) -> NDArray[np.int8]:
        """1 for each of these actions; for action 0 if there are none, so that none is empty."""
        mask = np.zeros(self.setting.choices.shape[1], np.int8)
        mask[legal if len(legal) else [0]] = 1
        return mask

    def close(self) -> None:
        """Nothing is open."""


class AEC(Table, AECEnv[str, Any, int]):
    """A game for agents who act one after the other.

    Rewards come at the end: 1 for the only winner, and all sides together 0.  ``env.single`` is
    the game, with its record: ``env.single.record()``.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        on_illegal: OnIllegal = "refuse",
        observe: Observe = "dict",
    ) -> None:
        """``max_cycles``: after so many decisions, of all agents together, the game is truncated.

        An action that is not legal is refused with NotLegal, and nothing changes; or it loses the
        game; or a legal one is drawn at random in its place.  Raises Refused.
        """
        self._lay(setting, render_mode, observe, parallel=False)
        self.single = Single(
            setting, on_illegal=on_illegal, max_decisions=max_cycles, observe="float32"
        )

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # PettingZoo's
    ) -> None:
        """Deal; without a seed the next game of the seed before."""
        single, agents = self.single, self.possible_agents
        single.reset(self._seed(seed))
        self.agents = agents.copy()
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection = agents[single.seat]
        self._skip_agent_selection: str | None = None
        self._tell_masks()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Shown:
        """What an agent may know now, as new arrays.  Raises Refused before the first reset."""
        self._check_dealt()
        asked, single = self._asked(agent), self.single
        seen = single.observed() if asked else single.observe(self._seats[agent])
        return seen if self._vector else {"observation": seen, "action_mask": self._legal(agent)}

    def _asked(self, agent: str) -> bool:
        """Whether it is this agent's turn."""
        return bool(self.agents) and agent == self.agent_selection

    def _legal(self, agent: str) -> NDArray[np.int8]:
        """The mask of an agent, as a new array."""
        return self.single.masks[0].copy() if self._asked(agent) else self._mask([])

    def _tell_masks(self) -> None:
        """Put masks into the infos, if they are not among the observations."""
        if self._vector:
            for agent in self.agents:
                self.infos[agent]["action_mask"] = self._legal(agent)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: FBT001, FBT002  # PettingZoo's
        """What the agent who is asked is told.  Raises Refused before the first reset."""
        self._check_dealt()
        told: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return told

    def step(self, action: int) -> None:
        """Carry out an action of ``agent_selection``.

        Raises NotLegal, and changes nothing, if it is not legal and ``on_illegal`` is "refuse";
        Refused where no game is in progress.
        """
        self._check_dealt()
        if not self.agents:
            raise Refused("the game is over: call reset() to deal another")
        agent, single = self.agent_selection, self.single
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            self._tell_masks()
            return
        single.act(action)
        self.agent_selection = self.possible_agents[single.seat]
        if single.over:
            self._end()
        self._tell_masks()
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """Tell how the game ended."""
        single, scores = self.single, self.single.scores
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = self._cumulative_rewards[agent] = float(single.rewards[0, seat])
            self.terminations[agent] = bool(single.terminated[0])
            self.truncations[agent] = bool(single.truncated[0])
            illegal = bool(single.illegal[0]) and seat == single.seat
            self.infos[agent] = {"score": scores[seat], "illegal": illegal}
        self.agent_selection = self.agents[0]

    def state(self) -> NDArray[np.float32]:
        """Everything, as the first seat would see it if nothing were hidden, (C,)."""
        return self.single.observe(0, hidden=False)

    def render(self) -> str | scenes.Picture | None:
        """The position as the agent who is asked may know it; after the end all of it."""
        return scenes.show(self.single, self.single.seat, self.render_mode)


class Parallel(Table, ParallelEnv[str, Any, int]):
    """A game of sealed orders, in which all agents act at once.

    In every step each agent writes one more order on a sheet that nobody else sees; once all
    sheets are full they are carried out.  The mask of an agent whose sheet is full allows action 0
    alone, and what it does is ignored.  ``env.single`` is the game as far as it has been
    carried out.
    """

    def __init__(
        self,
        setting: Setting,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        on_illegal: OnIllegal = "refuse",
        observe: Observe = "dict",
    ) -> None:
        """As for `AEC`, but ``max_cycles`` are steps, in each of which all agents act."""
        if not simultaneous(setting):
            title = setting.game.title
            raise Refused(f"in {title} players act one after the other: use yegg.envs.aec")
        check_on_illegal(on_illegal)
        self._lay(setting, render_mode, observe, parallel=True)
        self.max_cycles, self.on_illegal = max_cycles, on_illegal
        self.single = Single(setting, observe="float32")
        self._sheets: list[Sheet] = []

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_sheets": [sheet.actions for sheet in self._sheets]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.single.over or not state["_sheets"]:
            self._sheets = []
            return
        self._deal_sheets()
        for sheet, actions in zip(self._sheets, state["_sheets"], strict=True):
            for action in actions:
                sheet.write(action)

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # PettingZoo's
    ) -> tuple[dict[str, Shown], dict[str, dict[str, Any]]]:
        """Deal; without a seed the next game of the seed before."""
        seed = self._seed(seed)
        self.single.reset(seed)
        if seed is not None:
            self._luck = np.random.default_rng(seed % 2**64)
        self.agents = self.possible_agents.copy()
        self._steps = 0
        self._deal_sheets()
        if self.render_mode == "human":
            self.render()
        return self._observations(), {agent: self._masked({}, agent) for agent in self.agents}

    def _deal_sheets(self) -> None:
        match = self.single.match()
        seats = range(self.setting.players)
        self._sheets = [Sheet(self.setting, match, seat) for seat in seats]

    def observe(self, agent: str) -> Shown:
        """What an agent may know now, its own orders included, as new arrays.

        Raises Refused before the first reset.
        """
        self._check_dealt()
        seat, single = self._seats[agent], self.single
        own = None if single.over else self._sheets[seat].desk.states
        seen = single.observe(seat) if own is None else single.observe_own(own, seat)
        return seen if self._vector else {"observation": seen, "action_mask": self._legal(agent)}

    def _legal(self, agent: str) -> NDArray[np.int8]:
        """The mask of an agent, as a new array."""
        return self._mask([] if self.single.over else self._sheets[self._seats[agent]].legal)

    def _masked(self, info: dict[str, Any], agent: str) -> dict[str, Any]:
        """An info with the mask, if that is not among the observations."""
        return info | {"action_mask": self._legal(agent)} if self._vector else info

    def _observations(self) -> dict[str, Shown]:
        return {agent: self.observe(agent) for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Told:
        """Write an order of each agent; carry all out once the last sheet is full.

        Raises NotLegal, and changes nothing, as `AEC.step` does; and Refused as there,
        but for no actions after the end, which have no results.
        """
        self._check_dealt()
        if not self.agents and actions:
            raise Refused("the game is over: call reset() to deal another")
        if not self.agents:  # so wrappers go on that give dead agents something to see
            return {}, {}, {}, {}, {}
        written = self._checked(actions)
        faulty = [seat for seat, action in written.items() if action is None]
        self._steps += 1
        if not faulty:
            for seat, action in written.items():
                self._sheets[seat].write(int(action or 0))
            if all(sheet.full for sheet in self._sheets):
                self._carry_out()
        return self._told(faulty)

    def _checked(self, actions: dict[str, int]) -> dict[int, int | None]:
        """What each seat writes whose sheet is not full; None is an action that loses."""
        written: dict[int, int | None] = {}
        for agent in self.agents:
            sheet = self._sheets[self._seats[agent]]
            legal = sheet.legal
            if not legal:
                continue
            given = whole(actions[agent], f"an action of {agent}")
            action: int | None = given
            if action not in legal:
                if self.on_illegal == "refuse":
                    raise NotLegal(f"{agent}: {why_not(self.setting, sheet.desk, given)}")
                action = int(self._luck.choice(legal)) if self.on_illegal == "random" else None
            written[sheet.seat] = action
        return written

    def _carry_out(self) -> None:
        """Carry out what is on the sheets, in the order of the rules, and deal new ones."""
        single = self.single
        while not single.over and self._sheets[single.seat].actions:
            single.act(self._sheets[single.seat].actions.pop(0))
        if not single.over:
            self._deal_sheets()

    def _told(self, faulty: list[int]) -> Told:
        """What a step returns; ``faulty`` are the seats that lost it by an illegal action."""
        single, agents = self.single, self.agents
        ended = bool(faulty) or bool(single.terminated[0])
        late = self.max_cycles is not None and self._steps >= self.max_cycles
        cut = not ended and (late or bool(single.truncated[0]))
        rewards = self._lost(faulty) if faulty else single.rewards[0].tolist()
        infos: list[dict[str, Any]] = [{} for _ in agents]
        if ended or cut:
            scores = single.scores
            infos = [{"score": scores[q], "illegal": q in faulty} for q in range(len(agents))]
        observations = self._observations()
        infos = [self._masked(info, agent) for info, agent in zip(infos, agents, strict=True)]
        if ended or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            dict(zip(agents, infos, strict=True)),
        )

    def _lost(self, faulty: list[int]) -> list[float]:
        """The rewards where these seats lose; the other sides share what they lose."""
        others = self.setting.sides - len(faulty)
        if not others:
            return [0.0 for _ in faulty]
        share = len(faulty) / others
        return [-1.0 if seat in faulty else share for seat in range(self.setting.players)]

    def state(self) -> NDArray[np.float32]:
        """Everything that has been carried out, as if nothing were hidden, (C,)."""
        return self.single.observe(0, hidden=False)

    def render(self) -> str | scenes.Picture | None:
        """The position as a spectator may know it; after the end all of it."""
        return scenes.show(self.single, -1, self.render_mode)
