"""The file of an experiment: what varies, who plays, how often, what is measured and claimed.

Everything is checked before the first game: a wrong key, option, bot or column is refused with
what would be possible.  docs/lab.md describes the file.
"""

import hashlib
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec

from yegg import games
from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.lab.analyses.analysis import Analysis, Context
from yegg.lab.analyses.measures import Shown, measured
from yegg.lab.analyses.registry import ANALYSES
from yegg.lab.cells import Cell, Variant
from yegg.lab.file_schema import Margin, Positive, Whole, as_toml, converted, from_toml, struct
from yegg.lab.game_frame import columns_of, share_of, sides
from yegg.lab.policies.habit_schema import HabitTable, habit_of
from yegg.lab.policies.habits import Habit, texts_of
from yegg.stats.claims import MARGIN
from yegg.stats.kinds import Kinds, declared
from yegg.text.json_writer import as_json
from yegg.text.phrases import lacking, offered

from .variants import varied

KEEP = 1_000_000  # games: of larger runs only sums are kept in memory
CLAIM = re.compile(r"^(?P<left>.+?)\s+(?P<how>>|<|!=)\s+(?P<right>.+)$")


class Sample(msgspec.Struct, frozen=True, rename={"deals": "at-most"}):
    """How many deals a level of players plays, and whether it may stop before."""

    deals: Positive = 2000
    """At most."""
    until: Literal["clear", "equal"] | None = None
    """``clear``: it ends once all claims are; ``equal``: or equal within their margins."""


class ExperimentFile(msgspec.Struct, frozen=True):
    """An experiment as its file has it, but for the tables of analyses."""

    game: str
    question: str = ""
    players: Positive | None = None
    seed: Whole = 0
    keep: Whole = KEEP
    correction: Literal["holm", "bh", "e-bh"] = "holm"
    lots: bool | None = None
    """By default, where there is something to be compared."""
    bots: list[str | list[str]] = msgspec.field(default_factory=lambda: ["uniform"])
    vary: dict[str, Any] = {}
    sample: dict[str, Positive | Sample] = {}
    measure: dict[str, Any] = {}
    habit: list[HabitTable] = []
    claim: list[dict[str, Any]] = []
    # Words for people, of which `yegg.lab.questions` makes a page:
    asked: str = ""
    plot: str = ""
    answer: list[dict[str, Any]] = []


@dataclass(frozen=True)
class Claim:
    """A hypothesis to test: that a measure is greater, smaller, or just different."""

    measure: str
    left: str
    how: str
    right: str
    margin: float
    against_number: bool = False

    @property
    def number(self) -> float | None:
        """The number to which the left side is compared, if it is one."""
        return float(self.right) if self.against_number else None

    def __str__(self) -> str:
        return f"{self.measure}: {self.left} {self.how} {self.right}"


