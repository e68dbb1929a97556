"""A game, as everything outside its folder sees it."""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from yegg.text.phrases import meant, offered
from yegg.text.untrusted import quoted

from .compiler import How
from .engine import Engine
from .errors import Refused
from .record import Option, Record, States
from .renamed import WITH_VERBS, adopt
from .voice import Voice
from .whole import whole

GAMES = "yegg.games"
"""The package of the house's own games, and the group of entry points of others."""
KEPT = "yegg_kept"
"""How packages begin that hold the rules of an earlier version."""
MOST_GAMES = 2**24  # side by side


def never(_players: int, _options: Mapping[str, str]) -> str | None:
    """The default for a game's ``objection``: every option goes with every other."""
    return None


@dataclass(frozen=True)
class Game:
    """A game: its folder, its options, and what players, lab and table need of it.

    ``package`` is the folder.  The modules ``rules`` and ``words`` in it are needed; ``lore``,
    ``events``, ``odds``, ``screen`` and ``tally`` are used where they are found.  Names of games
    can be given wherever a game is; a `Match` has its game.

    >>> import yegg
    >>> game = yegg.Match("magnate", players=2, how="plain").game
    >>> game, game.title, list(game.options)[:2]
    (<Game magnate: 1 to 2 players, version 2>, 'Magnate', ['courts', 'districts'])
    """

    package: str
    title: str
    blurb: str
    """One sentence for the lobby."""
    players: range
    usual: int
    """How many usually play."""
    minutes: int = 30
    pace: tuple[float, float] | None = None
    """Seconds that people take for a decision among several choices, and for any other event.

    They make `minutes` of a usual game of `medium`; the laboratory counts minutes by them.
    """
    version: int = 1
    """It goes up when the rules behave differently; faster or cleaner rules keep it."""
    cards: str = ""
    """The name and digest of a deck that is not the published one, as records have them."""
    objection: Callable[[int, Mapping[str, str]], str | None] = field(default=never)
    """Why a number of players and options (all of them, by name) cannot be; None if they can."""
    unplayed: tuple[str, ...] = ()
    """What those sides are called that nobody plays; they have a place and a score too."""
    like: str = ""
    """The game that this one is a changed copy of: while its columns are the same it plays by the
    other's policy net, until it has one of its own."""
    by_lore: bool = False
    """Whether players judge it by lore alone, so that two games are judged alike."""

    def __repr__(self) -> str:
        return f"<Game {self.name}: {_span(self.players)} players, version {self.version}>"

    @property
    def name(self) -> str:
        """The game's name in records and commands, ``second-story``."""
        return self.package.rpartition(".")[2].replace("_", "-")

    @property
    def kept(self) -> bool:
        """Whether these are rules of an earlier version, kept for games begun under them."""
        return self.package.startswith(KEPT)

    @property
    def folder(self) -> Path:
        """The game's folder on disk, with its rules page, data and records."""
        return Path(str(import_module(self.package).__file__)).parent

    @cached_property
    def rules(self) -> ModuleType:
        """The module of the rules: State, CHOICES and the verbs."""
        return import_module(f"{self.package}.rules")

    @cached_property
    def words(self) -> Any:
        """The module of the words: ``say(s, choice)`` is the one text of each legal choice."""
        return import_module(f"{self.package}.words")

    @cached_property
    def secret(self) -> bool:
        """Whether some events are not for everybody's eyes."""
        return self.voice.secret

    @cached_property
    def voice(self) -> Voice:
        """Everything that the game can say."""
        return Voice(self.words, self.part("odds"), self.part("events"))

    def part(self, name: str) -> ModuleType | None:
        """A module that the folder may have (``lore``, ``odds``, ``screen`` …), or None."""
        made = _module(f"{self.package}.{name}")
        return adopt(made) if made and name in WITH_VERBS else made

    @property
    def state(self) -> type[Record]:
        """The type of the game's states."""
        return cast("type[Record]", self.rules.State)

    @property
    def choices(self) -> int:
        """Every choice, chance's too, is an integer from 0 up to, but not including, this."""
        return int(self.rules.CHOICES)

    @property
    def options(self) -> dict[str, Option]:
        """The options by the names that people write, in the order declared."""
        return {name.replace("_", "-"): made for name, made in self.state.options.items()}

    def with_cards(self, path: Path | str | None) -> "Game":
        """The same game with the deck of a file, or the game itself if there is no file.

        The game's package makes it by a function ``use_cards(path)``.  Raises Refused if it has
        none, or if the file is no deck.
        """
        if path is None:
            return self
        use = getattr(import_module(self.package), "use_cards", None)
        if use is None:
            raise Refused(f"the cards of {self.title} cannot be changed")
        return cast("Game", use(Path(path)))

    def own_deck(self) -> str:
        """The file of a deck to begin with: the published cards, explained.  Raises Refused.

        The game's package makes it by a function ``own_deck()``.
        """
        make = getattr(import_module(self.package), "own_deck", None)
        if make is None:
            raise Refused(f"the cards of {self.title} cannot be changed")
        return str(make())

    def engine(self, *parts: str | ModuleType, how: How = "compiled") -> Engine:
        """The kernels over the game's rules and ``parts``; each set of parts has one engine.

        ``parts`` are modules, or names of modules that the game's folder may have (``lore``);
        one that the folder does not have is left out.
        """
        modules = [self.part(part) if isinstance(part, str) else part for part in parts]
        return _engine(self.rules, *filter(None, modules), how=how)

    def side_names(self, names: Sequence[str], sides: int) -> list[str]:
        """The names of so many sides: the players' own, and those of sides that nobody plays."""
        named = [*names, *self.unplayed]
        return [*named, *(f"Side {side + 1}" for side in range(len(named), sides))][:sides]

    def seats(self, options: Mapping[str, str]) -> list[int]:
        """The numbers of players that these options allow."""
        full = {**self.defaults(self.usual), **options}
        return [n for n in self.players if self.objection(n, full) is None]

    def usual_players(self, options: Mapping[str, str]) -> int:
        """How many players these options are usually played with."""
        fit = self.seats(options)
        return self.usual if self.usual in fit or not fit else fit[0]

    def alone(self) -> list[dict[str, str]]:
        """The options with each of which one person plays without others; none if nobody can.

        >>> from yegg import games
        >>> games.find("magnate").alone(), games.find("secrets").alone()
        ([{'automa': 'easy'}, {'automa': 'hard'}], [])
        """
        ways = [{name: value} for name, made in self.options.items() for value in made.values]
        return [way for way in ({}, *ways) if self.seats(way) and self.seats(way)[0] == 1]

    def defaults(self, players: int) -> dict[str, str]:
        """Every option's value in the published rules."""
        return self.texts(self.codes(players, {}))

    def codes(self, players: int, options: Mapping[str, str]) -> dict[str, int]:
        """Every option's value as a number; each is checked by itself.  Raises Refused."""
        known = self.options
        for name in options:
            if name not in known:
                there = offered(name, list(known)) if known else "it has none"
                raise Refused(f"{self.title} has no option {quoted(name)}; {there}")
        codes: dict[str, int] = {}
        for name, made in known.items():
            if name not in options:
                codes[name] = made.default(players, codes)
            elif options[name] in made.values:
                codes[name] = made.code(options[name])
            else:
                given, there = options[name], _listed(made.values)
                close = meant(given, [value for value in made.values if not value.isdecimal()])
                hint = f"did you mean {close!r}? " if close else ""
                raise Refused(f"option {name} cannot be {quoted(given)}; {hint}it can be {there}")
        return codes

    def texts(self, codes: Mapping[str, int]) -> dict[str, str]:
        """The options' values as people write them, from their numbers."""
        known = self.options
        return {name: known[name].text(code) for name, code in codes.items()}

    def setup(self, players: int, options: Mapping[str, str]) -> dict[str, int]:
        """As `codes`, and check that players and options go together.  Raises Refused."""
        players = whole(players, "how many play")
        codes = self.codes(players if players in self.players else self.usual, options)
        full = self.texts(codes)
        if players not in self.players:
            raise Refused(f"{self.title} is for {_span(self.players)} players, not {players}")
        if why := self.objection(players, full):
            raise Refused(why)
        return codes

    def options_of(self, states: States) -> dict[str, str]:
        """The options of a state that differ from the published rules, sorted by name."""
        state = states[0]
        codes = {name: int(state[name.replace("-", "_")]) for name in self.options}
        return self.chosen(int(state["players"]), self.texts(codes))

    def chosen(self, players: int, options: Mapping[str, str]) -> dict[str, str]:
        """The options that differ from the published rules, sorted by name.  Raises Refused."""
        codes = self.setup(players, options)
        known = self.options
        so_far: dict[str, int] = {}
        away = {}
        for name, code in codes.items():
            if code != known[name].default(players, so_far):
                away[name] = known[name].text(code)
            so_far[name] = code
        return dict(sorted(away.items()))

    def blank(self, players: int, options: Mapping[str, str], games: int = 1) -> States:
        """States, shape (games,), with players and options set but not dealt.  Raises Refused."""
        codes = self.setup(players, options)
        states = np.zeros(whole(games, "how many games", 0, MOST_GAMES), self.state.dtype)
        states["players"] = players
        for name, code in codes.items():
            states[name.replace("-", "_")] = code
        return states


