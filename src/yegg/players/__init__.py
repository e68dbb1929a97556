"""Players who have never heard of any game, found in this folder by name.

A player is a module with a compiled ``choose`` (see `yegg.engine.verbs`) and
``ROOM``, how many states it needs to think.  It sees only what ``hide`` leaves.
"""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType

import numpy as np

from yegg.engine import Game, Match, Refused, kernels
from yegg.engine.dice import seeds
from yegg.engine.engine import Engine


def names() -> list[str]:
    """Every player there is, by name."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find(name: str) -> ModuleType:
    """The player of this name.  Raises Refused."""
    if name not in names():
        raise Refused(f"there is no player {name!r}; there are: {', '.join(names())}")
    return import_module(f"{__name__}.{name}")


def about(name: str) -> str:
    """What a player does, in a line."""
    return (find(name).__doc__ or "").partition("\n")[0]


@cache
def engine(game: Game, name: str) -> Engine:
    """A game's kernels with its lore, its tally and this player in them."""
    player = find(name)
    extra = [part for part in (game.part("lore"), game.part("tally")) if part]
    return Engine(game.rules, *extra, player)


class Bot:
    """A player sitting down to one match."""

    def __init__(self, game: Game, name: str, seed: int) -> None:
        """The same seed and the same views give the same choices."""
        self.game, self.name = game, name
        made = engine(game, name)
        self._decide = made.kernel(kernels.decide)
        self._dice = seeds(seed, 0, 1, 1)[0, 0]
        self._out = np.zeros(game.choices, np.int32)
        self._views = np.zeros(1 + find(name).ROOM, game.state.dtype)

    def warm(self) -> None:
        """Compile, or load what is compiled, by a first decision in a game of its own."""
        game = self.game
        for players in game.players:
            if game.objection(players, game.defaults(players)) is None:
                match = Match(game, players, how="plain")
                while match.actor < 0 or len(match.choices) == 1:
                    match.play(match.choices[0])
                self.choose(match)
                return

    def choose(self, match: Match) -> int:
        """The bot's choice for the current player."""
        seat = match.actor
        choices = match.choices
        self._out[: len(choices)] = choices
        self._views[0] = match.view(seat)[0]
        return int(self._decide(self._views, seat, len(choices), self._dice, self._out))
