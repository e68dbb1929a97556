"""Effects of choices on their maker's share of the win, estimated from forks: ``[[fork]]``.

The unit is the deal, as in `findings`: one number for each, the mean of its forks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.lab.cells import Cell, who
from yegg.lab.file_schema import struct
from yegg.lab.game_frame import parsed
from yegg.lab.policies.habits import texts_of
from yegg.stats.claims import UNFINISHED, verdict
from yegg.stats.intervals import Apart, Section, Sentence, as_value, difference, p_text
from yegg.stats.p_values import Floats, holm, p_value, step_up
from yegg.text.phrases import counted, listing

from .analysis import Analysis, Context, PlayedGames, between
from .forks import FORK_COLUMNS, Fork, ForkTable, fork_from, forked

if TYPE_CHECKING:
    import polars as pl

    from yegg.lab.plots import Panel

FEW = 20  # forks, below which nothing is tested
CHOICES = {
    "clear": "{choice} {way} whoever chooses it {who}",
    "equal": "{choice} is worth as much as the next best, {within}, {who}",
    "open": "Whether {choice} helps or harms {who} is open",
    "no claim": "Nothing is claimed of {choice} {who}",
}
"""The answers to a question about a choice in words."""
OFFERS = {
    "clear": "“{choice}” instead of the next card {way} whoever chooses next, {who}",
    "equal": "“{choice}” instead of the next card is the same to whoever chooses next, {within}, "
    "{who}",
    "open": "Whether “{choice}” instead of the next card helps or harms whoever chooses next, "
    "{who}, is open",
    "no claim": "Nothing is claimed of “{choice}” instead of the next card, {who}",
}
"""The same about an offer."""


@dataclass(frozen=True)
class Effect:
    """The effect of one choice, or of one kind of choices, on its maker's share of the win."""

    fork: str
    choice: str
    """The words, or the value of ``by``; the name of the fork where all are taken together."""
    variant: str
    level: str
    forks: int
    """How many decisions were taken both ways, to the end."""
    unfinished: int
    """How many were not."""
    figure: Apart
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