@cache
def packages() -> dict[str, str]:
    """The packages of all games by name, the house's own and the entry points of others.

    Where two have one name, our own wins.  What `faults` names is left out.
    """
    others = {entry.name: entry.value for entry in entry_points(group=GAMES)}
    return {name: others[name] for name in others if name not in faults()} | _own()


@cache
def faults() -> dict[str, str]:
    """By name, why games of other packages cannot be played; all others can."""
    others = {entry.name: entry.value for entry in entry_points(group=GAMES)}
    whys = {name: _fault(name, others[name]) for name in others if name not in _own()}
    return {name: why for name, why in whys.items() if why}


def _own() -> dict[str, str]:
    own = pkgutil.iter_modules(import_module(GAMES).__path__, f"{GAMES}.")
    return {m.name.rpartition(".")[2].replace("_", "-"): m.name for m in own if m.ispkg}


def _fault(name: str, package: str) -> str:
    """Why a package of others is no game of that name; "" if it is one."""
    try:
        game = import_module(package).GAME
        _ = game.state, game.words
    except Refused as error:
        return str(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001  whatever others wrote
        return f"{type(error).__name__} in {package}: {' '.join(str(error).split())}"
    if game.package != package:
        return f"its package is {package}, but its GAME says package={game.package!r}"
    if game.name != name:
        return f"its entry point is called {name!r}: of the package {package} it is {game.name!r}"
    return ""


@cache
def find(name: str) -> Game:
    """The game of this name; its folder is imported only now.  Raises Refused."""
    if name in faults():
        raise Refused(f"the game {quoted(name)} cannot be played: {faults()[name]}")
    if name not in packages():
        raise Refused(f"there is no game {quoted(name)}; {offered(name, sorted(packages()))}")
    return cast("Game", import_module(packages()[name]).GAME)


@cache
def _module(name: str) -> ModuleType | None:
    return import_module(name) if find_spec(name) else None


@cache
def _engine(*parts: ModuleType, how: How) -> Engine:
    return Engine(*parts, how=how)


def game_of(game: Game | str, cards: Path | str | None = None) -> Game:
    """The game itself, or the one of this name; with the deck of a file, if one is given.

    Raises Refused.
    """
    return (find(game) if isinstance(game, str) else game).with_cards(cards)


def _span(players: range) -> str:
    return f"{players[0]} to {players[-1]}" if len(players) > 1 else str(players[0])


def _listed(values: tuple[str, ...]) -> str:
    numbers = all(v.isdecimal() for v in values) and len(values) > 3
    return f"{values[0]} to {values[-1]}" if numbers else " or ".join(values)
