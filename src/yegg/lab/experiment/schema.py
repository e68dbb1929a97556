"""A question about a game as a file: what varies, who plays, how often, what is measured.

Everything is checked before the first game: a wrong key, option, bot or column is refused with
what would be possible.  docs/lab.md describes the file.
"""

import hashlib
import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from yegg import games
from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.lab.analyses import ANALYSES, Analysis, Context
from yegg.lab.analyses.measures import Shown, measured
from yegg.lab.cells import Cell, Variant
from yegg.lab.game_frame import names_of, share_of, sides
from yegg.lab.policies.habits import Habit, from_file, texts_of
from yegg.lab.toml_files import flag, from_toml, only, sequence, table, whole
from yegg.text.phrases import offered

from .samples import Sample, corrected_by, sampled
from .variants import varied

KEYS = (
    *("question", "game", "players", "seed", "bots", "vary", "sample", "measure", "claim"),
    *("habit", "correction", "lots", "keep"),
    *("answer", "asked", "plot"),  # words for people, see `answering`
)
KEEP = 1_000_000  # games: of larger runs only sums are kept in memory
MARGIN = 0.03  # what two shares may differ by and still count as equal
CLAIM = re.compile(r"^(?P<left>.+?)\s+(?P<how>>|<|!=)\s+(?P<right>.+)$")


@dataclass(frozen=True)
class Claim:
    """What is tested: that a measure is greater, smaller, or just different."""

    measure: str
    left: str
    how: str
    right: str
    margin: float
    against_number: bool = False

    @property
    def number(self) -> float | None:
        """What the left side is compared with, if it is a number."""
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
        made = []
        for names in self.lineups:
            for variant in self.variants:
                lineup = names * variant.players if len(names) == 1 else names
                made.append(Cell(variant, tuple(lineup)))
        return made

    @property
    def named(self) -> list[str]:
        """The bots that play against others, whose shares are columns of their own."""
        mixed = [names for names in self.lineups if len(set(names)) > 1]
        return list(dict.fromkeys(itertools.chain.from_iterable(mixed)))

    def spec(self, key: str) -> Any:
        """What the file says in the table of an analysis; None if it has none."""
        return next((spec for analysis, spec in self.asked if analysis.key == key), None)

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
    def columns(self) -> list[str]:
        """What measures can be made of."""
        players = max(variant.players for variant in self.variants)
        names = names_of(self.game, players, self.named)
        for analysis, spec in self.asked:
            names += analysis.columns(spec, sides(self.game, players))
        return names

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
        return hashlib.sha256(json.dumps(matters, sort_keys=True).encode()).hexdigest()[:16]


def read(path: Path) -> Experiment:
    """The experiment in a file.  Raises Refused, with what would have been right.

    Plans are files beside it.
    """
    return from_toml(path, partial(checked, folder=path.parent))


