"""Players who have never heard of any game, found by name; and those from outside.

A player sees only what ``hide`` leaves.  In this folder it is a module with a compiled
``choose`` (see `yegg.engine.verbs`) and ``ROOM``, how many states it needs to think; or, if
it remembers between decisions, with ``sit(game, budget, seed)``, which gives a `Thinker`.
``LEARNED = True`` makes it go by the judge that a game has learned, where there is one.
One that takes a budget has ``check(budget)``, one that cannot play every game
``objection(game, players, options)``.
From outside it may be such a module too, or a class with ``choose(view)``
(`yegg.engine.Player`): an entry point of the group ``yegg.players``, or ``module:Class``.
"""

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import resolve_name
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from yegg.engine import Game, Match, Refused, States, View, kernels
from yegg.engine.discovery import found
from yegg.engine.engine import Engine
from yegg.engine.prose import offered
from yegg.outside import quoted

from .learned.judge import judge
from .outside import Outsider

if TYPE_CHECKING:
    from .thinking.plan import Plan


class Thinker(Protocol):
    """A player with a memory, sitting at one match."""

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""


_enrolled: dict[str, Callable[[], Any]] = {}
"""Players of this process alone: what makes one, by name."""


@cache
def _installed() -> dict[str, str]:
    return found(__name__, folders=False)


def names() -> tuple[str, ...]:
    """Every player there is, by name."""
    return tuple(sorted({*_installed(), *_enrolled}))


def base(name: str) -> str:
    """A player's name without its budget; that of ``module:Class`` is all of it."""
    return name if name in _enrolled else name.partition(":")[0]


def known(name: str) -> bool:
    """Whether a name, with its budget or not, is a player's."""
    return base(name) in names()


@cache
def find(name: str) -> ModuleType | type:
    """The module or class of this name, which a budget may follow (``search:2000``).

    Raises Refused.
    """
    if name in _enrolled:
        return cast("type", _enrolled[name])
    base, colon, budget = name.partition(":")
    if base not in _installed():
        raise Refused(f"no bot is called {quoted(base)}; {offered(base, names())}")
    player = resolve_name(_installed()[base])
    if colon:
        if not hasattr(player, "check"):
            raise Refused(f"{base} takes no budget, so not {name!r}")
        player.check(budget)
    return cast("ModuleType | type", player)


def enrol(player: object) -> str:
    """Make a player known to this process, and return its name.

    ``player`` is the name of one that is known, ``module:Class``, a class with
    ``choose(view)``, or an instance, of which every seat gets a copy.  Whoever may say a
    module's name may run its code: never hand this what came over the network.
    Raises Refused.
    """
    if isinstance(player, str):
        base, colon, _ = player.partition(":")
        if not colon or base in _installed():
            find(player)
            return player
        return _enrol(player, _imported(player))
    if inspect.isclass(player):
        return _enrol(player.__name__.lower(), player)
    if hasattr(player, "choose"):
        name = getattr(player, "name", type(player).__name__.lower())
        return _enrol(str(name), lambda: copy.deepcopy(player))
    raise Refused(f"{player!r} is no player: it has no choose(view)")


def _enrol(name: str, make: Callable[[], Any]) -> str:
    if inspect.isclass(make) and not callable(getattr(make, "choose", None)):
        raise Refused(f"{name} is no player: it has no choose(view)")
    if name in _installed():
        raise Refused(f"there is a player {name!r} already; give yours another name")
    _enrolled[name] = make
    find.cache_clear()
    return name


def _imported(spec: str) -> Callable[[], Any]:
    try:
        made = resolve_name(spec)
    except (ImportError, AttributeError, ValueError) as error:
        raise Refused(f"there is no player {spec!r}: {error}") from None
    return cast("Callable[[], Any]", made)


def budget(name: str) -> "Plan | None":
    """How long a player with a budget may think about a decision.  Raises Refused.

    None: it takes no budget, or somebody else decides.
    """
    player = find(name)
    return player.check(name.partition(":")[2]) if hasattr(player, "check") else None


