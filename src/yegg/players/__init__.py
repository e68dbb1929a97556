"""Players, found by name.  They play any game, and know no particular one.

A player sees only what ``hide`` leaves.  `OWN` says where those of this folder are.  Either one has
a compiled ``choose`` (see `yegg.engine.verbs`) and ``ROOM``, the number of states that it needs to
think; or, if the player remembers anything between decisions, ``sit(game, budget, seed)``, which
returns a `Thinker`.  A player that takes a budget has ``check(budget)`` too, and one that cannot
play every game has ``objection(game, players, options)``.  With ``LEARNED = True`` it goes by the
policy net of a game, where that covers the setting, and with ``BLIND = True`` by no judge.  A
`Thinker` that minds a clock has ``take_time()`` too, by which it is told to mind it no more.

A player from outside is such a module or a class with ``choose(view)`` (`yegg.engine.Player`).
It is an entry point of the group ``yegg.players``, or is named as ``module:Class``.
"""

import copy
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from yegg.engine import Game, Match, Refused, States, View, kernels
from yegg.engine.compiler import How
from yegg.engine.engine import Engine
from yegg.engine.whole import whole
from yegg.text.names import LONGEST, cut
from yegg.text.phrases import capital, listing, offered
from yegg.text.untrusted import quoted

from .outside import SECONDS, Outsider
from .policy_net import policy_function

if TYPE_CHECKING:
    from .thinking.plan import Plan

OWN = {
    "easy": f"{__name__}.easy",
    "exact": f"{__name__}.exact",
    "expert": f"{__name__}.hard:EXPERT",
    "greedy": f"{__name__}.greedy",
    "hard": f"{__name__}.hard:HARD",
    "medium": f"{__name__}.medium",
    "search": f"{__name__}.search",
    "uniform": f"{__name__}.uniform",
}
"""Where the players of this folder can be imported."""
CHAT = "chat"  # before the colon: a language model, see `yegg.players.chat`
STAND_IN = "medium"  # plays for a bot that thinks, until that is compiled
LEVELS = ("easy", "medium", "hard", "expert")
"""The players that people choose from first, the easiest first."""


class Thinker(Protocol):
    """A player that remembers between decisions, at one seat of one match."""

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""


_enrolled: dict[str, Callable[[], Any]] = {}
"""The players that this process alone knows: by name, what makes one."""


@cache
def _installed() -> dict[str, str]:
    return {entry.name: entry.value for entry in entry_points(group=__name__)} | OWN


def names() -> tuple[str, ...]:
    """The names of all players."""
    return tuple(sorted({*_installed(), *_enrolled}))


def base(name: str) -> str:
    """A player's name without its budget; ``module:Class`` has none."""
    return name if name in _enrolled else name.partition(":")[0]


def known(name: str) -> bool:
    """Whether there is a player of this name, with or without a budget."""
    return base(name) in names()


@cache
def find(name: str) -> ModuleType | type:
    """The module or class of this name; a budget may follow the name, as in ``search:2000``.

    Raises Refused if there is none, or if it does not take the budget.
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

    ``player`` is the name of a known player, ``module:Class``, ``chat:MODEL@URL`` for a language
    model, a class with ``choose(view)``, or an instance, of which every seat gets a copy.
    Importing a module runs its code, and a language model is paid for: never pass on a name that
    came over the network.  Raises Refused if it is no player.
    """
    if isinstance(player, str):
        base, colon, _ = player.partition(":")
        if not colon or base in _installed():
            find(player)
            return player
        return _enrol(player, _model(player) if base == CHAT else _imported(player))
    if inspect.isclass(player):
        return _enrol(player.__name__.lower(), player)
    if hasattr(player, "choose"):
        name = getattr(player, "name", type(player).__name__.lower())
        return _enrol(str(name), partial(copy.deepcopy, player))
    raise Refused(f"{player!r} is no player: it has no choose(view)")


def _enrol(name: str, make: Callable[[], Any]) -> str:
    if inspect.isclass(make) and not callable(getattr(make, "choose", None)):
        raise Refused(f"{name} is no player: it has no choose(view)")
    if name in _installed():
        raise Refused(f"there is a player {name!r} already; give yours another name")
    _enrolled[name] = make
    find.cache_clear()
    return name


def _model(name: str) -> Callable[[], Any]:
    from .chat import Model

    return Model.read(name)


