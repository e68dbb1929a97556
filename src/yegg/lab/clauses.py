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

from .reading import only
from .reading import whole as whole_number
from .sim import Batch, Setting
from .tracing import finished

if TYPE_CHECKING:
    import polars as pl

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