def objection(game: Game, name: str, players: int, options: Mapping[str, str]) -> str | None:
    """Why a player cannot play such games from start to end; None if it can.  Raises Refused."""
    return _objection(game, base(name), players, tuple(sorted(options.items())))


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
    return (inspect.getdoc(find(name)) or "").partition("\n")[0]


def from_outside(name: str) -> bool:
    """Whether a player is a class from outside, which may fail."""
    return name in _enrolled or inspect.isclass(find(name))


def thinks(name: str) -> bool:
    """Whether a player remembers between decisions."""
    return from_outside(name) or hasattr(find(name), "sit")


def thinker(game: Game, name: str, seed: int) -> Thinker:
    """A player with a memory, for one seat of one match."""
    if from_outside(name):
        return Outsider(game, name, cast("type", find(name)), seed)
    return cast("Thinker", cast("Any", find(name)).sit(game, name.partition(":")[2], seed))


def room(name: str) -> int:
    """How many states a player with a compiled ``choose`` needs to think."""
    return int(cast("Any", find(name)).ROOM)


@cache
def engine(game: Game, name: str) -> Engine:
    """A game's kernels with its lore, its tally and this player in them.

    For one who is ``LEARNED`` the judge that the game has learned stands before its lore, if it
    has one.  Players who choose alike, and by the same, share what is compiled.
    """
    found = cast("Any", find(name))
    player = import_module(found.choose.__module__)
    learned = judge(game) if getattr(found, "LEARNED", False) else ()
    extra = [part for part in (*learned, game.part("lore"), game.part("tally")) if part]
    return Engine(game.rules, *extra, player)


def cold(game: Game, name: str) -> bool:
    """Whether a player has yet to be compiled for a game."""
    if not thinks(name):
        return engine(game, name).cold(kernels.decide)
    if from_outside(name):
        return False
    from .thinking import knowledge, solve
    from .thinking.futures import rollouts
    from .thinking.tree import iterations

    kernels_of = (iterations.think, rollouts.attempt, solve.solve)
    return all(knowledge.engine(game).cold(kernel) for kernel in kernels_of)


class Bot:
    """A player of the house at one seat: ``Bot("medium")``, ``Bot("search:2000", seed=7)``.

    >>> from yegg.engine import Match
    >>> view = Match("second-story", players=2, seed=0).view(0)
    >>> view.say(Bot("greedy", seed=1).choose(view))
    'thorough'
    """

    def __init__(self, name: str, seed: int = 0) -> None:
        """The same seed and the same views give the same choices.  Raises Refused."""
        find(name)
        self.name, self.seed = name, seed
        self.game: Game | None = None

    def _sit_down(self, game: Game) -> None:
        self.game = game
        self._thinker = thinker(game, self.name, self.seed) if thinks(self.name) else None
        if self._thinker:
            return
        self._decide = engine(game, self.name).kernel(kernels.decide)
        self._dice = np.array([self.seed % 2**64], np.uint64)
        self._out = np.zeros(game.choices, np.int32)
        self._views = np.zeros(1 + room(self.name), game.state.dtype)

    def warm(self, game: Game) -> None:
        """Compile, or load what is compiled, by a first decision of another in another game.

        What it remembers and its dice stay as they are.
        """
        match = Match(game, game.seats({})[0], how="plain").to_decision()
        Bot(self.name).choose(match.view())

    def choose(self, view: View) -> int:
        """One of the view's choices.  Raises Failed where a player from outside gives none."""
        if len(view.choices) == 1:
            return view.choices[0]
        if self.game is not view.game:
            self._sit_down(view.game)
        if self._thinker:
            return self._thinker.choose(view.states, view.seat, view.choices)
        k = len(view.choices)
        self._views[0], self._out[:k] = view.states[0], view.choices
        return int(self._decide(self._views, view.seat, k, self._dice, self._out))
