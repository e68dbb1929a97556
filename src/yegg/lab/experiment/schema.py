"""The file of an experiment: what varies, who plays, how often, what is measured and claimed.

Everything is checked before the first game: a wrong key, option, bot or column is refused with
what would be possible.  docs/lab.md describes the file.
"""

import hashlib
import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec

from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.lab.analyses.analysis import Analysis, Context
from yegg.lab.analyses.measures import Shown, measured
from yegg.lab.analyses.registry import ANALYSES
from yegg.lab.cells import Cell, Variant
from yegg.lab.file_schema import Margin, Positive, Whole, as_toml, converted, from_toml, struct
from yegg.lab.game_frame import columns_of, share_of, sides
from yegg.lab.policies.habit_schema import HabitTable
from yegg.lab.policies.habits import Habit
from yegg.lab.usual_measures import usual_measures
from yegg.players.judges import evenly
from yegg.stats.claims import MARGIN
from yegg.stats.kinds import Kind, Kinds, declared
from yegg.text.json_writer import as_json
from yegg.text.phrases import lacking, listing, offered

from .compared_games import compared, games_of, usual_question
from .decks import CARDS, Deck, Decks, files_of, judged_alike, over
from .lineups import check_able, check_seats, habits_of, lineup

Asked = tuple[tuple[Analysis[Any, Any], Any], ...]
"""Analyses, each with its table of the file."""
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

    game: str = ""
    games: list[str] = []
    """In place of ``game``: several, which are compared."""
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


@dataclass(frozen=True, kw_only=True)
class Series:
    """Which games an experiment plays: their rules, who plays them, and how many."""

    game: Game
    """The one that is asked about, or the first of those that are compared."""
    seed: int
    variants: tuple[Variant, ...]
    lineups: tuple[tuple[str, ...], ...]
    samples: Mapping[str, Sample]
    """By level: how many deals, and until when."""
    habits: Mapping[str, Habit]
    """By name: what players of line-ups are bound to."""
    lots: bool
    """Whether chance draws by lots, so that what is compared shares its luck."""
    keep: int
    """Up to how many games their deals are kept one by one, to be told of; of more, sums."""
    decks: tuple[Deck, ...]
    """The decks of one's own that variants play with."""
    others: tuple[Game, ...]
    """The games that are compared with the first one."""
    judged: str
    """By what the games that are compared are judged: a sentence, where players judge."""

    @property
    def games(self) -> tuple[Game, ...]:
        """All games: one, or several that are compared."""
        return (self.game, *self.others)

    @property
    def played(self) -> list[Game]:
        """All games, and those over decks of one's own."""
        return [*self.games, *(deck.game for deck in self.decks)]

    @property
    def title(self) -> str:
        """What all of it is called: ``Magnate and My Magnate``."""
        return listing([game.title for game in self.games])

    def of(self, variant: Variant) -> Game:
        """The game by whose rules a variant is played."""
        own = over(self.decks, variant)
        return own or next((one for one in self.others if one.name == variant.game), self.game)

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

    def columns(self, asked: Asked = ()) -> Kinds:
        """The columns of which measures can be made, with those of analyses; the kind of each."""
        players = max(variant.players for variant in self.variants)
        kinds: dict[str, Kind] = {}
        for game in reversed(self.played):  # what several have is of the first one's kind
            kinds |= columns_of(game, players, self.named)
        for analysis, spec in asked:
            kinds |= declared(analysis.columns(spec, sides(self.game, players)))
        return kinds


@dataclass(frozen=True, kw_only=True)
class Experiment(Series):
    """A checked experiment."""

    question: str
    measures: Mapping[str, str]
    """By name: an expression over the columns of a game."""
    shown: Mapping[str, Shown]
    """By the same names: how a report shows them."""
    claims: tuple[Claim, ...]
    asked: Asked
    """The analyses that the file asks for, each with what it says of it."""
    correction: str
    file: ExperimentFile = field(repr=False)
    tables: Mapping[str, Any] = field(repr=False)
    """What the file has for analyses, by their keys."""
    source: str = field(repr=False)
    """The file, as it was written."""

    def called(self, measure: str) -> str:
        """The name of a measure: its title, and which part of it is meant."""
        shown = self.shown[measure]
        return shown.title + measure.removeprefix(shown.whole) if shown.whole else shown.title

    def spec(self, key: str) -> Any:
        """The table of an analysis in the file; None if it has none."""
        return next((spec for analysis, spec in self.asked if analysis.key == key), None)

    @property
    def plans(self) -> list[Path]:
        """The files of all plans."""
        plans = [habit.plan for habit in self.habits.values() if habit.plan]
        files = [Path(str(plan.__file__)) for plan in plans]
        return files + [file for analysis, spec in self.asked for file in analysis.plans(spec)]

    @property
    def files(self) -> dict[str, bytes]:
        """Plans and decks, by their places in the folder of a run."""
        plans = {plan.name: plan.read_bytes() for plan in self.plans}
        return plans | {deck.path_in_run: deck.data for deck in self.decks}

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
        if self.game.by_lore:
            matters["by_lore"] = True
        if self.others:
            matters["games"] = [(game.name, game.version, game.by_lore) for game in self.games]
        if self.habits or self.asked:
            habits = [habit.key for habit in self.habits.values()]
            asked = [(analysis.key, analysis.identity(spec)) for analysis, spec in self.asked]
            matters["more"] = repr((habits, asked))
        return hashlib.sha256(as_json(matters, sort=True).encode()).hexdigest()[:16]


