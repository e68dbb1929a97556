"""The laboratory: simulations, arenas and experiments.

`yegg.lab.ask` answers a question about a game in one call; it is imported when it is asked for,
so that whoever only simulates does not need the extra ``lab``.  `yegg.lab.match_of` reads a game
of a dataset (`yegg export`).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import ask
    from .dataset.reading import match_of

__all__ = ["ask", "match_of"]


def __getattr__(name: str) -> object:
    if name == "ask":
        from .api import ask

        return ask
    if name == "match_of":
        from .dataset.reading import match_of

        return match_of
    raise AttributeError(f"module 'yegg.lab' has no attribute {name!r}")
