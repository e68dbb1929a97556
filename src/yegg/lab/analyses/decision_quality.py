"""How much hangs on decisions, as the coach weighs some of them.

Of every game some turns are drawn, each with the same chance, and all their decisions are weighed:
how far every choice lies behind the best one, by what its player may know.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from yegg.coach.advice import think
from yegg.engine import Ints, Match
from yegg.engine.dice import seeds
from yegg.lab.experiment.toml_files import only, whole
from yegg.lab.simulation import Batch, Setting
from yegg.players.thinking.plan import Evaluation, Plan
from yegg.stats.intervals import Z

from .win_probability import finished

if TYPE_CHECKING:
    import polars as pl


KEYS = ("deals", "every", "tries")
DEALS, EVERY, TRIES = 200, 50, 200
CLOSE = 0.02  # of the win: choices that differ by less are as good as each other
WORSE = 0.05  # a choice that is so far behind is a mistake
NOTHING = 0.01  # where no choice is farther behind, it does not matter which one is made
KINDS = ("meaningful", "slight", "one", "nothing")
"""What a decision may be: several choices are good and others are mistakes; several are good and
none is a mistake; one choice is best; it does not matter."""
DRAW = 0xC401CE  # tells the dice by which turns are drawn from those of the games

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Choices:
    """Which decisions are weighed."""

    deals: int
    """Of so many deals of each cell, the first ones."""
    every: int
    """One turn of so many, on average."""
    tries: int
    """How often each choice is tried."""


def choices_from(given: Mapping[str, Any]) -> Choices:
    """The table ``[choices]`` of an experiment.  Raises Refused with what would be right."""
    only("choices", given, KEYS)
    usual = dict(zip(KEYS, (DEALS, EVERY, TRIES), strict=True))
    return Choices(**{key: whole(given.get(key, usual[key]), f"choices.{key}", 1) for key in KEYS})


def warm(setting: Setting) -> None:
    """Compile the coach."""
    match = Match(setting.game, setting.players, setting.options).to_decision()
    think(match, Plan(iterations=len(match.choices)), 0)


def kind(behind: Numbers) -> str:
    """What a decision is, whose choices lie so far behind the best one, itself left out.

    >>> [kind(np.array(one)) for one in ([0.01, 0.2], [0.01, 0.03], [0.03, 0.2], [0.0, 0.01])]
    ['meaningful', 'slight', 'one', 'nothing']
    """
    if not behind.size or behind.max() <= NOTHING:
        return "nothing"
    if behind.min() > CLOSE:
        return "one"
    return "meaningful" if behind.max() >= WORSE else "slight"


def judged(thoughts: Evaluation) -> tuple[str, bool, float]:
    """What a decision is, whether chance could have made it so, and how far its choices differ.

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
    for event, who in enumerate(actors):
        if who >= 0:
            if who != last:
                made.append([])
            made[-1].append(event)
            last = who
    return made


def weighed(
    setting: Setting, batch: Batch, rows: Sequence[tuple[int, int]], wanted: Choices
) -> "pl.DataFrame | None":
    """The turns of a batch that are weighed, a row for each; None if there are none.

    The choices of the batch are logged; ``rows`` are its deals and seatings.
    """
    import polars as pl

    made: list[dict[str, Any]] = []
    for g, log, _ in finished(batch):
        deal, seating = rows[g]
        if deal < wanted.deals:
            dice = int(seeds(setting.seed ^ DRAW, deal, 1, 1 + seating)[0, -1, 0])
            drawn = _turns_of(setting, log, wanted, dice)
            made += [{"deal": deal, "seating": seating, **turn} for turn in drawn]
    schema = {"deal": pl.Int64, "seating": pl.Int16}
    return pl.DataFrame(made, schema_overrides=schema) if made else None


def _turns_of(setting: Setting, log: Ints, wanted: Choices, dice: int) -> Iterator[dict[str, Any]]:
    """What hangs on the turns of a game that are drawn."""
    match = Match(setting.game, setting.players, setting.options)
    whole_game = match.fork()
    whole_game.follow(log.tolist())
    for number, events in enumerate(turns(whole_game.actors)):
        if (number + dice) % wanted.every == 0:
            row: dict[str, Any] = {"turn": number, "decisions": 0, "offered": 0, "spread": 0.0}
            row |= dict.fromkeys((*KINDS, "unsure"), 0)
            for event in events:
                match.follow(log[len(match.history) : event].tolist())
                if len(match.choices) > 1:
                    _add(row, match, wanted.tries, (dice ^ event) % 2**31)
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
