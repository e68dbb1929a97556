"""Batches from outside, from a pickle or a file: checked before compiled code meets them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import NOBODY, Refused, kernels
from yegg.engine.border import admitted
from yegg.observations.setting import Setting

from .steps import WORD

Arrays = dict[str, NDArray[Any]]


def check(setting: Setting, arrays: Arrays, fresh: Arrays, most_events: int) -> None:
    """Refuse arrays that are not like the ``fresh`` ones of a batch that begins.

    The games must be of this setting, and whoever is asked must be so by the rules.  Raises
    Refused.
    """
    for name, array in fresh.items():
        given = arrays.get(name)
        if (
            not isinstance(given, np.ndarray)
            or (given.shape, given.dtype) != (array.shape, array.dtype)
            or not given.flags.c_contiguous
        ):
            raise Refused(f"this is no batch of {setting.game.title}: {name} is not as it was")
    for name in ("states", "ended"):
        states = admitted(setting.game, arrays[name])
        for of in ("players", *setting.game.state.options):
            if (states[of] != setting.dealt[of]).any():
                raise Refused("this is no batch: its games are of another setting")
    events = arrays["events"]
    seats = np.concatenate([arrays["actor"], arrays["last"]])
    if (seats < -1).any() or (seats >= setting.players).any() or (arrays["actor"] < 0).any():
        raise Refused("this is no batch: it asks a seat that is not there")
    if (events < 0).any() or (events > most_events).any():
        raise Refused(f"this is no batch: its games have 0 to {most_events} events")
    _check_asked(setting, arrays)


def _check_asked(setting: Setting, arrays: Arrays) -> None:
    """Refuse games in which somebody may do what the rules do not let them."""
    options_of = setting.game.engine().kernel(kernels.options_of)
    out, who = np.zeros(setting.game.choices, np.int32), np.zeros(1, np.int32)
    for g in np.flatnonzero(arrays["bits"].any(1)):
        k = options_of(arrays["states"][g : g + 1], out, who)
        legal = np.zeros(arrays["bits"].shape[1] * WORD, np.uint8)
        if 0 <= who[0] < setting.players and who[0] != NOBODY:
            legal[setting.actions[who[0], out[:k]]] = 1
        words = np.packbits(legal, bitorder="little").view("<u8")
        if who[0] != arrays["actor"][g] or (words != arrays["bits"][g]).any():
            raise Refused("this is no batch: it offers what the rules do not allow")
