"""The columns and actions of one net for all of a game's settings, however many play.

A setting's columns and actions have their places among those of the setting with the most sides:
what an absent seat would fill stays empty.  After them come columns that do not change during a
game: how many play, and the options.  Columns are told apart by their names, and actions by what
the first seat means by them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Ints

from .columns import Columns, Plan, Plans
from .setting import Setting, setting

FIELDS = Plan._fields[:6]
SHIFTS = {"codes": (2, "places"), "cards": (2, "rows"), "hands": (7, "rows")}
"""Where steps of a plan name a place in one of its lists: in which number, and in which list."""


class Tables(NamedTuple):
    """What compiled code needs to write a view as the net's columns: see `encode.encode`.

    The plans have a row for each number of sides and seat; ``first`` says which.
    """

    plan: Plan
    more: Plan
    """Of what the game counts (`more`); without steps where it counts nothing."""
    first: Ints
    """(sides + 1,): the row of the first seat where so many sides take part; -1 where none can."""
    scale: NDArray[np.float32]
    """(C,): what the whole number in a column is multiplied by."""
    actions: Ints
    """(players + 1, P, CHOICES): a choice as a net's action, by how many play and the seat; -1."""


class Layout:
    """C columns and A actions for all settings of a game.

    The last column is no part of a net: steps that have nothing to write write there.
    """

    def __init__(self, game: Game) -> None:
        """Look at the setting of each number of players, and at all options."""
        self.game = game
        alone = {1: game.alone()[0]} if game.alone() else {}
        fit = [n for n in game.players if n in game.seats(alone.get(n, {}))]
        settings = [setting(game, n, **keywords(alone.get(n, {}))) for n in fit]
        widest = max(settings, key=lambda one: one.sides)
        self.settings = {one.players: one for one in settings}
        self.widest = widest
        names = list(widest.columns)
        names += [f"players={n}" for n in self.settings]
        for name, made in game.options.items():
            names += [f"{name}={value}" for value in made.values]
        self.columns: tuple[str, ...] = tuple(names)
        """What each column is called; (C - 1,)."""
        self.place = {name: at for at, name in enumerate(names)}
        self.scale = np.ones(len(names) + 1, np.float32)
        self.scale[: len(widest.columns)] = widest.scale
        self.actions = widest.choices.shape[1]

    def columns_of(self, one: Setting) -> NDArray[np.int64]:
        """The column of each of a setting's own columns."""
        return np.array([self.place[name] for name in one.columns])

    def constants_of(self, one: Setting) -> NDArray[np.int64]:
        """The columns that are 1 throughout a game: how many play, and each option's value."""
        codes = self.game.setup(one.players, one.options)
        told = {name: self.game.options[name].text(code) for name, code in codes.items()}
        names = [f"players={one.players}", *(f"{name}={value}" for name, value in told.items())]
        return np.array([self.place[name] for name in names])

    def actions_of(self, one: Setting) -> NDArray[np.int64]:
        """The net's action for each of a setting's own actions."""
        actions: NDArray[np.int64] = self.widest.actions[0, one.choices[0]].astype(np.int64)
        return actions

    def tables(self) -> Tables:
        """The tables for compiled code."""
        plans: list[Plan] = []
        counted: list[Plan] = []
        sides = {one.sides: one for one in self.settings.values()}
        first, rows = np.full(max(sides) + 1, -1, np.int32), 0
        for n, one in sorted(sides.items()):
            first[n], rows = rows, rows + n
            plans.append(self._placed(one.shown))
            counted.append(self._placed(one.counted))
        most = max(self.settings)
        actions = np.full((most + 1, most, self.game.choices), -1, np.int32)
        for n, one in self.settings.items():
            actions[n, :n] = np.where(one.actions < 0, -1, self.actions_of(one)[one.actions])
        return Tables(self._stacked(plans), self._stacked(counted), first, self.scale, actions)

    def _placed(self, shown: Columns) -> Plan:
        """The plan of some columns, which writes to the net's."""
        return shown.plan([self.place[name] for name in shown.names])

    def _stacked(self, plans: Sequence[Plan]) -> Plan:
        """One plan with the rows of several; shorter ones get steps that write nothing."""
        nowhere = len(self.columns)
        none = sum(len(plan.places) for plan in plans)  # where -1 stands
        idle = {
            "numbers": [0, nowhere, 0, 0],
            "codes": [0, nowhere, none, 0, 0],
            "bits": [0, nowhere, 0],
            "cards": [0, nowhere, 0, 0, 0, 0],
        }
        made: dict[str, Any] = {}
        for field in FIELDS:
            steps = [getattr(plan, field).copy() for plan in plans]
            if field in SHIFTS:
                number, name = SHIFTS[field]
                ends = np.cumsum([len(getattr(plan, name)) for plan in plans])
                for one, end, plan in zip(steps, ends, plans, strict=True):
                    one[:, :, number] += np.uint32(end - len(getattr(plan, name)))
            made[field] = np.concatenate(_padded(steps, idle.get(field, [])))
        places = np.concatenate([*(plan.places for plan in plans), np.array([-1], np.int32)])
        return Plan(**made, places=places, rows=np.concatenate([plan.rows for plan in plans]))


def _padded(steps: Sequence[Plans], idle: Sequence[int]) -> list[Plans]:
    """Steps (seats, n, numbers) of several plans, as many in each."""
    most = max(one.shape[1] for one in steps)
    made = []
    for one in steps:
        missing = len(one), most - one.shape[1], len(idle)
        pads = np.broadcast_to(np.array(idle, np.uint32), missing)
        kept = one if one.shape[1] else pads[:, :0]
        made.append(np.concatenate([kept, pads], axis=1) if missing[1] else one)
    return made


def keywords(options: Mapping[str, str]) -> dict[str, str]:
    """Options by the names that `setting` takes."""
    return {name.replace("-", "_"): value for name, value in options.items()}


@cache
def layout(game: Game) -> Layout:
    """The layout of a game's nets; it is worked out once."""
    return Layout(game)