def title(name: str) -> str:
    """What a player is called at a table: ``mybots:Bold`` is Bold.

    >>> title("chat:llama/qwen3@http://localhost/v1"), title("search:2000"), title("mybots:Bold")
    ('Qwen3', 'Search 2000', 'Bold')
    """
    if name.startswith(f"{CHAT}:"):
        model = name.removeprefix(f"{CHAT}:").partition("@http")[0].rpartition("/")[2]
        return cut(capital(model), LONGEST)
    last = name.rpartition(":")[2]
    return capital(last) if last.isidentifier() else name.replace(":", " ").title()


def _imported(spec: str) -> Callable[[], Any]:
    try:
        made = resolve_name(spec)
    except (ImportError, AttributeError, ValueError) as error:
        raise Refused(f"there is no player {spec!r}: {error}") from None
    return cast("Callable[[], Any]", made)


def budget(name: str) -> "Plan | None":
    """How long a player may think about a decision; None if it takes no budget.

    Raises Refused.
    """
    player = find(name)
    return player.check(name.partition(":")[2]) if hasattr(player, "check") else None


def objection(game: Game, name: str, players: int, options: Mapping[str, str]) -> str | None:
    """Why a player cannot play such games to their end; None if it can.  Raises Refused."""
    return _objection(game, base(name), players, tuple(sorted(options.items())))


@cache
def _objection(
    game: Game, name: str, players: int, options: tuple[tuple[str, str], ...]
) -> str | None:
    asked = getattr(find(name), "objection", None)
    return asked(game, players, dict(options)) if asked else None


def able(game: Game, players: int, options: Mapping[str, str]) -> list[str]:
    """The names of the players that can play such games: the levels first, from the easiest."""
    fit = [name for name in names() if objection(game, name, players, options) is None]
    return sorted(fit, key=lambda name: LEVELS.index(name) if name in LEVELS else len(LEVELS))


def about(name: str) -> str:
    """What a player does, in one line."""
    return (inspect.getdoc(find(name)) or "").partition("\n")[0]


def from_outside(name: str) -> bool:
    """Whether a player is a class from outside, which may fail."""
    return name in _enrolled or inspect.isclass(find(name))


def thinks(name: str) -> bool:
    """Whether a player remembers between decisions."""
    return from_outside(name) or hasattr(find(name), "sit")


def maker(name: str) -> Callable[[], Any]:
    """What makes a player from outside."""
    return cast("Callable[[], Any]", find(name))


def thinker(
    game: Game, name: str, seed: int, *, clock: bool = True, seconds: float = SECONDS
) -> Thinker:
    """A player that remembers between decisions, for one seat of one match.

    Without a ``clock`` it thinks as much as it means to, however busy the machine is.  One from
    outside may think for so many ``seconds``.
    """
    if from_outside(name):
        return Outsider(game, name, maker(name), seed, seconds)
    made = cast("Any", find(name)).sit(game, name.partition(":")[2], seed)
    if not clock and hasattr(made, "take_time"):
        made.take_time()
    return cast("Thinker", made)


def homes(more: Iterable[str] = ()) -> set[str]:
    """The modules in which all installed players are written, and ``more`` of this process."""
    made = [_enrolled[name] for name in more if name in _enrolled]
    classes = [type(one.args[0]) if isinstance(one, partial) else one for one in made]
    installed = {spec.partition(":")[0] for spec in _installed().values()}
    return installed | {str(one.__module__) for one in classes}


def room(name: str) -> int:
    """How many states a player with a compiled ``choose`` needs to think."""
    return int(cast("Any", find(name)).ROOM)


def engine(
    game: Game, name: str, how: How = "compiled", parts: tuple[ModuleType, ...] = ()
) -> Engine:
    """The kernels over a game's rules, lore and tally and over this player, and over ``parts``.

    For a player who is ``LEARNED`` the policy net of the game stands before its lore, if it has
    one.  Players that share a ``choose``, and judge by the same, share the kernels.
    """
    found = cast("Any", find(name))
    player = import_module(found.choose.__module__)
    learned = policy_function.learned(game).parts if getattr(found, "LEARNED", False) else ()
    return game.engine(*learned, "lore", "tally", player, *parts, how=how)


def cold(game: Game, name: str) -> bool:
    """Whether a player must still be compiled for a game.

    One that thinks is compiled where it has decided once, with today's sources: `Bot.warm`.
    """
    if from_outside(name):
        return False
    if not thinks(name):
        return engine(game, name).cold(kernels.decide)
    return not mark(game, find(name).__name__).exists()


def mark(game: Game, module: str) -> Path:
    """The file that is there once a module's code has run, compiled, over all a game knows."""
    return game.engine(*policy_function.learned(game).parts, "lore").compiler.mark(module)


