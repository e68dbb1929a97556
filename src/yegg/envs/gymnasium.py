"""Gymnasium environments: an agent at one seat, bots at the others, who play inside the step.

After ``import yegg.envs.gymnasium`` Gymnasium knows each game as ``yegg/NAME-vVERSION``, where the
version is that of the rules; Gymnasium 1.0 and later looks for no environments by itself.
"""

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from yegg import games
from yegg.engine import Ints, Refused
from yegg.engine.whole import whole
from yegg.observations.setting import Setting, setting, titled

from . import scenes
from .batches import IN_TURN, Batch
from .single import OnIllegal, Single

Floats = NDArray[np.float32]
Step = tuple[Floats, float, bool, bool, dict[str, Any]]
Steps = tuple[Floats, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


def spaces(made: Setting) -> tuple[Any, Any]:
    """Of observations and of actions."""
    low, high = made.bounds()
    return Box(low, high, dtype=np.float32), Discrete(made.choices.shape[1])


def checked(seat: int | Literal["in-turn"]) -> int | Literal["in-turn"]:
    """The agent's seat.  Raises Refused if it is more than one, or none."""
    if isinstance(seat, str) and seat == IN_TURN:
        return seat
    try:
        return whole(seat, "a seat")
    except Refused as error:
        more = f"seat is a number or {IN_TURN!r}; for more seats use aec or batch"
        raise Refused(f"{error}: {more}") from None


class OneSeat(gymnasium.Env[Floats, np.int64]):
    """One game: the agent has a seat, by default the next one in every game.

    The info tells the ``seat`` and the ``action_mask``, and at the end whether the agent lost by an
    ``illegal`` action.  ``env.unwrapped.single`` is the game with its record.
    """

    metadata: dict[str, Any] = {"render_modes": scenes.MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        bot: str = "medium",
        seat: int | Literal["in-turn"] = "in-turn",
        render_mode: str | None = None,
        on_illegal: OnIllegal = "lose",
        max_episode_steps: int | None = None,
        **options: Any,
    ) -> None:
        """Options of the game are keywords, and so is ``cards``, a deck of one's own.

        ``on_illegal``: as for `yegg.envs.aec`; here such an action loses by default, since
        Gymnasium's own checks act illegally.  Raises Refused.
        """
        self.setting = setting(game, players, **options)
        self.columns = self.setting.columns
        self.render_mode = scenes.check(render_mode)
        self.single = Single(
            self.setting,
            bot=bot,
            seats=checked(seat),
            on_illegal=on_illegal,
            max_decisions=max_episode_steps,
            observe="float32",
        )
        self.observation_space, self.action_space = spaces(self.setting)
        self._dealt = False

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # Gymnasium's
    ) -> tuple[Floats, dict[str, Any]]:
        """Deal; without a seed the next game of the seed before."""
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(2**62))
        self._dealt = True
        self.single.reset(seed)
        if self.render_mode == "human":
            self.render()
        return self.single.observed(), self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.single.masks[0].copy(), "seat": self.single.seat}

    def step(self, action: np.int64 | int) -> Step:
        """Carry out an action, and play on until the agent is asked again or the game is over.

        Raises ResetNeeded where no game is in progress.
        """
        single = self.single
        if not self._dealt:
            raise ResetNeeded("no game is dealt yet: call reset() first")
        if single.over:
            raise ResetNeeded("the game is over: call reset() to deal another")
        single.act(whole(action, "an action"))
        if self.render_mode == "human":
            self.render()
        terminated, truncated = bool(single.terminated[0]), bool(single.truncated[0])
        info = self._info()
        if terminated or truncated:
            info["illegal"] = bool(single.illegal[0])
        reward = float(single.rewards[0, single.seat])
        return single.observed(), reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, (A,), as sb3-contrib asks for them."""
        masks: NDArray[np.bool_] = self.single.masks[0].astype(np.bool_)
        return masks

    def render(self) -> Any:
        """The position as the agent may know it; after the end all of it."""
        return scenes.show(self.single, self.single.seat, self.render_mode)


class OneSeatVector(VectorEnv[Floats, Ints, NDArray[Any]]):
    """Many games in one batch: equal, step for step, to Gymnasium's `SyncVectorEnv` of `OneSeat`.

    ``env.batch`` has the arrays themselves.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        players: int | None = None,
        *,
        bot: str = "medium",
        seat: int | Literal["in-turn"] = "in-turn",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: None = None,
        threads: int = 1,
        copy: bool = True,
        **options: Any,
    ) -> None:
        """As for `OneSeat`; an action that is not legal loses.

        Without ``copy`` observations and masks are the batch's own arrays, which the next step
        changes.  Raises Refused.
        """
        if render_mode is not None:
            raise Refused("many games have no picture: render one, made by gymnasium.make")
        self.setting = setting(game, players, **options)
        self.columns, self.copy = self.setting.columns, copy
        self.mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.mode, "render_modes": []}
        self.batch = Batch(
            self.setting,
            games=num_envs,
            bot=bot,
            seats=checked(seat),
            threads=threads,
            sample=False,
            autoreset=MODES[self.mode],
            max_decisions=max_episode_steps,
        )
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces(self.setting)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shown: Any = self.batch.observations
        self._rows = np.arange(num_envs)
        self._dealt = False

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Deal all games, or those of ``options["reset_mask"]``; see `yegg.envs.batches.Batch`.

        A number seeds the games by seed + 0, 1, …; a list has a seed for each.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            which = np.asarray(options["reset_mask"], np.bool_)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(2**62))
        self._dealt = True
        if isinstance(seed, list):
            self._reset_each(seed, which)
        else:
            self.batch.reset(seed, which)
        info = self._info()
        if not which.all():
            info["action_mask"] = np.where(which[:, None], info["action_mask"], 0)
            info["seat"] = np.where(which, info["seat"], 0)
            info["_action_mask"], info["_seat"] = which.copy(), which.copy()
        return self._seen(), info

    def _reset_each(self, seeds: list[int | None], which: NDArray[np.bool_]) -> None:
        """Deal games by a seed for each; None: the next one of its seed."""
        if len(seeds) != self.num_envs:
            raise Refused(f"{self.num_envs} games need {self.num_envs} seeds, not {len(seeds)}")
        for game in np.flatnonzero(which).tolist():
            seed = seeds[game]
            self.batch.reset(None if seed is None else seed - game, self._rows == game)

    def _seen(self) -> Floats:
        seen: Floats = self._shown
        return seen.copy() if self.copy else seen

    def _info(self) -> dict[str, Any]:
        masks, all_of_them = self.batch.masks, np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": masks.copy() if self.copy else masks,
            "_action_mask": all_of_them,
            "seat": self.batch.actor.astype(np.int64),
            "_seat": all_of_them.copy(),
        }

    def step(self, actions: ArrayLike) -> Steps:
        """Carry out an action in each game.

        Raises ResetNeeded before the first reset, and Refused if games are over and the mode is
        DISABLED: reset those first.
        """
        if not self._dealt:
            raise ResetNeeded("no games are dealt yet: call reset() first")
        batch = self.batch
        seats = batch.actor.copy()
        if self.mode == AutoresetMode.DISABLED and (batch.terminated | batch.truncated).any():
            raise Refused("some games are over: reset them by options={'reset_mask': …} first")
        batch.step(actions)
        rewards = batch.rewards[self._rows, seats].astype(np.float64)
        ended, cut = batch.terminated.copy(), batch.truncated.copy()
        done = ended | cut
        info = self._info()
        if done.any():
            self._tell_ends(info, done, seats)
        return self._seen(), rewards, ended, cut, info

    def _tell_ends(self, info: dict[str, Any], done: NDArray[np.bool_], seats: Ints) -> None:
        """Add what is told of games that are over, as Gymnasium's own vectors tell it."""
        illegal = {"illegal": done & self.batch.illegal, "_illegal": done.copy()}
        if self.mode != AutoresetMode.SAME_STEP:
            info |= illegal
            return
        final: Any = self.batch.final_observations
        rows = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(done).tolist():
            rows[game] = final[game].copy()
        masks = np.zeros_like(self.batch.masks)
        masks[done, 0] = 1
        last = {
            "action_mask": masks,
            "_action_mask": done.copy(),
            "seat": np.where(done, seats, 0).astype(np.int64),
            "_seat": done.copy(),
        }
        info |= {"final_obs": rows, "_final_obs": done, "final_info": last | illegal}
        info["_final_info"] = done.copy()


def register() -> None:
    """Make the games known to Gymnasium."""
    for name in games.names():
        spec = f"yegg/{titled(games.find(name))}"
        if spec not in gymnasium.registry:
            gymnasium.register(
                spec,
                entry_point=f"{__name__}:{OneSeat.__name__}",
                vector_entry_point=f"{__name__}:{OneSeatVector.__name__}",
                kwargs={"game": name},
            )


register()
