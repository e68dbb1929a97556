"""What a game is, to everything that is not that game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from yegg.outside import quoted

from .discovery import found
from .engine import Engine
from .errors import Refused
from .forge import How
from .prose import meant, offered
from .record import Option, Record, States
from .voice import Voice


def never(_players: int, _options: Mapping[str, str]) -> str | None:
    """No objection: every option goes with every other and any number of players."""
    return None


@dataclass(frozen=True)
class Game:
    """A game's folder, as the players, the lab and the table see it.

    ``package`` is the folder: ``rules`` and ``words`` in it are required; ``lore``,
    ``odds``, ``screen``, ``tally`` are used where they are found.
    """

    package: str
    title: str
    blurb: str
    """One sentence for the lobby."""
    players: range
    usual: int
    """How many usually sit down."""
    minutes: int = 30
    version: int = 1
    """Counts changes of behaviour; a faster or cleaner version is the same."""
    objection: Callable[[int, Mapping[str, str]], str | None] = field(default=never)
    """Why this number of players or these options (all of them, by name) cannot be."""
    unplayed: tuple[str, ...] = ()
    """What those sides are called that nobody plays; they have a place and a score too."""

    def __repr__(self) -> str:
        return f"<Game {self.name}: {_span(self.players)} players, version {self.version}>"

    @property
    def name(self) -> str:
        """The game's name in records and commands, ``second-story``."""
        return self.package.rpartition(".")[2].replace("_", "-")

    @property
    def folder(self) -> Path:
        """Where the game lives: its rules page, data and records are there."""
        return Path(str(import_module(self.package).__file__)).parent

    @cached_property
    def rules(self) -> ModuleType:
        """State, deal, actor, legal, play, hide, score, standing; CHOICES."""
        return import_module(f"{self.package}.rules")

    @cached_property
    def words(self) -> Any:
        """``say(s, choice)``: the one text of each legal choice."""
        return import_module(f"{self.package}.words")

    @cached_property
    def secret(self) -> bool:
        """Whether not everybody may know all that happens: its words say what a seat has seen."""
        return self.voice.secret

    @cached_property
    def voice(self) -> Voice:
        """All that the game may say."""
        return Voice(self.words, self.part("odds"))

    def part(self, name: str) -> ModuleType | None:
        """A module that the folder may have: ``lore``, ``odds``, ``screen``, ``tally``."""
        full = f"{self.package}.{name}"
        return import_module(full) if find_spec(full) else None

    @property
    def state(self) -> type[Record]:
        """The type of the game's states."""
        return cast("type[Record]", self.rules.State)

    @property
    def choices(self) -> int:
        """Every choice, chance's too, is an integer below this."""
        return int(self.rules.CHOICES)

    @property
    def options(self) -> dict[str, Option]:
        """The options by the name that people write, in the order declared."""
        return {name.replace("_", "-"): made for name, made in self.state.options.items()}

    def engine(self, how: How = "compiled") -> Engine:
        """The game's kernels; made once."""
        return _engine(self, how)

    def side_names(self, names: Sequence[str], sides: int) -> list[str]:
        """What so many sides are called: the players by their names, and those nobody plays."""
        named = [*names, *self.unplayed]
        return [*named, *(f"Side {side + 1}" for side in range(len(named), sides))][:sides]

    def seats(self, options: Mapping[str, str]) -> list[int]:
        """The numbers of players that these options allow."""
        full = {**self.defaults(self.usual), **options}
        return [n for n in self.players if self.objection(n, full) is None]

    def usual_players(self, options: Mapping[str, str]) -> int:
        """How many play with these options if nobody says."""
        fit = self.seats(options)
        return self.usual if self.usual in fit or not fit else fit[0]

    def defaults(self, players: int) -> dict[str, str]:
        """Every option's published value."""
        return self.texts(self.codes(players, {}))

    def codes(self, players: int, options: Mapping[str, str]) -> dict[str, int]:
        """Every option as its number, checked each by itself.  Raises Refused."""
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
        """The options' values as people write them."""
        known = self.options
        return {name: known[name].text(code) for name, code in codes.items()}

    def setup(self, players: int, options: Mapping[str, str]) -> dict[str, int]:
        """Check players and options together; every option as its number.  Raises Refused."""
        codes = self.codes(players if players in self.players else self.usual, options)
        full = self.texts(codes)
        if players not in self.players:
            raise Refused(f"{self.title} is for {_span(self.players)} players, not {players}")
        if why := self.objection(players, full):
            raise Refused(why)
        return codes

    def options_of(self, states: States) -> dict[str, str]:
        """The options away from their default that a state was dealt with, sorted by name."""
        state = states[0]
        codes = {name: int(state[name.replace("-", "_")]) for name in self.options}
        return self.chosen(int(state["players"]), self.texts(codes))

    def chosen(self, players: int, options: Mapping[str, str]) -> dict[str, str]:
        """The options away from their default, sorted by name."""
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
        """States with players and options set, not yet dealt.  Raises Refused."""
        states = np.zeros(games, self.state.dtype)
        states["players"] = players
        for name, code in self.setup(players, options).items():
            states[name.replace("-", "_")] = code
        return states


@cache
def find(name: str) -> Game:
    """The game of this name; only now is its folder imported.  Raises Refused."""
    packages = found("yegg.games", folders=True)
    if name not in packages:
        raise Refused(f"there is no game {quoted(name)}; {offered(name, sorted(packages))}")
    return cast("Game", import_module(packages[name]).GAME)


_engines: dict[tuple[str, str], Engine] = {}


def _engine(game: Game, how: How) -> Engine:
    key = (game.package, how)
    if key not in _engines:
        _engines[key] = Engine(game.rules, how=how)
    return _engines[key]


def _span(players: range) -> str:
    return f"{players[0]} to {players[-1]}" if len(players) > 1 else str(players[0])


def _listed(values: tuple[str, ...]) -> str:
    numbers = all(v.isdecimal() for v in values) and len(values) > 3
    return f"{values[0]} to {values[-1]}" if numbers else " or ".join(values)