@dataclass(frozen=True)
class Experiment:
    """A checked experiment."""

    question: str
    game: Game
    seed: int
    variants: tuple[Variant, ...]
    lineups: tuple[tuple[str, ...], ...]
    samples: Mapping[str, Sample]
    """By level: how many deals, and until when."""
    measures: Mapping[str, str]
    """By name: an expression over the columns of a game."""
    shown: Mapping[str, Shown]
    """By the same names: how a report shows them."""
    claims: tuple[Claim, ...]
    habits: Mapping[str, Habit] = field(default_factory=dict)
    """By name: what players of line-ups are bound to."""
    asked: tuple[tuple[Analysis[Any, Any], Any], ...] = ()
    """The analyses that the file asks for, each with what it says of it."""
    correction: str = "holm"
    lots: bool = False
    """Whether chance draws by lots, so that what is compared shares its luck."""
    keep: int = KEEP
    """Up to how many games their deals are kept one by one, to be told of; of more, sums."""
    source: str = field(repr=False, default="")
    """The file, as it was written."""

    @property
    def deals(self) -> dict[str, int]:
        """By level: how many deals, at most."""
        return {level: sample.deals for level, sample in self.samples.items()}

    @property
    def summed(self) -> bool:
        """Whether there are so many games that only sums are kept of them."""
        games = sum(self.deals[cell.level] * len(cell.seatings) for cell in self.cells)
        return games > self.keep

    @property
    def cells(self) -> list[Cell]:
        """Every variant with every line-up, in the order of the file."""
        cells = []
        for names in self.lineups:
            for variant in self.variants:
                lineup = names * variant.players if len(names) == 1 else names
                cells.append(Cell(variant, tuple(lineup)))
        return cells

    @property
    def named(self) -> list[str]:
        """The bots that play against others, whose shares are columns of their own."""
        mixed = [names for names in self.lineups if len(set(names)) > 1]
        return list(dict.fromkeys(itertools.chain.from_iterable(mixed)))

    def spec(self, key: str) -> Any:
        """The table of an analysis in the file; None if it has none."""
        return next((spec for analysis, spec in self.asked if analysis.key == key), None)

    @property
    def playing(self) -> dict[str, str]:
        """Everybody who plays, and the bot that a habit binds; others are their own."""
        every = itertools.chain.from_iterable(self.lineups)
        return {name: self.habits[name].like if name in self.habits else name for name in every}

    @property
    def outsiders(self) -> list[str]:
        """The players whose code is neither ours nor that of a habit."""
        every = {name for names in self.lineups for name in names if name not in self.habits}
        return sorted(filter(bots.from_outside, every))

    @property
    def plans(self) -> list[Path]:
        """The files of all plans."""
        plans = [habit.plan for habit in self.habits.values() if habit.plan]
        files = [Path(str(plan.__file__)) for plan in plans]
        return files + [file for analysis, spec in self.asked for file in analysis.plans(spec)]

    @property
    def columns(self) -> Kinds:
        """The columns of which measures can be made, and the kind of each."""
        players = max(variant.players for variant in self.variants)
        kinds = columns_of(self.game, players, self.named)
        for analysis, spec in self.asked:
            kinds |= declared(analysis.columns(spec, sides(self.game, players)))
        return kinds

    @property
    def digest(self) -> str:
        """Which games are played: what two runs must have in common to go on with each other.

        How many deals there are, what is measured of them and how the question is put can change.
        """
        matters = {
            "game": self.game.name,
            "version": self.game.version,
            "cards": self.game.cards or None,
            "seed": self.seed,
        }
        if self.lots:
            matters["lots"] = True
        if self.habits or self.asked:
            habits = [habit.key for habit in self.habits.values()]
            asked = [(analysis.key, analysis.identity(spec)) for analysis, spec in self.asked]
            matters["more"] = repr((habits, asked))
        return hashlib.sha256(as_json(matters, sort=True).encode()).hexdigest()[:16]


def read(path: Path) -> Experiment:
    """The experiment in a file.  Raises Refused, with what would have been right.

    Plans are files beside it.
    """
    return from_toml(path, partial(parsed, folder=path.parent))


def parsed(data: Mapping[str, Any], source: str = "", folder: Path | None = None) -> Experiment:
    """An experiment from its data; plans lie in ``folder``.  Raises Refused.

    Without a ``source`` the file is written by us.
    """
    file, tables = file_of(data)
    game = games.find(file.game)
    variants = tuple(varied(game, file.vary, file.players))
    habits = _habits(game, variants, file.habit, folder)
    lineups = tuple(_lineup(entry, habits) for entry in file.bots)
    for names, variant in itertools.product(lineups, variants):
        game.setup(variant.players, dict(variant.options))
        for name in names:
            _able(game, variant, habits[name].like if name in habits else name)
        if len(names) not in {1, variant.players}:
            raise Refused(
                f"bots = {' '.join(names)!r} fill {len(names)} seats, but {variant.name!r} "
                f"has {variant.players}"
            )
    experiment = Experiment(
        question=file.question or f"How does {game.title} go?",
        game=game,
        seed=file.seed,
        variants=variants,
        lineups=lineups,
        samples=_samples(file, lineups),
        correction=file.correction,
        measures={},
        shown={},
        claims=(),
        habits=habits,
        keep=file.keep,
        lots=len(variants) > 1 or "fork" in tables if file.lots is None else file.lots,
        source=source or as_toml(data),
    )
    experiment = replace(experiment, asked=_asked(experiment, tables, folder))
    counts = [variant.players for variant in variants]
    usual = [share_of(name) for name in experiment.named]
    measures, shown = measured(file.measure, experiment.columns, counts, usual)
    experiment = replace(experiment, measures=measures, shown=shown)
    claims = tuple(_claim(experiment, entry) for entry in file.claim)
    if not claims and any(sample.until for sample in experiment.samples.values()):
        raise Refused("sample: until says when claims are answered, and there is no [[claim]]")
    return replace(experiment, claims=claims)


