"""The file of a tuning: settings to search, targets, and how much may be played.

Everything is checked before the first game.  docs/lab-tuning.md describes the file.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from yegg import games
from yegg.engine import Game, Refused
from yegg.lab.cells import Cell, Variant
from yegg.lab.experiment.rules_in_words import in_words
from yegg.lab.experiment.schema import Experiment, parsed
from yegg.lab.file_schema import Positive, Whole, from_toml, struct
from yegg.stats.intervals import Figure
from yegg.stats.p_values import Floats

LISTED = 5000  # settings at most that are listed; of more, some are proposed
FRESH = 1_000_000  # added to the seed for the last deals, which no setting has met
LOOKED = 20_000  # settings at most that are looked through for one that is possible
WAYS = ("is", "below", "above")

Aim = Annotated[float, Meta(gt=-1e9, lt=1e9)]
AtLeastTwo = Annotated[int, Meta(ge=2, lt=2**40)]


class Range(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """Whole numbers at equal distances: ``{ from = 3, to = 20 }``."""

    first: int
    last: int
    step: Positive = 1


class TargetTable(msgspec.Struct, frozen=True, rename={"is_": "is"}):
    """An entry of a target, as it is written: what a measure should be."""

    of: str = ""
    title: str = ""
    kind: Literal["number", "share", "part"] | None = None
    weight: Annotated[float, Meta(gt=0, lt=1e9)] = 1.0
    is_: Aim | None = None
    below: Aim | None = None
    above: Aim | None = None


class Budget(msgspec.Struct, frozen=True):
    """The budget: games of the search, and fresh deals of each setting that is left."""

    games: AtLeastTwo = 4000
    final: AtLeastTwo = 1000


class TuningFile(msgspec.Struct, frozen=True):
    """A search as its file has it."""

    game: str
    tune: dict[str, Range | list[Any]]
    target: dict[str, Aim | TargetTable]
    question: str = ""
    players: Positive | None = None
    seed: Whole = 0
    bots: list[str | list[str]] = msgspec.field(default_factory=lambda: ["medium"])
    sample: Budget = Budget()
    search: Literal["halving", "optuna"] | None = None


@dataclass(frozen=True)
class Target:
    """A target: what a measure should be."""

    name: str
    of: str
    """An expression over the columns of a game."""
    title: str
    way: str
    """``is``, ``below`` or ``above`` …"""
    value: float
    """… this."""
    weight: float = 1.0
    kind: str | None = None
    """What its table declares."""
    share: bool = False
    """Whether it lies from 0 to 1 in every game."""

    @property
    def unit(self) -> float:
        """The unit of a miss: a point of a share, else a hundredth of what it should be."""
        return 0.01 if self.share or not self.value else abs(self.value) / 100

    def miss(self, means: Any) -> Any:
        """How much means that are off count: their part of the loss."""
        apart = np.asarray(means, float) - self.value
        if self.way == "is":
            off = np.abs(apart)
        else:
            off = np.maximum(apart if self.way == "below" else -apart, 0.0)
        return self.weight * off / self.unit

    def within(self, low: float, high: float) -> tuple[float, float]:
        """How far a mean can be off that lies between two numbers: at least, and at most."""
        ends = [float(self.miss(end)) for end in (low, high)]
        reached = low <= self.value <= high
        return (0.0 if reached else min(ends)), max(ends)

    def wanted(self) -> str:
        """The target in words: ``15``, ``below 2 %``."""
        value = f"{100 * self.value:g} %" if self.share else f"{self.value:g}"
        return value if self.way == "is" else f"{self.way} {value}"

    def missed(self, figure: Figure) -> bool:
        """Whether it is clearly missed: nothing that the figure may be would do."""
        return self.within(figure.low, figure.high)[0] > 0


def loss(targets: Sequence[Target], means: Floats) -> Floats:
    """How far all targets together are missed; ``means`` (…, targets), the lower the better."""
    parts = [target.miss(means[..., at]) for at, target in enumerate(targets)]
    total: Floats = np.sum(parts, axis=0)
    return np.where(np.isnan(total), np.inf, total)


@dataclass(frozen=True)
class Tuning:
    """A checked search."""

    question: str
    axes: Mapping[str, tuple[str, ...]]
    """The values of every option, and of ``players``, that are tried."""
    targets: tuple[Target, ...]
    games: int
    """How many the search plays, in all."""
    final: int
    """How many fresh deals each setting plays that is left in the end."""
    search: str
    """``halving`` of all settings, or ``optuna``, which proposes some."""
    players: int | None
    """None: as many as usual, or as the setting says."""
    experiment: Experiment
    """How every setting is played: who, with which seed, measured by the targets."""
    source: str = field(repr=False, default="")
    """The file, as it was written."""

    @property
    def game(self) -> Game:
        """The game whose settings are searched."""
        return self.experiment.game

    @property
    def many(self) -> int:
        """How many settings there are, possible or not."""
        return math.prod(map(len, self.axes.values()))

    def variant(self, point: Mapping[str, str]) -> Variant | None:
        """A setting as rules to play; None if the game does not allow it."""
        return _variant(self.game, self.players, point)

    def point(self, variant: Variant) -> dict[str, str]:
        """The values of a setting, by option; as `variant` is given them."""
        values = {**dict(variant.options), "players": str(variant.players)}
        return {name: values[name] for name in self.axes}

    def settings(self) -> list[Variant]:
        """All settings that the game allows."""
        return list(filter(None, map(self.variant, _points(self.axes))))

    def cell(self, variant: Variant) -> Cell:
        """A setting with its players."""
        names = self.experiment.lineups[0]
        return Cell(variant, names * variant.players if len(names) == 1 else names)

    def missed(self, figures: Sequence[Figure]) -> list[str]:
        """Which targets are clearly missed, by their titles."""
        pairs = zip(self.targets, figures, strict=True)
        return [target.title for target, figure in pairs if target.missed(figure)]

    def last(self, left: Sequence[Variant]) -> Experiment:
        """The experiment that measures what is left in the end; the first leads."""
        names = self.experiment.lineups[0]
        return parsed(
            {
                "question": self.question,
                "game": self.game.name,
                "seed": self.experiment.seed + FRESH,
                "bots": [names[0] if len(names) == 1 else list(names)],
                "vary": {"rules": [_rules(one, f"{rank}: ") for rank, one in enumerate(left, 1)]},
                "sample": {"deals": self.final},
                "measure": _measure(self.targets),
            }
        )


def read(path: Path) -> Tuning:
    """The search in a file.  Raises Refused, with what would have been right."""
    return from_toml(path, tuned)


def tuned(data: Mapping[str, Any], source: str = "") -> Tuning:
    """A search from its data.  Raises Refused."""
    file = struct(TuningFile, data, "a search", prefix="")
    game, aims = games.find(file.game), [_target(*entry) for entry in file.target.items()]
    axes = {name: _axis(game, name, values) for name, values in file.tune.items()}
    if not axes or not aims:
        raise Refused("a search has a [tune] of options, and a [target] that it aims at")
    if len(file.bots) != 1:
        raise Refused('bots names one level, as ["medium"]: a search has one')
    if file.players is not None and "players" in axes:
        raise Refused("players stands in [tune] too; say it once")
    one_of_each = list(_one_of_each(game, axes, file.players))
    if not one_of_each:
        raise Refused("the game allows none of these settings")
    many = math.prod(map(len, axes.values()))
    if file.search == "halving" and many > LISTED:
        raise Refused(f"{many} settings are too many to list (at most {LISTED}); use optuna")
    question = file.question or f"Which settings of {game.title} come closest?"
    experiment = parsed(
        {
            "question": question,
            "game": game.name,
            "seed": file.seed,
            "lots": True,  # every setting meets the same luck
            "bots": file.bots,
            "vary": {"rules": one_of_each},
            "sample": {"deals": 1},
            "measure": _measure(aims),
        }
    )
    shown = experiment.shown
    return Tuning(
        question=question,
        axes=axes,
        targets=tuple(
            replace(one, title=shown[one.name].title, share=shown[one.name].kind.percent)
            for one in aims
        ),
        games=file.sample.games,
        final=file.sample.final,
        search=file.search or ("halving" if many <= LISTED else "optuna"),
        players=file.players,
        experiment=experiment,
        source=source,
    )


def _target(name: str, given: float | TargetTable) -> Target:
    table = given if isinstance(given, TargetTable) else TargetTable(is_=given)
    values = dict(zip(WAYS, (table.is_, table.below, table.above), strict=True))
    aims = {way: value for way, value in values.items() if value is not None}
    if len(aims) != 1:
        raise Refused(f"target.{name} has one of is, below and above, as {{ is = 30 }}")
    ((way, value),) = aims.items()
    return Target(name, table.of or name, table.title, way, float(value), table.weight, table.kind)


def _measure(aims: Sequence[Target]) -> dict[str, dict[str, Any]]:
    """Targets as measures of an experiment."""
    return {
        one.name: {
            "of": one.of,
            **({"title": one.title} if one.title else {}),
            **({"kind": one.kind} if one.kind else {}),
            "fair": one.value,
        }
        for one in aims
    }


def _rules(variant: Variant, rank: str = "") -> dict[str, Any]:
    """A variant as an entry of ``vary.rules``; its ``rank`` stands before its name."""
    return {"name": rank + variant.name, "players": variant.players, **dict(variant.options)}


def _axis(game: Game, name: str, given: Range | list[Any]) -> tuple[str, ...]:
    """The values of an option that are tried.  Raises Refused."""
    if isinstance(given, Range):
        first, last, step = given.first, given.last, given.step
        if not first <= last <= first + 10_000 * step:
            raise Refused(f"tune.{name}: from {first} to {last} by {step} is no range")
        given = list(range(first, last + 1, step))
    if not given:
        raise Refused(f"tune.{name} is a list of values, or {{ from = 3, to = 20 }}")
    texts = tuple(dict.fromkeys(map(str, given)))
    for text in texts:
        if name != "players":
            game.codes(game.usual, {name: text})
        elif not text.isdecimal() or int(text) not in game.players:
            raise Refused(f"tune.players: {game.title} is not for {text} players")
    return texts


def _points(axes: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def _variant(game: Game, players: int | None, point: Mapping[str, str]) -> Variant | None:
    options = dict(point)
    many = int(options.pop("players", players or game.usual_players(options)))
    try:
        game.setup(many, options)
    except Refused:
        return None
    title = in_words(game, named(point), point)
    return Variant(named(point), many, tuple(sorted(options.items())), title=title)


def named(point: Mapping[str, str]) -> str:
    """The name of a setting: ``chips=8, excuse=yes``."""
    return ", ".join(f"{key}={value}" for key, value in point.items())


def _one_of_each(
    game: Game, axes: Mapping[str, Sequence[str]], players: int | None
) -> Iterator[dict[str, Any]]:
    """A setting that is possible for each number of players, as an entry of ``vary.rules``."""
    for count in map(int, axes["players"]) if "players" in axes else [players]:
        fixed = {**axes, "players": [str(count)]} if "players" in axes else axes
        points = itertools.islice(_points(fixed), LOOKED)
        possible = next(filter(None, map(partial(_variant, game, count), points)), None)
        if possible:
            yield _rules(possible)
        elif "players" not in axes:
            options = next(_points(axes))
            game.setup(count or game.usual_players(options), options)  # says why not