def leave(mark: Path) -> None:
    """Leave such a file; without one it is only compiled, or loaded, once more."""
    with suppress(OSError):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def stand_in(name: str) -> str:
    """The player in a bot's place until it is compiled: itself, if it looks one choice ahead."""
    return STAND_IN if thinks(name) and not from_outside(name) else name


def until_ready(called: Mapping[str, str], *, ever: bool = True) -> str:
    """A note about bots that are not compiled, by what they are called here.

    It names those that another plays for; "" where all are played for by their own twins.
    ``ever``: whether they will be compiled; otherwise it was tried in vain.

    >>> until_ready({"Nessa": "hard", "Otto": "easy"}), until_ready({"Otto": "easy"})
    ('Nessa plays like medium until it is ready.', '')
    >>> until_ready({"Nessa": "hard", "Otto": "search:9"})
    'Nessa and Otto play like medium until they are ready.'
    >>> until_ready({"Nessa": "hard"}, ever=False)
    'Nessa plays like medium, since it cannot be compiled here.'
    """
    replaced = [who for who, name in called.items() if stand_in(name) != name]
    if not replaced:
        return ""
    several = len(replaced) > 1
    play, they = ("play", "they") if several else ("plays", "it")
    ready = f" until {they} {'are' if several else 'is'} ready"
    why = ready if ever else f", since {they} cannot be compiled here"
    return f"{listing(replaced)} {play} like {STAND_IN}{why}."


def rules_of(view: View) -> tuple[int, ...]:
    """How many play, and by which options: what thinks about others has other memory."""
    state = view.state  # one object, which remembers where its numbers are
    return (state.players, *(getattr(state, name) for name in view.game.state.options))


class Bot:
    """A player by its name, at one seat: ``Bot("medium")``, ``Bot("search:2000", seed=7)``.

    >>> from yegg.engine import Match
    >>> view = Match("second-story", players=2, seed=0).view(0)
    >>> view.say(Bot("greedy", seed=1).choose(view))
    'thorough'
    """

    def __init__(
        self,
        name: str,
        seed: int = 0,
        *,
        how: How = "compiled",
        clock: bool = True,
        seconds: float | None = SECONDS,
    ) -> None:
        """The same seed and the same views give the same choices.  Raises Refused if unknown.

        ``how="plain"`` needs no compiler and answers at once; a bot that thinks is then replaced
        by its `stand_in`.  Any other makes the same choices either way, and ``how`` may be changed
        between two of them.  A bot that thinks may stop early on a busy machine; not so without a
        ``clock``.  A player of your own may think for ``seconds``; None: as long as it likes.
        """
        find(name)
        self.name, self.seed, self.how, self.clock = name, whole(seed, "a seed"), how, clock
        self.seconds = math.inf if seconds is None else seconds
        self.game: Game | None = None
        self._made = how
        self._rules: tuple[int, ...] = ()

    def _sit_down(self, game: Game) -> None:
        """Begin a match, or go on with it by other code, and then with the same dice."""
        name = stand_in(self.name) if self.how == "plain" else self.name
        self._thinker = None
        if thinks(name):
            more: dict[str, Any] = {"clock": self.clock, "seconds": self.seconds}
            self._thinker = thinker(game, name, self.seed, **more)
        if self.game is not game:
            self._dice = np.array([self.seed % 2**64], np.uint64)
        self.game, self._made = game, self.how
        if self._thinker:
            return
        self._decide = engine(game, name, self.how).kernel(kernels.decide)
        self._out = np.zeros(game.choices, np.int32)
        self._views = np.zeros(1 + room(name), game.state.dtype)

    def warm(self, game: Game) -> None:
        """Compile the player for a game, or load it, by letting a second bot decide once.

        What this bot remembers, and its dice, do not change.
        """
        match = Match(game, game.seats({})[0], how="plain").to_decision()
        Bot(self.name).choose(match.view())
        if thinks(self.name) and not from_outside(self.name):
            leave(mark(game, find(self.name).__name__))

    def choose(self, view: View) -> int:
        """One of ``view.choices``, of which there must be at least one.

        Raises Failed if a player from outside makes no choice.
        """
        if len(view.choices) == 1:
            return view.choices[0]
        moves_over = self.how != self._made and not from_outside(self.name)
        rules = rules_of(view)
        if self.game is not view.game or self._rules != rules or moves_over:
            self._sit_down(view.game)
            self._rules = rules
        if self._thinker:
            return self._thinker.choose(view.states, view.seat, view.choices)
        k = len(view.choices)
        self._views[0], self._out[:k] = view.states[0], view.choices
        with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
            return int(self._decide(self._views, view.seat, k, self._dice, self._out))