def read(path: Path) -> Experiment:
    """The experiment in a file, or in the folder of a run.  Raises Refused.

    Plans are files beside it, and decks by their paths from there; a run has kept its decks.
    """
    kept = path.name == "experiment.toml" and (path.parent / "manifest.json").exists()
    return from_toml(path, partial(parsed, folder=path.parent, kept=kept))


def parsed(
    data: Mapping[str, Any], source: str = "", folder: Path | None = None, *, kept: bool = False
) -> Experiment:
    """An experiment from its data; plans and decks lie in ``folder``.  Raises Refused.

    Without a ``source`` the file is written by us.  ``kept``: the folder is that of a run.
    """
    file, tables = file_of(data)
    source = source or as_toml(data)
    one_game = [*tables, *("habit" for _ in file.habit[:1]), *(CARDS for _ in files_of(file.vary))]
    game, *others = games_of(file.game, file.games, one_game)
    decks = Decks(game, folder, kept=kept)
    variants = tuple(compared([game, *others], file.vary, file.players, decks))
    habits = habits_of(decks, variants, file.habit, folder)
    lineups = tuple(lineup(entry, habits) for entry in file.bots)
    check_seats(lineups, variants)
    playing = [habits[name].like if name in habits else name for line in lineups for name in line]
    (game, *others), judged = evenly([game, *others], playing)
    if alike := judged_alike(game, variants, decks.every, playing):
        game, judged = replace(game, by_lore=True), alike
    series = Series(
        game=game,
        seed=file.seed,
        variants=variants,
        lineups=lineups,
        samples=_samples(file, lineups),
        habits=habits,
        keep=file.keep,
        lots=len(variants) > 1 or "fork" in tables if file.lots is None else file.lots,
        decks=decks.every,
        others=tuple(others),
        judged=judged,
    )
    for variant, bot in itertools.product(variants, series.playing.values()):
        check_able(series.of(variant), variant, bot)
    asked = _asked(series, tables, folder)
    counts = [variant.players for variant in variants]
    usual = [share_of(name) for name in series.named]
    named = usual_measures(series.played)
    measures, shown = measured(file.measure, series.columns(asked), counts, usual, named)
    names = [variant.name for variant in variants]
    claims = tuple(_claim(measures, names, entry) for entry in file.claim)
    if not claims and any(sample.until for sample in series.samples.values()):
        raise Refused("sample: until says when claims are answered, and there is no [[claim]]")
    return Experiment(
        **vars(series),
        question=file.question or usual_question(series.games),
        measures=measures,
        shown=shown,
        claims=claims,
        asked=asked,
        correction=file.correction,
        file=file,
        tables=tables,
        source=source,
    )


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


def _asked(series: Series, tables: Mapping[str, Any], folder: Path | None) -> Asked:
    """The analyses for which the file has a table."""
    asked: Asked = ()
    for analysis in reversed(ANALYSES):  # the first ones may go by columns that others add
        if analysis.key in tables:
            about = series.game, series.variants, series.of, series.playing, series.lots
            context = Context(*about, series.columns(asked), folder)
            asked = (analysis, analysis.parse(tables[analysis.key], context)), *asked
    return asked


def _claim(measures: Collection[str], names: Sequence[str], entry: Mapping[str, Any]) -> Claim:
    """A claim: the name of a measure, and ``variant > variant`` or ``variant > number``."""
    entry = dict(entry)
    margin = converted(Margin, entry.pop("margin", MARGIN), "claim: margin")
    if len(entry) != 1:
        raise Refused('a claim has one measure and says what of it: tied = "four > five"')
    ((measure, relation),) = entry.items()
    if measure not in measures:
        raise Refused(f"claim: {lacking('measure', measure, list(measures))}")
    match = CLAIM.match(str(relation))
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
