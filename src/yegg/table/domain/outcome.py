"""How a game ended, in a sentence."""

from collections.abc import Sequence

from yegg.text.phrases import listing


def winners(names: Sequence[str], places: Sequence[int]) -> str:
    """Who wins.

    >>> winners(["Ann", "Ben"], [2, 1]), winners(["Ann", "Ben", "Cid"], [1, 1, 3])
    ('Ben wins', 'Ann and Ben share the win')
    """
    best = [name for name, place in zip(names, places, strict=True) if place == 1]
    return f"{best[0]} wins" if len(best) == 1 else f"{listing(best)} share the win"


def outcome(names: Sequence[str], places: Sequence[int], scores: Sequence[int]) -> str:
    """Who wins, and everybody's score, the best first.

    >>> outcome(["Ann", "Ben"], [2, 1], [3, 7])
    'Ben wins: Ben 7, Ann 3'
    """
    order = sorted(range(len(names)), key=lambda i: places[i])
    return f"{winners(names, places)}: {', '.join(f'{names[i]} {scores[i]}' for i in order)}"
