"""Players who have never heard of any game, found in this folder by name.

A player sees only what ``hide`` leaves.  It is a module with a compiled ``choose`` (see
`yegg.engine.verbs`) and ``ROOM``, how many states it needs to think; or, if it remembers
between decisions, with ``sit(game, budget, seed)``, which gives a `Thinker`.  One that takes a
budget has ``check(budget)``, one that cannot play every game ``objection(game, players, options)``.
"""

import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from yegg.engine import Game, Match, Refused, States, kernels
from yegg.engine.dice import seeds
from yegg.engine.engine import Engine
from yegg.engine.prose import offered
from yegg.outside import quoted

if TYPE_CHECKING:
    from .tree.mind import Plan


class Thinker(Protocol):
    """A player with a memory, sitting at one match."""

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""


@cache
def names() -> tuple[str, ...]:
    """Every player there is, by name."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.ispkg))


@cache
def find(name: str) -> ModuleType:
    """The player of this name, which may be followed by a budget (``search:2000``).

    Raises Refused.
    """
    base, colon, budget = name.partition(":")
    if base not in names():
        raise Refused(f"no bot is called {quoted(base)}; {offered(base, names())}")
    player = import_module(f"{__name__}.{base}")
    if colon:
        if not hasattr(player, "check"):
            raise Refused(f"{base} takes no budget, so not {name!r}")
        player.check(budget)
    return player


def budget(name: str) -> "Plan | None":
    """How long a player with a budget may think about a decision.  Raises Refused.

    None: it takes no budget, or somebody else decides.
    """
    player = find(name)
    return player.check(name.partition(":")[2]) if hasattr(player, "check") else None


def objection(game: Game, name: str, players: int, options: Mapping[str, str]) -> str | None:
    """Why a player cannot play such games from start to end; None if it can.  Raises Refused."""
    return _objection(game, name.partition(":")[0], players, tuple(sorted(options.items())))


@cache
def _objection(
    game: Game, name: str, players: int, options: tuple[tuple[str, str], ...]
) -> str | None:
    asked = getattr(find(name), "objection", None)
    return asked(game, players, dict(options)) if asked else None


def able(game: Game, players: int, options: Mapping[str, str]) -> list[str]:
    """Who can play such games: every other player has an `objection`."""
    return [name for name in names() if objection(game, name, players, options) is None]


def about(name: str) -> str:
    """What a player does, in a line."""
    return (find(name).__doc__ or "").partition("\n")[0]


def thinks(name: str) -> bool:
    """Whether a player remembers between decisions."""
    return hasattr(find(name), "sit")


def thinker(game: Game, name: str, seed: int) -> Thinker:
    """A player with a memory, for one seat of one match."""
    return cast("Thinker", find(name).sit(game, name.partition(":")[2], seed))


@cache
def engine(game: Game, name: str) -> Engine:
    """A game's kernels with its lore, its tally and this player in them.

    Players who choose alike (`medium` as `greedy`) share what is compiled.
    """
    player = import_module(find(name).choose.__module__)
    extra = [part for part in (game.part("lore"), game.part("tally")) if part]
    return Engine(game.rules, *extra, player)


def cold(game: Game, name: str) -> bool:
    """Whether a player has yet to be compiled for a game."""
    if not thinks(name):
        return engine(game, name).cold(kernels.decide)
    from .tree import ahead, mind, solve, think

    made = mind.engine(game)
    return all(made.cold(kernel) for kernel in (think.think, ahead.attempt, solve.solve))


class Bot:
    """A player sitting down to one match."""

    def __init__(self, game: Game, name: str, seed: int) -> None:
        """The same seed and the same views give the same choices."""
        self.game, self.name = game, name
        self._thinker = thinker(game, name, seed) if thinks(name) else None
        if self._thinker:
            return
        made = engine(game, name)
        self._decide = made.kernel(kernels.decide)
        self._dice = seeds(seed, 0, 1, 1)[0, 0]
        self._out = np.zeros(game.choices, np.int32)
        self._views = np.zeros(1 + find(name).ROOM, game.state.dtype)

    def warm(self) -> None:
        """Compile, or load what is compiled, by a first decision of another in another game.

        What it remembers and its dice stay as they are.
        """
        game = self.game
        for players in game.players:
            if game.objection(players, game.defaults(players)) is None:
                match = Match(game, players, how="plain")
                while match.actor < 0 or len(match.choices) == 1:
                    match.play(match.choices[0])
                Bot(game, self.name, 0).choose(match)
                return

    def choose(self, match: Match) -> int:
        """The bot's choice for the current player."""
        seat, choices = match.actor, match.choices
        if len(choices) == 1:
            return choices[0]
        view = match.known_to(seat)
        if self._thinker:
            return self._thinker.choose(view, seat, choices)
        k = len(choices)
        self._views[0], self._out[:k] = view[0], choices
        return int(self._decide(self._views, seat, k, self._dice, self._out))
