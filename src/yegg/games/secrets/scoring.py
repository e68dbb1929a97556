"""Who has the most points: secrets stolen, and spies captured."""

from .state import State


def score(s: State, seat: int) -> int:
    """SE-20: the value of the secrets stolen, as far as it is known here, and captured spies."""
    total = 0
    for other in range(s.players):
        for secret in range(s.secrets):
            if s.thief[other, secret] == 1 + seat:
                total += max(0, s.value[other, secret])
        for spy in range(s.spies):
            if s.captor[other, spy] == 1 + seat:
                total += s.reward
    return total


def standing(s: State, seat: int) -> int:
    """SE-20: equal totals share the win."""
    return score(s, seat)
