"""Rule usage: which clauses apply, and which choices are made or never are: ``[clauses]``.

What applies is what the game names in a position (`clauses` in its `words`).  A choice is told by
the first word of its text: ``buy``, ``steal``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from yegg.engine import Game, Ints, Match, Refused
from yegg.engine.voice import clauses, whole
from yegg.lab.batch import Matchup
from yegg.lab.cells import Cell, who
from yegg.stats.intervals import Figure, Section, Sentence, average, proportion
from yegg.text.phrases import counted, listing

from .analysis import Analysis, Context, PlayedGames, between

if TYPE_CHECKING:
    import polars as pl

    from yegg.lab.plots import Panel

CLAUSE, WORD = "clause", "word"


class ReadGames(msgspec.Struct, frozen=True):
    """The table ``[clauses]`` of a file: which games are looked through."""

    deals: Annotated[int, msgspec.Meta(ge=1)] = 100
    """Those of so many deals of each cell, the first ones."""


@dataclass(frozen=True)
class Usage:
    """How often a clause or a word is used in a cell."""

    variant: str
    level: str
    games: int
    what: str
    """``clause`` or ``word``."""
    name: str
    times: Figure
    """How often a game, on average."""
    could: Figure
    """At how many decisions of a game it could be chosen; of a clause the same as ``times``."""
    share: float
    """In what share of the games it was used at all."""


class Rules(Analysis[ReadGames, Usage]):
    """The analysis ``[clauses]``: which clauses apply, and which words are chosen."""

    schema = ReadGames
    key = part = data_key = "clauses"

    def parse(self, given: Any, context: Context) -> ReadGames:
        """The table ``[clauses]``, for a game that tells its clauses."""
        numbers(context.game)
        return super().parse(given, context)

    def collect(self, spec: ReadGames, games: PlayedGames) -> "pl.DataFrame | None":
        """A row for each clause and each word of each game."""
        return games.table(spec.deals, lambda _, log, __: looked_through(games.setting, log))

    def of_cell(self, game: Game, cell: Cell, table: "pl.DataFrame") -> list[Usage]:
        """The clauses in the order of the rules, then words, most used first."""
        import polars as pl

        games = table.select("deal", "seating").unique(maintain_order=True)
        usages = []
        for (what, name), part in table.group_by("what", "name", maintain_order=True):
            used = games.join(part, ["deal", "seating"], "left", maintain_order="left").fill_null(0)
            by_deal = used.group_by("deal", maintain_order=True).agg(
                pl.col("times", "could").cast(pl.Float64).mean()
            )
            figures = [average(by_deal[how].to_numpy()) for how in ("times", "could")]
            times, could = (replace(one, low=max(0.0, one.low)) for one in figures)
            share = float((used["times"] > 0).mean() or 0.0)  # type: ignore[arg-type]
            head = cell.variant.name, cell.level, len(games), str(what), str(name)
            usages.append(Usage(*head, times, could, share))
        order = {name: at for at, name in enumerate(numbers(game))}
        usages.sort(key=lambda use: (use.what, order.get(use.name, 0), -use.times.value, use.name))
        return usages

    def sentences(self, estimates: Sequence[Usage]) -> list[Sentence]:
        """Choices that were possible and never made, in a sentence for each cell that has any."""
        never: dict[tuple[str, str], list[Usage]] = {}
        for use in estimates:
            if use.what == WORD and not use.times.value:
                never.setdefault((use.variant, use.level), []).append(use)
        return [
            Sentence(
                "What could be chosen, and never was, in "
                f"{counted(uses[0].games, 'game')} {between(uses[0], estimates)}",
                listing([use.name for use in uses]),
            )
            for uses in never.values()
        ]

    def tables(self, game: Game, estimates: Sequence[Usage]) -> list[Section]:
        """A table of clauses and one of words."""
        if not estimates:
            return []
        never = ", ".join(unused(game, estimates))
        note = "each clause applied in some game"
        if never:
            note = (
                f"never: {never}. Clauses that no position asks about, as those of "
                "setting up, are always among them."
            )
        head, often = ["", "rules", "players"], "in so many games"
        clauses = Section("Clauses that apply", [*head, "a game", often], note=note)
        columns = [*head, "could be chosen, a game", "was chosen", often]
        words = Section("Choices by their first word", columns)
        for use in estimates:
            section, figures = words, [use.could, use.times]
            if use.what == CLAUSE:
                section, figures = clauses, [use.times]
            share = f"{100 * use.share:.0f} %"
            section.rows.append([use.name, use.variant, use.level, *figures, share])
        return [clauses, words]

    def panels(self, game: Game, estimates: Sequence[Usage]) -> "Iterable[Panel]":
        """In what share of a cell's games each clause applied, and each word was chosen."""
        from yegg.lab.plots import Panel, caterpillar, mark

        cells = dict.fromkeys((use.variant, use.level) for use in estimates)
        heads = (CLAUSE, "Which clauses apply"), (WORD, "What is chosen")
        for at, (variant, level) in enumerate(cells, 1):
            some = [use for use in estimates if (use.variant, use.level) == (variant, level)]
            for section, (what, head) in zip(self.tables(game, some), heads, strict=True):
                marks = [
                    mark(one.name, proportion(one.share * one.games, one.games), lit=not one.share)
                    for one in some
                    if one.what == what
                ]
                if marks:
                    note = f"; {section.note}" if section.note else ""
                    yield Panel(
                        f"{what}s-{at}",
                        f"{head}: {variant}, {who(level)}",
                        f"{head}, in what share of {counted(some[0].games, 'game')}; "
                        "filled: in none.",
                        partial(caterpillar, marks, "share of games", share=True, fair=None),
                        replace(section, title=section.title + note),
                    )


def numbers(game: Game) -> list[str]:
    """The clauses of a game's RULES.md, in their order.  Raises Refused if there are none."""
    page = game.folder / "RULES.md"
    found = list(clauses(page.read_text(encoding="utf-8"))) if page.is_file() else []
    if not found or not hasattr(game.words, "clauses"):
        raise Refused(f"{game.title} does not say which of its clauses apply")
    return found


def looked_through(setting: Matchup, log: Ints) -> list[dict[str, Any]]:
    """How often each clause applied in a game, and each word could be and was chosen.

    The last position counts, too: there it is decided who wins.
    """
    match = Match(setting.game, setting.players, setting.options)
    voice, every = setting.game.voice, numbers(setting.game)
    applied, could, chosen = Counter[str](), Counter[str](), Counter[str]()
    for choice in [*log.tolist(), None]:
        applied.update(whole(one, every) for one in voice.clauses(match.state))
        if choice is None:
            break
        if match.actor >= 0 and len(match.choices) > 1:
            could.update(sorted({text.split()[0] for text in match.texts}))
            chosen[match.say(choice).split()[0]] += 1
        match.play(choice)
    counts = ((CLAUSE, applied, applied), (WORD, could, chosen))
    return [
        {"what": what, "name": name, "could": possible[name], "times": times[name]}
        for what, possible, times in counts
        for name in possible
    ]


def unused(game: Game, found: Sequence[Usage]) -> list[str]:
    """The clauses that applied in no game of any cell."""
    applied = {use.name for use in found if use.what == CLAUSE}
    return [name for name in numbers(game) if name not in applied]