def file_of(data: Mapping[str, Any]) -> tuple[ExperimentFile, dict[str, Any]]:
    """The data of a file as a struct, and the tables of analyses.  Raises Refused."""
    keys = [analysis.key for analysis in ANALYSES]
    tables = [(key, Any, msgspec.field(default=None)) for key in keys]
    kind: Any = msgspec.defstruct("File", tables, bases=(ExperimentFile,), frozen=True)
    file: ExperimentFile = struct(kind, data, "the experiment", prefix="")
    return file, {key: data[key] for key in keys if key in data}


def _samples(file: ExperimentFile, lineups: Sequence[Sequence[str]]) -> dict[str, Sample]:
    """How many deals each level plays."""
    levels = [names[0] if len(set(names)) == 1 else " ".join(names) for names in lineups]
    samples = {
        name: given if isinstance(given, Sample) else Sample(given)
        for name, given in file.sample.items()
    }
    for name in samples:
        if name not in {"deals", *levels}:
            raise Refused(f"sample.{name}: {offered(name, ['deals', *levels])}")
    usual = samples.get("deals", Sample())
    return {level: samples.get(level, usual) for level in levels}


def _asked(
    experiment: Experiment, tables: Mapping[str, Any], folder: Path | None
) -> tuple[tuple[Analysis[Any, Any], Any], ...]:
    """The analyses for which the file has a table."""
    game, variants, habits = experiment.game, experiment.variants, experiment.habits
    names = {name for lineup in experiment.lineups for name in lineup}
    players = {name: habits[name].like if name in habits else name for name in names}
    asked: list[tuple[Analysis[Any, Any], Any]] = []
    for analysis in reversed(ANALYSES):  # the first ones may go by columns that others add
        if analysis.key in tables:
            columns = replace(experiment, asked=tuple(asked)).columns
            context = Context(game, variants, players, experiment.lots, columns, folder)
            asked.insert(0, (analysis, analysis.parse(tables[analysis.key], context)))
    return tuple(asked)


def _habits(
    game: Game, variants: Sequence[Variant], entries: Sequence[HabitTable], folder: Path | None
) -> dict[str, Habit]:
    """The habits of a file, by name."""
    habits: dict[str, Habit] = {}
    texts = texts_of(game, variants) if entries else {}
    for entry in entries:
        if entry.name in habits:
            raise Refused(f"two habits are called {entry.name!r}")
        habits[entry.name] = habit_of(entry, texts, folder)
    return habits


def _lineup(entry: str | list[str], habits: Mapping[str, Habit]) -> tuple[str, ...]:
    """One name for all seats, or a list with a name for each seat."""
    names = [entry] if isinstance(entry, str) else entry
    if not names:
        raise Refused("bots: an empty list is neither a bot's name nor a list of names")
    return tuple(name if name in habits else bots.enrol(name) for name in names)


def _able(game: Game, variant: Variant, name: str) -> None:
    """Raises Refused for a bot that cannot play such games, or not the same games again."""
    if why := bots.objection(game, name, variant.players, dict(variant.options)):
        raise Refused(f"bots: {name} cannot play {variant.name!r}: {why}")
    plan = bots.budget(name)
    if ":" in name and plan and plan.seconds:
        raise Refused(
            f"{name} thinks by the clock, so a second run would give other games; "
            "give it lines, as in search:2000"
        )


def _claim(experiment: Experiment, entry: Mapping[str, Any]) -> Claim:
    """A claim: the name of a measure, and ``variant > variant`` or ``variant > number``."""
    entry = dict(entry)
    margin = converted(Margin, entry.pop("margin", MARGIN), "claim: margin")
    if len(entry) != 1:
        raise Refused('a claim has one measure and says what of it: tied = "four > five"')
    ((measure, relation),) = entry.items()
    if measure not in experiment.measures:
        raise Refused(f"claim: {lacking('measure', measure, list(experiment.measures))}")
    match = CLAIM.match(str(relation))
    names = [variant.name for variant in experiment.variants]
    if not match:
        raise Refused(f'claim: {relation!r} has none of >, <, !=, as in "four > five"')
    left, right = match["left"], match["right"]
    if left not in names:
        raise Refused(f"claim: {lacking('variant', left, names)}")
    if right not in names:
        try:
            float(right)
        except ValueError:
            raise Refused(f"claim: {lacking('variant', right, names)}, or a number") from None
    return Claim(measure, left, match["how"], right, float(margin), right not in names)
