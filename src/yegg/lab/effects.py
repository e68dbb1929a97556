"""What forks found: what a choice does to its maker's share of the win, made less not made.

The unit is the deal, as in `findings`: one number for each, the mean of its forks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yegg.engine.figures import Figure, Section, average
from yegg.engine.prose import counted

from .evidence import Interval, as_value, holm, p_value, step_up
from .experiment import Cell, Experiment
from .forking import Fork
from .offers import Offer
from .sentence import Sentence

if TYPE_CHECKING:
    import polars as pl

    from .evidence import Floats

FEW = 20  # forks, below which nothing is tested
UNFINISHED = 0.01  # above this share of branches that did not end nothing is claimed
BOUNDARY = 0.05


@dataclass(frozen=True)
class Effect:
    """What one choice, or one kind of choices, does."""

    fork: str
    choice: str
    """The words, or the value of ``by``; the name of the fork where all are taken together."""
    variant: str
    level: str
    forks: int
    """How many decisions were taken both ways, to the end."""
    unfinished: int
    """How many were not."""
    figure: Figure
    """The share of the win made less not made."""
    p: float
    corrected: float
    """The p-value, corrected for how many questions are asked at once."""
    answer: str
    """As that of a claim; "few" if there are too few forks to say anything."""
    margin: float
    offer: bool = False
    """Whether it is what a card does by coming up, and then to whoever chooses next."""
    chosen: bool = False
    """Whether only choices that players made are in question."""


def effects(experiment: Experiment, cells: "dict[Cell, pl.DataFrame | None]") -> list[Effect]:
    """What all forks of a run found; ``cells`` are the forks' tables by cell.

    Several choices that one fork asks about are a search, corrected after Benjamini and Hochberg
    (1995); forks that ask about one thing are corrected together after Holm (1979).
    """
    made: list[Effect] = []
    alone: list[Effect] = []
    for fork in experiment.forks:
        for cell, table in cells.items():
            found = _found(fork, cell, table) if table is not None else []
            if fork.each or fork.by:
                made += _answered(found, step_up)
            else:
                alone += found
    return [*_answered(alone, holm), *made]


def _found(fork: Fork, cell: Cell, table: "pl.DataFrame") -> list[Effect]:
    """The effects of a fork in a cell, not corrected yet."""
    import polars as pl

    group = pl.lit(fork.name)
    if fork.each:
        group = pl.col("words")
    elif fork.by:
        group = pl.sql_expr(fork.by).cast(pl.String).fill_null("unknown")
    mine = table.filter(pl.col("fork") == fork.name)
    both = mine.filter(pl.col("made")).select(
        "deal", group.alias("choice"), made="mover_share", made_over="over"
    )
    other = mine.filter(~pl.col("made")).select(left="mover_share", left_over="over")
    rows = pl.concat([both, other], how="horizontal").with_columns(
        ended=pl.col("made_over") & pl.col("left_over"),
        apart=pl.col("made").cast(pl.Float64) - pl.col("left").cast(pl.Float64),
    )
    return [
        _effect(fork, str(choice), cell, part)
        for (choice,), part in rows.group_by("choice", maintain_order=True)
    ]


def _effect(fork: Fork, choice: str, cell: Cell, rows: "pl.DataFrame") -> Effect:
    import polars as pl

    ended = rows.filter(pl.col("ended"))
    deals = ended.group_by("deal", maintain_order=True).agg(pl.col("apart").mean())["apart"]
    differences: Floats = deals.to_numpy()
    p = p_value(differences)
    left = len(rows) - len(ended)
    answer = "no claim" if left > UNFINISHED * len(rows) else "open"
    return Effect(
        fork.name,
        choice,
        cell.variant.name,
        cell.level,
        len(ended),
        left,
        average(differences, percent=True),
        p,
        p,
        "few" if len(differences) < FEW else answer,
        fork.margin,
        isinstance(fork, Offer),
        fork.chosen,
    )


def _answered(found: list[Effect], correct: Any) -> list[Effect]:
    """The same with corrected p-values and answers, the best choices first."""
    asked = [one for one in found if one.answer == "open"]
    corrected = dict(zip(map(id, asked), correct([one.p for one in asked]), strict=True))
    answered = []
    for one in found:
        p = float(corrected.get(id(one), 1.0))
        answer = one.answer
        if answer == "open":
            around = Interval(one.figure.low, one.figure.high).answer(0, one.margin)
            answer = "clear" if p < BOUNDARY else "equal" if around == "equal" else "open"
        answered.append(Effect(**{**vars(one), "corrected": p, "answer": answer}))
    return sorted(answered, key=lambda one: (one.answer == "few", -one.figure.value, one.choice))


def finding(one: Effect, *, where: bool = False) -> Sentence:
    """An effect as a sentence; ``where``: with the rules by which it was found."""
    who = f"between {one.level} players" + (f" ({one.variant})" if where else "")
    points = f"{apart(one.figure)} of the win"
    if one.offer:
        return _offered(one, who, points)
    if one.answer == "clear":
        does = "helps" if one.figure.value > 0 else "harms"
        return Sentence(f"{one.choice} {does} whoever chooses it {who}", points)
    if one.answer == "equal":
        within = f"{one.margin * 100:g} points"
        return Sentence(
            f"{one.choice} is worth as much as the next best, within {within}, {who}", points
        )
    if one.answer == "no claim":
        left = f"{one.unfinished} forks did not end"
        return Sentence(f"Nothing is claimed of {one.choice} {who}", left)
    return Sentence(f"Whether {one.choice} helps or harms {who} is open", points)


def _offered(one: Effect, who: str, points: str) -> Sentence:
    """The effect of an offer as a sentence."""
    what, whom = f"“{one.choice}” instead of the next card", "whoever chooses next"
    if one.answer == "no claim":
        left = f"{one.unfinished} forks did not end"
        return Sentence(f"Nothing is claimed of {what}, {who}", left)
    helps = "helps" if one.figure.value > 0 else "harms"
    says = {
        "clear": f"{what} {helps} {whom}, {who}",
        "equal": f"{what} is the same to {whom}, within {one.margin * 100:g} points, {who}",
        "open": f"Whether {what} helps or harms {whom}, {who}, is open",
    }[one.answer]
    return Sentence(says, points)


def asked(one: Effect) -> str:
    """What the effects of a fork are."""
    if one.offer:
        return "the share of the win of whoever chooses next, less that with the next card instead"
    return "the share of the win, made less the best other choice"


def apart(figure: Figure) -> str:
    """A difference of shares: ``+2.1 points [0.3, 3.9]``."""
    low, high = figure.low * 100, figure.high * 100
    return f"{figure.value * 100:+.1f} points [{low:.1f}, {high:.1f}]"


def findings_of(found: Sequence[Effect]) -> list[Sentence]:
    """The sentences: all that is clear, and the rest where a fork asks one thing alone."""
    sentences: list[Sentence] = []
    where = len({one.variant for one in found}) > 1
    for fork in dict.fromkeys(one.fork for one in found):
        mine = [one for one in found if one.fork == fork and one.answer != "few"]
        if all(one.choice == fork for one in mine):
            sentences += [finding(one, where=where) for one in mine]
            continue
        clear = [one for one in mine if one.answer == "clear"]
        sentences += [finding(one, where=where) for one in clear]
        tested = counted(len(mine), "question")
        sentences.append(Sentence(fork, f"{len(clear)} of {tested} clear, corrected as a search"))
    return sentences


def sections(found: Sequence[Effect]) -> list[Section]:
    """A table for each fork: every choice with the number of its forks, the best first."""
    made = []
    for fork in dict.fromkeys(one.fork for one in found):
        mine = [one for one in found if one.fork == fork]
        section = Section(
            f"{fork}: {asked(mine[0])}",
            ["choice", "forks", "effect", "p corrected", "answer"],
            note="the same decision taken both ways with the same dice; one a game at most",
        )
        if mine[0].offer:
            section.columns = ["what came", *section.columns[1:]]
            section.note = "the same game with the card and without it; one a game at most"
        cells = {(one.variant, one.level) for one in mine}
        for one in mine:
            where = f" ({one.variant}, {one.level})" if len(cells) > 1 else ""
            figure, p = apart(one.figure), f"{one.corrected:.3f}"
            if one.answer == "few":
                figure, p = "", ""
            answer = f"fewer than {FEW} forks" if one.answer == "few" else one.answer
            section.rows.append([one.choice + where, one.forks, figure, p, answer])
        made.append(section)
    return made


def as_data(found: Sequence[Effect]) -> list[dict[str, Any]]:
    """Effects for `--json`."""
    names = ("fork", "choice", "variant", "level", "forks", "unfinished")
    return [
        {
            **{key: getattr(one, key) for key in names},
            **as_value(one.figure),
            "p": one.p,
            "p_corrected": one.corrected,
            "answer": one.answer,
            "margin": one.margin,
            **({"offer": True} if one.offer else {}),
            **({"chosen": True} if one.chosen else {}),
        }
        for one in found
    ]