class Forks(Analysis[tuple[Fork, ...], Effect]):
    """The analysis ``[[fork]]``: effects of choices and offers."""

    key = "fork"
    part = data_key = "forks"

    def parse(self, given: Any, context: Context) -> tuple[Fork, ...]:
        """All entries of ``[[fork]]``."""
        if not isinstance(given, list):
            raise Refused("fork is a table of keys and values under [[fork]], in double brackets")
        for name, player in context.players.items():
            if given and bots.thinks(player):
                raise Refused(
                    f"fork: {name} remembers what it thought, so it cannot be put before a "
                    "decision once more; players who answer at once can"
                )
        return tuple(self._parsed(struct(ForkTable, one, "a fork"), context) for one in given)

    def _parsed(self, table: ForkTable, context: Context) -> Fork:
        """A fork at a choice, or at the offer of a card."""
        if table.offer and (table.where or not context.lots):
            raise Refused("a fork has where = …, or offer = …, for which chance draws by lots")
        texts = texts_of(context.of, context.variants, chance=bool(table.offer))
        fork = fork_from(table, texts, context.folder)
        of = f"fork {fork.name!r}"
        if fork.offer and (fork.chosen or fork.plan):
            raise Refused(f"{of}: nobody chooses an offer; chosen and plan need `where`")
        games = [context.of(variant) for variant in context.variants]
        dealt = {game.cards: set(getattr(game.part("odds"), "DEALT", ())) for game in games}
        if fork.offer and not all(set(one.numbers) <= dealt[at] for at, one in fork.decks.items()):
            raise Refused(f"{of}: an offer is a card that is dealt; of dice there is no next one")
        if fork.by:
            known = [*context.columns, *FORK_COLUMNS]
            parsed(fork.by, known, f"{of}: by", typed=False)
        return fork

    def identity(self, spec: tuple[Fork, ...]) -> object:
        """What the forks depend on."""
        return tuple(fork.key for fork in spec)

    def plans(self, spec: tuple[Fork, ...]) -> list[Path]:
        """The files of plans that rank choices."""
        return [Path(str(fork.plan.__file__)) for fork in spec if fork.plan]

    def collect(self, spec: tuple[Fork, ...], games: PlayedGames) -> "pl.DataFrame | None":
        """Two rows for each fork of a game: made, and barred."""
        import polars as pl

        here = [fork.over(games.setting.game) for fork in spec]
        tables = [forked(fork, games) for fork in here if fork.numbers]
        known = [table for table in tables if table is not None]
        return pl.concat(known) if known else None

    def estimate(
        self, spec: tuple[Fork, ...], game: Game, frames: "Mapping[Cell, pl.DataFrame]"
    ) -> list[Effect]:
        """The effects in all cells of a run.

        Several choices that one fork asks about are a search, corrected after Benjamini and
        Hochberg (1995); forks that ask about one thing are corrected together after Holm (1979).
        """
        searched: list[Effect] = []
        alone: list[Effect] = []
        for fork in spec:
            for cell, table in frames.items():
                effects = _effects(fork, cell, table)
                if fork.each or fork.by:
                    searched += _answered(effects, step_up)
                else:
                    alone += effects
        return [*_answered(alone, holm), *searched]

    def to_dict(self, estimates: Sequence[Effect]) -> list[dict[str, Any]]:
        """Each effect with its answer."""
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
            for one in estimates
        ]

    def sentences(self, estimates: Sequence[Effect]) -> list[Sentence]:
        """All that is clear, and the rest where a fork asks one thing alone."""
        sentences: list[Sentence] = []
        for fork, mine in _by_fork(estimates).items():
            tested = [one for one in mine if one.answer != "few"]
            alone = all(one.choice == fork for one in tested)
            told = tested if alone else [one for one in tested if one.answer == "clear"]
            sentences += [finding(one, between(one, estimates)) for one in told]
            if not alone:
                many = counted(len(tested), "question")
                clear = f"{len(told)} of {many} clear, corrected as a search"
                sentences.append(Sentence(fork, clear))
        return sentences

    def tables(self, game: Game, estimates: Sequence[Effect]) -> list[Section]:
        """A table for each fork: every choice with the number of its forks, the best first."""
        return [_table(fork, effects) for fork, effects in _by_fork(estimates).items()]

    def panels(self, game: Game, estimates: Sequence[Effect]) -> "Iterable[Panel]":
        """What the choices of each fork are worth: those that are clear are lit."""
        from yegg.lab.plots import Panel, caterpillar, mark

        for at, (fork, effects) in enumerate(_by_fork(estimates).items(), 1):
            section = _table(fork, effects)
            marks = [
                mark(str(row[0]), one.figure, lit=one.answer == "clear")
                for one, row in zip(effects, section.rows, strict=True)
                if one.answer != "few"
            ]
            if marks:
                says = (
                    f"{counted(len(marks), 'card')}, each once as it came and once replaced by the "
                    "next; filled where it is clear."
                    if effects[0].offer
                    else f"{counted(len(marks), 'choice')}, each taken and not taken with the same "
                    "dice; filled where it is clear."
                )
                draw = partial(caterpillar, marks, "share of the win", share=True)
                yield Panel(f"fork-{at}", f"What it is worth: {fork}", says, draw, section)

    def method(self, spec: tuple[Fork, ...], estimates: Sequence[Effect]) -> list[str]:
        """The definitions of an offer and a fork, and of which decisions forks are drawn."""
        said = []
        if any(one.offer for one in estimates):
            said.append(
                "An offer is one card that came up in a game; the other game has it at the bottom "
                "of its deck, and the next card in its place."
            )
        if any(not one.offer for one in estimates):
            said.append(
                "A fork is one decision of a game taken both ways with the same dice: as asked, "
                "and as the player would choose among all other choices. " + _drawn(estimates)
            )
        return said


def _by_fork(estimates: Sequence[Effect]) -> dict[str, list[Effect]]:
    """The effects of each fork, in their order."""
    forks: dict[str, list[Effect]] = {}
    for effect in estimates:
        forks.setdefault(effect.fork, []).append(effect)
    return forks


