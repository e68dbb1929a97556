"""Decision quality: how much hangs on each choice, as the coach weighs it: ``[choices]``.

Of every game some turns are drawn, each with the same chance, and all their decisions are weighed:
how far every choice lies behind the best one, by what its player may know.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np

from yegg.coach.advice import think
from yegg.engine import Game, Ints, Match
from yegg.engine.dice import seeds
from yegg.lab.batch import Matchup
from yegg.lab.cells import Cell, who
from yegg.players.thinking.plan import Evaluation, Plan
from yegg.stats.intervals import Figure, Section, Sentence, Z, average, like, mean_of
from yegg.stats.p_values import Floats
from yegg.text.phrases import percent

from .analysis import Analysis, PlayedGames, between

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from yegg.lab.plots import Panel

CLOSE = 0.02  # of the win: choices that differ by less are as good as each other
WORSE = 0.05  # a choice that is so far behind is a mistake
NOTHING = 0.01  # where no choice is farther behind, it does not matter which one is made
KINDS = ("meaningful", "slight", "one", "nothing")
"""What a decision may be: several choices are good and others are mistakes; several are good and
none is a mistake; one choice is best; it does not matter."""
DRAW = 0xC401CE  # tells the dice by which turns are drawn from those of the games

TOLD = {
    "meaningful": "several choices are good, others are mistakes",
    "slight": "several choices are good, none is a mistake",
    "one": "one choice is best",
    "nothing": "it does not matter what is chosen",
    "unsure": "may look as it does by chance",
    "offered": "choices at a decision",
    "spread": "what the worst choice costs",
    "empty": "turns without a choice",
    "dead": "turns in which nothing hangs on a choice",
}
SHORT = {"meaningful": "good and bad", "slight": "all good", "one": "one best", "nothing": "equal"}
"""The four kinds of decisions, where there is little room."""
OF = {"empty": "turns", "dead": "turns"}  # what a share is a part of; else of decisions
MEANS = ("offered",)  # not a share of anything


class WeighedChoices(msgspec.Struct, frozen=True):
    """The table ``[choices]`` of a file: which decisions are weighed."""

    deals: Annotated[int, msgspec.Meta(ge=1)] = 200
    """Of so many deals of each cell, the first ones."""
    every: Annotated[int, msgspec.Meta(ge=1)] = 50
    """One turn of so many, on average."""
    tries: Annotated[int, msgspec.Meta(ge=1)] = 200
    """How often each choice is tried."""


@dataclass(frozen=True)
class DecisionQuality:
    """The quality of decisions in a cell, and how much hangs on them."""

    variant: str
    level: str
    turns: int
    decisions: int
    """How many were weighed, in so many turns."""
    figures: dict[str, Figure]
    """Of `TOLD`."""


class Decisions(Analysis[WeighedChoices, DecisionQuality]):
    """The analysis ``[choices]``: how much hangs on a choice."""

    schema = WeighedChoices
    key = part = data_key = "choices"

    def warm(self, setting: Matchup) -> None:
        """Compile the coach."""
        match = Match(setting.game, setting.players, setting.options).to_decision()
        think(match, Plan(iterations=len(match.choices)), 0)

    def collect(self, spec: WeighedChoices, games: PlayedGames) -> "pl.DataFrame | None":
        """A row for each turn that is weighed."""
        return games.table(spec.deals, partial(_turns_of, games.setting, spec))

    def of_cell(self, game: Game, cell: Cell, table: "pl.DataFrame") -> list[DecisionQuality]:
        """Estimates from the weighed turns of a cell."""
        import polars as pl

        table = table.with_columns(empty=pl.col("decisions") == 0, turns=pl.lit(1))
        sums = table.group_by("deal", maintain_order=True).sum()
        by_deal = {name: sums[name].cast(pl.Float64).to_numpy() for name in sums.columns}
        figures = {
            name: ratio(by_deal[name], by_deal[OF.get(name, "decisions")], share=name not in MEANS)
            for name in TOLD
        }
        decisions = int(table["decisions"].sum())
        return [DecisionQuality(cell.variant.name, cell.level, len(table), decisions, figures)]

    def sentences(self, estimates: Sequence[DecisionQuality]) -> list[Sentence]:
        """How many decisions are hard, and in how many turns nothing hangs on any."""
        sentences = []
        for one in estimates:
            where = between(one, estimates)
            if one.decisions:
                figures = (
                    f"{one.figures['meaningful']} of {one.decisions} decisions; "
                    f"{percent(one.figures['unsure'].value)} of all may look as they do by chance"
                )
                says = f"Several choices are good and others are mistakes, {where}"
                sentences.append(Sentence(says, figures))
            dead = f"{one.figures['dead']} of {one.turns} turns"
            sentences.append(Sentence(f"Nothing hangs on a choice, {where}", dead))
        return sentences

    def tables(self, game: Game, estimates: Sequence[DecisionQuality]) -> list[Section]:
        """All figures of all cells in one table."""
        note = (
            f"good: within {100 * CLOSE:.0f} points of the best; a mistake: at least "
            f"{100 * WORSE:.0f} points worse; nothing: within {100 * NOTHING:.0f} point"
        )
        rows: list[Sequence[object]] = [
            [TOLD[name], one.variant, one.level, getattr(one, OF.get(name, "decisions")), figure]
            for one in estimates
            for name, figure in one.figures.items()
        ]
        title = "What hangs on a choice, as the coach sees it"
        section = Section(title, ["", "rules", "players", "weighed", "figure"], rows, note)
        return [section] if estimates else []

    def panels(self, game: Game, estimates: Sequence[DecisionQuality]) -> "Iterable[Panel]":
        """A bar for each cell: its four kinds of decisions make a whole."""
        from yegg.lab.plots import Panel, mark, stacked

        marks = [
            mark(f"{one.variant}, {who(one.level)}", one.figures[name], kind)
            for one in estimates
            if one.decisions
            for name, kind in SHORT.items()
        ]
        if marks:
            says = (
                "The decisions that the coach weighed: several choices are good and others are "
                "mistakes; several are good and none is a mistake; one is best; all are equal."
            )
            draw = partial(stacked, marks, "share of decisions")
            (section,) = self.tables(game, estimates)
            yield Panel("choices", "What hangs on a choice", says, draw, section)

    def method(self, spec: WeighedChoices, estimates: Sequence[DecisionQuality]) -> list[str]:
        """How turns were drawn and weighed."""
        said = (
            f"One turn in {spec.every} was drawn, and the coach tried every choice of its "
            f"decisions {spec.tries} times, by what its player may know; intervals are those of "
            "the drawing."
        )
        return [said]


def kind(behind: Floats) -> str:
    """The kind of a decision, from how far its choices lie behind the best one, itself left out.

    >>> [kind(np.array(one)) for one in ([0.01, 0.2], [0.01, 0.03], [0.03, 0.2], [0.0, 0.01])]
    ['meaningful', 'slight', 'one', 'nothing']
    """
    if not behind.size or behind.max() <= NOTHING:
        return "nothing"
    if behind.min() > CLOSE:
        return "one"
    return "meaningful" if behind.max() >= WORSE else "slight"


def judged(thoughts: Evaluation) -> tuple[str, bool, float]:
    """The kind of a decision, whether chance could have made it so, and how far choices differ.

    Chance could if it is another thing with all distances at either end of their intervals.  A
    choice that was never tried is left out.
    """
    best = int(np.argmax(thoughts.shares))
    others = thoughts.tries > 0
    others[best] = False
    behind = np.maximum(thoughts.values[best] - thoughts.values[others], 0)
    doubt = Z * thoughts.doubts[others]
    said = {kind(one) for one in (behind, np.maximum(behind - doubt, 0), behind + doubt)}
    return kind(behind), len(said) > 1, float(behind.max(initial=0))


def turns(actors: Sequence[int]) -> list[list[int]]:
    """The events of each turn: what a seat did until another took over, without chance's.

    >>> turns([-1, 0, 0, -1, 0, 1, 0])
    [[1, 2, 4], [5], [6]]
    """
    made: list[list[int]] = []
    last = -1
    for event, actor in enumerate(actors):
        if actor >= 0:
            if actor != last:
                made.append([])
            made[-1].append(event)
            last = actor
    return made


def _turns_of(
    setting: Matchup, spec: WeighedChoices, row_of: tuple[int, int], log: Ints, _: Floats
) -> Iterator[dict[str, Any]]:
    """What hangs on the turns of a game that are drawn; ``row_of``: its deal and seating."""
    deal, seating = row_of
    dice = int(seeds(setting.seed ^ DRAW, deal, 1, 1 + seating)[0, -1, 0])
    match = Match(setting.game, setting.players, setting.options)
    whole_game = match.fork()
    whole_game.follow(log.tolist())
    for number, events in enumerate(turns(whole_game.actors)):
        if (number + dice) % spec.every == 0:
            row: dict[str, Any] = {"turn": number, "decisions": 0, "offered": 0, "spread": 0.0}
            row |= dict.fromkeys((*KINDS, "unsure"), 0)
            for event in events:
                match.follow(log[len(match.history) : event].tolist())
                if len(match.choices) > 1:
                    _add(row, match, spec.tries, (dice ^ event) % 2**31)
            yield {**row, "dead": row["decisions"] == row["nothing"]}


def _add(row: dict[str, Any], match: Match, tries: int, seed: int) -> None:
    """Weigh the decision at hand, and add what it is to the row of its turn."""
    many = len(match.choices)
    what, unsure, spread = judged(think(match, Plan(iterations=tries * many), seed))
    row["decisions"] += 1
    row["offered"] += many
    row["spread"] += spread
    row[what] += 1
    row["unsure"] += unsure


def ratio(parts: Floats, of: Floats, *, share: bool) -> Figure:
    """The sum of some parts over that of what they are parts of, both by deal.

    Its error is that of a ratio of sums (Cochran 1977, 6.3); a share has Wilson's interval for as
    many decisions as it varies like.
    """
    whole = float(of.sum())
    if not whole:
        return average([], percent=share)
    value, n = float(parts.sum()) / whole, len(parts)
    off = parts - value * of
    error = float(np.sqrt((off**2).sum() * n / max(n - 1, 1))) / whole
    return like(value, error**2, n) if share else mean_of(value, error)
