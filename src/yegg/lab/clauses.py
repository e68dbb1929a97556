"""Which rules are ever used: the clauses that apply, and the choices that are made, by their words.

What applies is what the game names in a position (`clauses` in its `words`).  A choice is told by
the first word of its text: ``buy``, ``steal``.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from yegg.engine import Game, Ints, Match, Refused
from yegg.engine.clauses import clauses, whole
from yegg.engine.figures import Figure, Section, average
from yegg.engine.prose import counted, listing

from .evidence import Floats, as_value
from .reading import only
from .reading import whole as whole_number
from .sentence import Sentence
from .sim import Batch, Setting
from .tracing import finished

if TYPE_CHECKING:
    import polars as pl

    from .experiment import Cell

KEYS = ("deals",)
DEALS = 100
CLAUSE, WORD = "clause", "word"


@dataclass(frozen=True)
class Clauses:
    """Which games are looked through."""

    deals: int
    """Those of so many deals of each cell, the first ones."""


def clauses_from(given: Mapping[str, Any]) -> Clauses:
    """The table ``[clauses]`` of an experiment.  Raises Refused with what would be right."""
    only("clauses", given, KEYS)
    return Clauses(whole_number(given.get("deals", DEALS), "clauses.deals", 1))


def numbers(game: Game) -> list[str]:
    """The clauses of a game's RULES.md, in their order.  Raises Refused if there are none."""
    page = game.folder / "RULES.md"
    found = list(clauses(page.read_text(encoding="utf-8"))) if page.is_file() else []
    if not found or not hasattr(game.words, "clauses"):
        raise Refused(f"{game.title} does not say which of its clauses apply")
    return found


def used(
    setting: Setting, batch: Batch, rows: Sequence[tuple[int, int]], wanted: Clauses
) -> "pl.DataFrame | None":
    """What was used in each game of a batch: a row for each clause and word of each game.

    The choices of the batch are logged; ``rows`` are its deals and seatings.
    """
    import polars as pl

    made = [
        {"deal": rows[g][0], "seating": rows[g][1], **row}
        for g, log, _ in finished(batch)
        if rows[g][0] < wanted.deals
        for row in looked_through(setting, log)
    ]
    schema = {"deal": pl.Int64, "seating": pl.Int16}
    return pl.DataFrame(made, schema_overrides=schema) if made else None


def looked_through(setting: Setting, log: Ints) -> list[dict[str, Any]]:
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
            could.update({text.split()[0] for text in match.texts})
            chosen[match.say(choice).split()[0]] += 1
        match.play(choice)
    of = ((CLAUSE, applied, applied), (WORD, could, chosen))
    return [
        {"what": what, "name": name, "could": open_[name], "times": made[name]}
        for what, open_, made in of
        for name in open_
    ]


@dataclass(frozen=True)
class Use:
    """What is used in a cell."""

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


def uses(game: Game, tables: "dict[Cell, pl.DataFrame | None]") -> list[Use]:
    """What each cell used: the clauses in the order of the rules, then words, most used first."""
    made = []
    for cell, table in tables.items():
        if table is not None:
            made += _uses(game, cell, table)
    return made


def _uses(game: Game, cell: "Cell", table: "pl.DataFrame") -> list[Use]:
    import polars as pl

    games = table.select("deal", "seating").unique(maintain_order=True)
    made = []
    for (what, name), part in table.group_by("what", "name", maintain_order=True):
        there = games.join(part, ["deal", "seating"], "left", maintain_order="left").fill_null(0)
        by_deal = there.group_by("deal", maintain_order=True).agg(
            pl.col("times").cast(pl.Float64).mean(), pl.col("could").cast(pl.Float64).mean()
        )
        times, could = _mean(by_deal["times"].to_numpy()), _mean(by_deal["could"].to_numpy())
        share = float((there["times"] > 0).mean() or 0.0)  # type: ignore[arg-type]
        who = cell.variant.name, cell.level, len(games)
        made.append(Use(*who, str(what), str(name), times, could, share))
    order = {name: at for at, name in enumerate(numbers(game))}
    made.sort(key=lambda use: (use.what, order.get(use.name, 0), -use.times.value, use.name))
    return made


def _mean(counts: Floats) -> Figure:
    """A mean of counts, whose interval goes not below 0."""
    figure = average(counts)
    return Figure(figure.value, max(0.0, figure.low), figure.high)


def unused(game: Game, found: Sequence[Use]) -> list[str]:
    """The clauses that applied in no game of any cell."""
    applied = {use.name for use in found if use.what == CLAUSE}
    return [name for name in numbers(game) if name not in applied]


def findings_of(found: Sequence[Use]) -> list[Sentence]:
    """What could be chosen and never was, in sentences; one for each cell where there is any."""
    sentences = []
    cells = list(dict.fromkeys((use.variant, use.level, use.games) for use in found))
    several = len({variant for variant, *_ in cells}) > 1
    for variant, level, games in cells:
        never = [
            use.name
            for use in found
            if (use.variant, use.level) == (variant, level)
            and use.what == WORD
            and not use.times.value
        ]
        if never:
            who = f"between {level} players" + (f" ({variant})" if several else "")
            said = f"could be chosen, and never was, in {counted(games, 'game')} {who}"
            sentences.append(Sentence(f"What {said}", listing(never)))
    return sentences


def sections(game: Game, found: Sequence[Use]) -> list[Section]:
    """A table of clauses and one of words."""
    if not found:
        return []
    left = unused(game, found)
    clauses = Section(
        "Clauses that apply",
        ["", "rules", "players", "a game", "in so many games"],
        note=(
            f"never: {', '.join(left)}. Clauses that no position asks about, as those of setting "
            "up, are always among them."
            if left
            else "each clause applied in some game"
        ),
    )
    words = Section(
        "Choices by their first word",
        ["", "rules", "players", "could be chosen, a game", "was chosen", "in so many games"],
    )
    for use in found:
        head, share = [use.name, use.variant, use.level], f"{100 * use.share:.0f} %"
        if use.what == CLAUSE:
            clauses.rows.append([*head, use.times, share])
        else:
            words.rows.append([*head, use.could, use.times, share])
    return [clauses, words]


def as_data(found: Sequence[Use]) -> list[dict[str, Any]]:
    """What was used, for `--json`."""
    return [
        {
            **{key: getattr(one, key) for key in ("variant", "level", "games", "what", "name")},
            "times": as_value(one.times),
            "could": as_value(one.could),
            "share": one.share,
        }
        for one in found
    ]
