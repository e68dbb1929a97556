"""A game with so many players and these options, as agents meet it: actions and columns."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Ints, Refused, kernels
from yegg.engine.columns import Code, Kind, Number
from yegg.engine.game import find, game_of, packages
from yegg.engine.record import Record
from yegg.engine.whole import whole

from .columns import BARE, Columns


class Setting:
    """What does not change from game to game.  A actions, C columns, P players."""

    def __init__(self, game: Game, players: int, options: Mapping[str, str]) -> None:
        """Options by the names that records have.  Raises Refused if these do not go together."""
        self.game, self.players = game, players
        self.options = game.chosen(players, options)
        self.dealt = game.blank(players, self.options)
        """The state with which every game begins, shape (1,); no chance is in it."""
        plain = game.engine(how="plain")  # which need not be compiled: players ask before it is
        plain.kernel(kernels.begin)(self.dealt, np.zeros(game.choices, np.int32))
        self.sides = len(plain.result(self.dealt)[0])
        """How many sides share the win: the players, and perhaps one that nobody plays."""
        module = game.part("columns")
        self.counts = module if module and hasattr(module, "more") else None
        """The module that counts what follows from a view, if the game has one."""
        self.engine = game.engine(*((self.counts,) if self.counts else ()))
        """The kernels over the rules, and over what is counted."""
        self._columns(module)
        self.choices = self._choices(module)
        """Each seat's actions as the engine's choices, shape (P, A)."""
        self.actions = np.full((players, game.choices), -1, np.int32)
        """Each choice as the seat's action, or -1; shape (P, CHOICES)."""
        for seat in range(players):
            self.actions[seat, self.choices[seat]] = np.arange(self.choices.shape[1])

    def __reduce__(self) -> Any:
        if not found_again(self.game):
            raise Refused("an environment with a deck of your own cannot be pickled")
        return _setting, (self.game.name, self.players, tuple(self.options.items()))

    def __deepcopy__(self, _memo: object) -> "Setting":
        return self

    @property
    def name(self) -> str:
        """The environment's name with its version: that of the columns, else of the rules.

        >>> setting("magnate").name
        'Magnate-v2'
        """
        return titled(self.game)

    def _columns(self, module: ModuleType | None) -> None:
        """Names, scale and bounds of the columns, and the plans that fill them."""
        dtype = self.dealt.dtype
        kinds = module.columns(self.sides) if module else bare(self.game.state, self.players)
        shown = Columns(dtype, kinds, self.sides)
        self.extra = module.More.dtype if module and self.counts else np.dtype([("players", "i4")])
        """The type of what the game counts."""
        more = module.more_columns(self.sides) if module and self.counts else {}
        counted = Columns(self.extra, more, self.sides, first=len(shown.names))
        self.shown, self.counted = shown, counted
        """The columns of the state, and of what the game counts."""
        self.plan, self.more_plan = shown.plan(), counted.plan()
        self.columns: tuple[str, ...] = (*shown.names, *counted.names)
        """What each column is called, as in ``lair[+1][suns]``."""
        high = np.array([*shown.high, *counted.high], np.int32)
        self.scale: NDArray[np.float32] = np.float32(1) / high.astype(np.float32)
        """What the whole number in a column is multiplied by, shape (C,)."""
        self.most = np.array([*shown.most, *counted.most], np.int64)
        """The largest whole number of each column."""
        self.least = np.array([*shown.least, *counted.least], np.int64)
        """The smallest; 0 unless a game does not say what its fields mean."""

    def bounds(self, dtype: str = "float32") -> tuple[NDArray[Any], ...]:
        """The least and the greatest that columns can be, as ``float32`` or as ``int8``."""
        both = self.least, self.most
        if dtype == "int8":
            return tuple(np.clip(one, -128, 127).astype(np.int8) for one in both)
        return tuple(one.astype(np.float32) * self.scale for one in both)

    def _choices(self, module: ModuleType | None) -> Ints:
        """Each seat's actions: where a choice names a seat, one's own comes first."""
        named: dict[int, int] = getattr(module, "BY_SEAT", {})
        turned: dict[int, tuple[int, int]] = {}  # by choice: the block's first, and how many a seat
        seats = self.game.players[-1]
        for first, each in named.items():
            turned |= {first + i: (int(first), each) for i in range(seats * each)}
        actions = getattr(module, "ACTIONS", range(self.game.choices))
        choices = []
        for seat in range(self.players):
            mine = []
            for choice in map(int, actions):
                first, each = turned.get(choice, (choice, 1))
                turn, nth = divmod(choice - first, each)
                if turn < self.players:
                    there = (turn + seat) % self.players if choice in turned else turn
                    mine.append(first + there * each + nth)
            choices.append(mine)
        return np.array(choices, np.int32)


def titled(game: Game) -> str:
    """A game as Gymnasium calls environments, with the version of its columns or rules."""
    version = getattr(game.part("columns"), "VERSION", game.version)
    return f"{''.join(word.capitalize() for word in game.name.split('-'))}-v{version}"


def bare(state: type[Record], players: int) -> dict[str, Kind]:
    """Every field of a state as bare numbers, and one's seat: for a game that says no more."""
    names = [str(seat + 1) for seat in range(players)]
    own = Code(names, lambda _value, seat, _sides: seat, span=players + 1, source="players")
    kinds: dict[str, Kind] = {"seat": own}
    fields: Mapping[str, Any] = state.dtype.fields or {}
    for name in fields:
        if name not in {"players", "_pad"} and name not in state.options:
            axes = [[str(i + 1) for i in range(size)] for size in fields[name][0].shape]
            kinds[name] = Number(most=BARE, by=axes)
    return kinds


def setting(
    game: Game | str,
    players: int | None = None,
    *,
    cards: Path | str | None = None,
    **options: object,
) -> Setting:
    """A game with its options as keywords: ``setting("magnate", courts="yes")``.

    Dashes in an option's name are underscores here; yes and no may be True and False.  By default
    as many play as usual.  ``cards`` is the file of a deck of your own.  Raises Refused.
    """
    found = game_of(game, cards)
    told = {name.replace("_", "-"): said(value) for name, value in options.items()}
    usual = found.usual_players(told)
    players = usual if players is None else whole(players, "how many play")
    if not found_again(found):
        return Setting(found, players, told)
    return _setting(found.name, players, tuple(found.chosen(players, told).items()))


def found_again(game: Game) -> bool:
    """Whether a game is found by its name: one with a deck of your own is not."""
    return game.name in packages() and find(game.name) is game


def said(value: object) -> str:
    """An option's value as people write it."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


@cache
def _setting(game: str, players: int, options: tuple[tuple[str, str], ...]) -> Setting:
    return Setting(find(game), players, dict(options))
