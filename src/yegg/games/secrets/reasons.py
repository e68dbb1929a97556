"""What a player would speak of in a position of Secrets, as numbers; words: ``reasons.toml``."""

import numpy as np
from numpy.typing import NDArray

from .lore import free_spies
from .rules import score
from .state import State

Numbers = NDArray[np.float64]


def reckon(s: State, seat: int, x: Numbers) -> None:
    """The numbers in the order of ``reasons.toml``; of each more is better for the seat."""
    mine, best, spies = score(s, seat), 0, 0
    for other in range(s.players):
        if other != seat:
            best = max(best, score(s, other))
            spies += free_spies(s, other)
    x[0] = mine
    x[1] = -best
    x[2] = 1.0 if mine > best else 0.5 if mine == best else 0.0
    for other in range(s.players):
        for secret in range(s.secrets):
            x[3] += s.thief[other, secret] == 1 + seat
        for spy in range(s.spies):
            x[4] += s.captor[other, spy] == 1 + seat
    for secret in range(s.secrets):
        thief = s.thief[seat, secret]
        x[5] -= thief > 0
        x[6] -= max(0, s.value[seat, secret]) if thief else 0
    if s.turn > s.turns:  # nobody is sent out again
        return
    x[-1] = (s.turns + 1 - s.turn) / s.turns
    x[7] = free_spies(s, seat)
    x[8] = -spies / (s.players - 1)