def _table(fork: str, effects: Sequence[Effect]) -> Section:
    """The effects of a fork, a row for each choice."""
    cells = {(one.variant, one.level) for one in effects}
    section = Section(
        f"{fork}: {asked(effects[0])}",
        ["choice", "forks", "effect", "adjusted p", "answer"],
        note="the same game with the card and without it; one a game at most"
        if effects[0].offer
        else "the same decision taken both ways with the same dice; one of each a game at most",
    )
    for one in effects:
        where = f" ({one.variant}, {who(one.level)})" if len(cells) > 1 else ""
        figures: list[object] = ["", "", "too few forks"]
        if one.answer != "few":
            figures = [one.figure, p_text(one.corrected), one.answer]
        section.rows.append([one.choice + where, one.forks, *figures])
    return section


def _drawn(estimates: Sequence[Effect]) -> str:
    """Of which decisions the forks are drawn."""
    names = dict.fromkeys(one.fork for one in estimates if one.chosen)
    if not names:
        return "It is drawn from all at which the choice was possible, made or not."
    said = listing([f"“{name}”" for name in names])
    return f"Those of {said} are drawn from choices that players made, others from all possible."


def _effects(fork: Fork, cell: Cell, table: "pl.DataFrame") -> list[Effect]:
    """The effects of a fork in a cell, not corrected yet."""
    import polars as pl

    group = pl.lit(fork.name)
    if fork.each:
        group = pl.col("words")
    elif fork.by:
        group = pl.sql_expr(fork.by).cast(pl.String).fill_null("unknown")
    table = table.filter(pl.col("fork") == fork.name)
    made, left = table.filter("made"), table.filter(~pl.col("made"))
    share = pl.col("mover_share").cast(pl.Float64)
    apart = share - left.select(share).to_series()
    rows = made.select("deal", group.alias("choice"), apart.alias("apart"))
    rows = rows.with_columns(ended=made["over"] & left["over"])
    effects = []
    for (choice,), part in rows.group_by("choice", maintain_order=True):
        ended = part.filter("ended")
        deals = ended.group_by("deal", maintain_order=True).agg(pl.col("apart").mean())["apart"]
        differences, unfinished = deals.to_numpy(), len(part) - len(ended)
        p, figure = p_value(differences), difference(differences, percent=True)
        answer = "no claim" if unfinished > UNFINISHED * len(part) else "open"
        answer = "few" if len(differences) < FEW else answer
        of = fork.name, str(choice), cell.variant.name, cell.level, len(ended), unfinished
        about = fork.margin, fork.offer, fork.chosen
        effects.append(Effect(*of, figure, p, p, answer, *about))
    return effects


def _answered(effects: list[Effect], correct: "Callable[[list[float]], Floats]") -> list[Effect]:
    """The same with corrected p-values and answers, the best choices first."""
    tested = [one.answer == "open" for one in effects]
    corrected = iter(correct([one.p for one, open_ in zip(effects, tested, strict=True) if open_]))
    answered = []
    for one in effects:
        p, answer = 1.0, one.answer
        if answer == "open":
            p = float(next(corrected))
            answer = verdict(p, one.figure.low, one.figure.high, one.margin)
        answered.append(replace(one, corrected=p, answer=answer))
    return sorted(answered, key=lambda one: (one.answer == "few", -one.figure.value, one.choice))


def finding(one: Effect, who: str) -> Sentence:
    """An effect as a sentence; ``who``: between whom it was found."""
    words = {
        "choice": one.choice,
        "way": "helps" if one.figure.value > 0 else "harms",
        "within": f"within {one.margin * 100:g} points",
    }
    says = (OFFERS if one.offer else CHOICES)[one.answer].format(**words, who=who)
    unclaimed = one.answer == "no claim"
    left = f"{one.unfinished} forks did not end"
    return Sentence(says, left if unclaimed else f"{one.figure} of the win")


def asked(one: Effect) -> str:
    """The meaning of a fork's figures, in words."""
    if one.offer:
        return "the share of the win of whoever chooses next, less that with the next card instead"
    return "the share of the win, made less the best other choice"
