"""Four tabletop games of thieves and merchants: play them, study them, teach machines to play them.

>>> import yegg
>>> match = yegg.Match("second-story", players=2, seed=0)
>>> bots = [yegg.Bot("greedy", seed=1), yegg.Bot("uniform", seed=2)]
>>> while not match.over:
...     match.play(bots[match.actor].choose(match.view()))
>>> sorted(match.places)
[1, 2]

Everything in ``__all__`` is public and stays as it is described.  All other names may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .client import sit
    from .coach.advice import Advice
    from .coach.review import Review, Slip
    from .engine import (
        CHANCE,
        NOBODY,
        Ambiguous,
        Failed,
        Game,
        Match,
        NotLegal,
        NotUnderstood,
        Player,
        Refused,
        View,
    )
    from .engine.notation import BadRecord
    from .interface import Arena, Simulation, advise, arena, read, review, simulate
    from .players import Bot

__version__ = "1.1.0"

HOMES = {
    "yegg.client": "sit",
    "yegg.coach.advice": "Advice",
    "yegg.coach.review": "Review Slip",
    "yegg.engine": (
        "CHANCE NOBODY Ambiguous Failed Game Match NotLegal NotUnderstood Player Refused View"
    ),
    "yegg.engine.notation": "BadRecord",
    "yegg.interface": "Arena Simulation advise arena read review simulate",
    "yegg.players": "Bot",
}
"""The modules of the public names.  A name is imported when it is asked for, so that
``import yegg`` takes no time."""

_HOME = {name: home for home, names in HOMES.items() for name in names.split()}

__all__ = [
    "CHANCE",
    "NOBODY",
    "Advice",
    "Ambiguous",
    "Arena",
    "BadRecord",
    "Bot",
    "Failed",
    "Game",
    "Match",
    "NotLegal",
    "NotUnderstood",
    "Player",
    "Refused",
    "Review",
    "Simulation",
    "Slip",
    "View",
    "advise",
    "arena",
    "read",
    "review",
    "simulate",
    "sit",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'yegg' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