def checked(data: Mapping[str, Any], source: str = "", folder: Path | None = None) -> Experiment:
    """An experiment from its data; plans lie in ``folder``.  Raises Refused."""
    only("the experiment", data, [*KEYS, *(analysis.key for analysis in ANALYSES)])
    game = games.find(_text(data, "game"))
    variants = tuple(varied(game, data.get("vary", {}), data.get("players")))
    habits = _habits(game, variants, sequence(data.get("habit", []), "habit"), folder)
    given = sequence(data.get("bots", ["uniform"]), "bots")
    lineups = tuple(_lineup(entry, habits) for entry in given)
    for names, variant in itertools.product(lineups, variants):
        game.setup(variant.players, dict(variant.options))
        for name in names:
            _able(game, variant, habits[name].like if name in habits else name)
        if len(names) not in {1, variant.players}:
            raise Refused(
                f"bots = {' '.join(names)!r} fill {len(names)} seats, but {variant.name!r} "
                f"has {variant.players}"
            )
    levels = [names[0] if len(set(names)) == 1 else " ".join(names) for names in lineups]
    made = Experiment(
        question=str(data.get("question", f"How does {game.title} go?")),
        game=game,
        seed=whole(data.get("seed", 0), "seed", 0),
        variants=variants,
        lineups=lineups,
        samples=sampled(data.get("sample", {}), levels),
        correction=corrected_by(data),
        measures={},
        shown={},
        claims=(),
        habits=habits,
        keep=whole(data.get("keep", KEEP), "keep", 0),
        lots=flag(data.get("lots", len(variants) > 1 or "fork" in data), "lots"),
        source=source,
    )
    made = replace(made, asked=_asked(made, data, folder))
    counts = [variant.players for variant in variants]
    usual = [share_of(name) for name in made.named]
    measures, shown = measured(data.get("measure", {}), made.columns, counts, usual)
    made = replace(made, measures=measures, shown=shown)
    claims = tuple(_claim(made, entry) for entry in sequence(data.get("claim", []), "claim"))
    if not claims and any(sample.until for sample in made.samples.values()):
        raise Refused("sample: until says when claims are answered, and there is no [[claim]]")
    return replace(made, claims=claims)


def _asked(
    made: Experiment, data: Mapping[str, Any], folder: Path | None
) -> tuple[tuple[Analysis[Any, Any], Any], ...]:
    """The analyses for which the file has a table."""
    names = {name for lineup in made.lineups for name in lineup}
    players = {name: made.habits[name].like if name in made.habits else name for name in names}
    asked: list[tuple[Analysis[Any, Any], Any]] = []
    for analysis in reversed(ANALYSES):  # the first ones may go by columns that others add
        if analysis.key in data:
            columns = replace(made, asked=tuple(asked)).columns
            context = Context(made.game, made.variants, players, made.lots, columns, folder)
            asked.insert(0, (analysis, analysis.parse(data[analysis.key], context)))
    return tuple(asked)


def _habits(
    game: Game, variants: Sequence[Variant], entries: Sequence[Any], folder: Path | None
) -> dict[str, Habit]:
    """The habits of a file, by name."""
    made: dict[str, Habit] = {}
    for entry in entries:
        said = texts_of(game, variants)
        habit = from_file(table(entry, "a habit"), said, folder)
        if habit.name in made:
            raise Refused(f"two habits are called {habit.name!r}")
        made[habit.name] = habit
    return made


def _lineup(entry: Any, habits: Mapping[str, Habit]) -> tuple[str, ...]:
    """One name for all seats, or a list with a name for each seat."""
    names = entry if isinstance(entry, list) else [entry]
    if not names or not all(isinstance(name, str) for name in names):
        raise Refused(f"bots: {entry!r} is neither a bot's name nor a list of names")
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


def _claim(made: Experiment, entry: Any) -> Claim:
    """A claim: the name of a measure, and ``variant > variant`` or ``variant > number``."""
    entry = dict(table(entry, "a claim"))
    margin = entry.pop("margin", MARGIN)
    if len(entry) != 1:
        raise Refused('a claim has one measure and says what of it: tied = "four > five"')
    ((measure, said),) = entry.items()
    if measure not in made.measures:
        raise Refused(f"claim: {offered(measure, list(made.measures))}")
    match = CLAIM.match(str(said))
    names = [variant.name for variant in made.variants]
    if not match:
        raise Refused(f'claim: {said!r} has none of >, <, !=, as in "four > five"')
    left, right = match["left"], match["right"]
    if left not in names:
        raise Refused(f"claim: {offered(left, names)}")
    if right not in names and not _is_number(right):
        raise Refused(f"claim: {offered(right, names)}, or a number")
    if not isinstance(margin, int | float) or not 0 <= margin < 1e6:
        raise Refused("claim: margin is a number of the measure's own units, as 0.03")
    return Claim(measure, left, match["how"], right, float(margin), right not in names)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise Refused(f"{key} is missing; there are: {', '.join(games.names())}")
    return value
