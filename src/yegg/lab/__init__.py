"""The laboratory: simulations, arenas and experiments.

`yegg.lab.ask` answers a question about a game in one call; it is imported when it is asked for,
so that whoever only simulates does not need the extra ``lab``.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import ask

__all__ = ["ask"]


def __getattr__(name: str) -> object:
    if name == "ask":
        from .api import ask

        return ask
    raise AttributeError(f"module 'yegg.lab' has no attribute {name!r}")
