"""A game's policy net as a function of observations and masks, to compare one's own with."""

from pathlib import Path
from typing import Any

import numpy as np

from yegg.engine import Refused
from yegg.observations.setting import Setting
from yegg.players.policy_net import weights
from yegg.players.policy_net.card import card
from yegg.players.policy_net.forward import for_setting, forward


class Baseline:
    """A policy and a value for one setting: C columns, A actions of its environments."""

    def __init__(self, setting: Setting, path: Path | None = None) -> None:
        """The net of a file, by default of that where players look.  Raises Refused."""
        self.setting = setting
        self.path = path or weights.path_of(setting.game)
        """Its file: what `yegg train --from` and ``--teacher`` take."""
        self.about, net = weights.load(setting.game, self.path)
        """What the file says: how the net learned, and how well it played on the way."""
        if not weights.covers(self.about, setting.players, setting.options):
            told = ", ".join(f"{name}={value}" for name, value in setting.options.items())
            with_options = f" and {told}" if told else ""
            raise Refused(
                f"the policy net of {setting.game.title} has not learned to play with "
                f"{setting.players} players{with_options}"
            )
        self._net = for_setting(net, setting)
        self._there: dict[str, weights.PolicyWeights] = {}

    def __repr__(self) -> str:
        return f"<Baseline of {self.setting.name}, {self.setting.players} players>"

    @property
    def card(self) -> str:
        """What the net has learned, how, and how well it played on the way, in some lines."""
        return card(self.setting.game, self.about, self.path)

    def __call__(self, observations: Any, masks: Any) -> tuple[Any, Any]:
        """Log probabilities of all actions (n, A), and the rewards that seats expect (n,).

        ``observations`` (n, C), float32 or int8, and ``masks`` (n, A) as environments give them;
        NumPy's arrays, or such as are on a card, and then CuPy's come back.  The log probability of
        what is not legal is below -10^8.
        """
        xp = _library(observations)
        x, legal = xp.asarray(observations), xp.asarray(masks).astype(bool)
        logits, values, _ = forward(xp, self._for(xp, whole=x.dtype == np.int8), x, legal)
        return logits, values

    def _for(self, xp: Any, *, whole: bool) -> weights.PolicyWeights:
        """The net's arrays where they are needed, for whole numbers or what they are divided to."""
        name = f"{xp.__name__} {whole}"
        if name not in self._there:
            net, scale = self._net, self.setting.scale
            if whole:
                net = net._replace(mean=net.mean / scale, scale=net.scale * scale)
            self._there[name] = weights.PolicyWeights(*map(xp.asarray, net))
        return self._there[name]


def _library(array: Any) -> Any:
    """NumPy, or CuPy for what is on a card."""
    if not hasattr(array, "__cuda_array_interface__"):
        return np
    import cupy

    return cupy
