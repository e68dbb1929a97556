"""Win probability along a game: everybody's chances, drama and luck, a row for each game.

The chances are those of the coach's curve: of what the game has learned, else of its lore.  First
they are calibrated by games of their own, so that they are neither too bold nor too shy.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints, Refused, States, kernels
from yegg.engine.curve import along, room
from yegg.lab.batch import Batch, Setting
from yegg.lab.executors.ordered import Once
from yegg.lab.simulation import run
from yegg.players.value_net.value_function import judge

from .analysis import PlayedGames

if TYPE_CHECKING:
    import polars as pl

Numbers = NDArray[np.float64]

PILOT_SEED = 0x5EED  # tells their dice from those of the experiment
AT_ONCE = 50  # games whose choices are kept in memory
LEAD = 0.02  # who is ahead by less does not lead
SURE = 0.9  # from where on nobody doubts any more
STEPS = 20  # of the winner's curve
TENTHS = 10
COLDEST, HOTTEST = 0.1, 4.0
GOLDEN = (math.sqrt(5) - 1) / 2


class TraceTable(msgspec.Struct, frozen=True):
    """The table ``[trace]``, as it is written."""

    deals: Annotated[int, msgspec.Meta(ge=1)] = 1000
    luck: bool = True
    pilots: Annotated[int, msgspec.Meta(ge=1)] = 400


@dataclass(frozen=True)
class Trace:
    """What is traced."""

    deals: int
    """So many deals of each cell, the first ones."""
    luck: bool
    """Whether luck is told from decisions, which looks at all that chance could have done."""
    pilots: int
    """Games by which chances are calibrated."""
    heats: Once[float] = field(default_factory=Once, repr=False, compare=False)

    def heat(self, setting: Setting, known: Callable[[], float] | None = None) -> float:
        """By which power chances are calibrated where these players play: ``known``, or found."""
        options = tuple(sorted(setting.options.items()))
        key = setting.players, options, tuple(setting.lineup), tuple(setting.habits)
        return self.heats.get(key, known or (lambda: fitted(setting, self.pilots)))


def trace_columns(sides: int, trace: Trace) -> list[str]:
    """What measures can be made of where games are traced."""
    split = [
        f"{what}_{side}" for what in ("start", "luck", "skill") for side in range(1, sides + 1)
    ]
    return [*COLUMNS, *(split if trace.luck else ())]


COLUMNS = (
    *("drama", "lead_changes", "decided_at", "idle_turns", "traced_turns"),
    *("third_said", "third_won", "winner_lowest"),
)


@dataclass(frozen=True)
class Followed:
    """One game's curve, cut to what there is of it."""

    points: Numbers
    """(points, sides)"""
    start: Numbers
    luck: Numbers
    decisions: Numbers
    turns: tuple[int, int]
    """How many there were, and how many had no choice among several."""


class Follower:
    """Follows games of one kind."""

    def __init__(self, setting: Setting, *, luck: bool) -> None:
        """Compile nothing yet."""
        game = self.game = setting.game
        self.setting, self.luck = setting, luck
        self.kernel = game.engine(*judge(game), "lore").kernel(along)
        self.out = np.zeros(game.choices, np.int32)

    def follow(self, choices: Ints, sides: int, heat: float) -> Followed:
        """The curve of a game from its log."""
        states: States = self.game.blank(self.setting.players, self.setting.options)
        self.game.engine().kernel(kernels.begin)(states, self.out)
        on = room(self.game.state.dtype, sides)
        many = self.kernel(states, choices, heat, int(self.luck), on, self.out)
        turns = int(on.turns[0]), int(on.turns[1])
        return Followed(on.points[:many], on.start, on.luck, on.decisions, turns)


def traced(games: PlayedGames, trace: Trace) -> "pl.DataFrame | None":
    """The traces of games, a row for each that ended; None if none did."""
    import polars as pl

    setting, sides = games.setting, games.shares.shape[1]
    heat = trace.heat(setting)
    follower = Follower(setting, luck=trace.luck)
    rows: list[dict[str, Any]] = []
    for game, log, shares in games.finished():
        followed = follower.follow(log, sides, heat)
        deal, seating = games.rows[game]
        rows.append({"deal": deal, "seating": seating, "heat": heat, **summary(followed, shares)})
        if trace.luck:
            rows[-1] |= split(followed)
        rows[-1] |= tenths(followed.points, shares)
    schema = {"deal": pl.Int64, "seating": pl.Int16}
    return pl.DataFrame(rows, infer_schema_length=None, schema_overrides=schema) if rows else None


def split(game: Followed) -> dict[str, float]:
    """The chances before the game, what chance changed, and what all else did, by side."""
    parts = {"start": game.start, "luck": game.luck, "skill": game.decisions}
    return {
        f"{what}_{side + 1}": float(value)
        for what, values in parts.items()
        for side, value in enumerate(values)
    }


def summary(game: Followed, shares: Numbers) -> dict[str, Any]:
    """What the curve of a game says; ``shares`` are those of the win that came.

    Drama is that of Browne ("Automatic generation and evaluation of recombination games", 2008):
    how far behind the winner was, where it was, as a mean of square roots.
    """
    p = game.points
    n = len(p)
    won = p[:, shares > 0].max(axis=1)
    best = p.max(axis=1)
    behind = best - won
    trailed = behind > 0
    unsure = np.flatnonzero(won <= SURE)
    third = p[n // 3]
    leads = third == third.max()
    steps = np.linspace(0, n - 1, STEPS + 1)
    curve = np.interp(steps, np.arange(n), won)
    return {
        "drama": float(np.sqrt(behind[trailed]).mean()) if trailed.any() else 0.0,
        "lead_changes": lead_changes(p),
        "decided_at": float((unsure[-1] + 1) / n) if len(unsure) else 0.0,
        "idle_turns": game.turns[1],
        "traced_turns": game.turns[0],
        "third_said": float(third.max()),
        "third_won": float(shares[leads].mean()),
        "winner_lowest": float(won[n // 2 :].min()),
        **{f"winner_{at * 100 // STEPS}": float(value) for at, value in enumerate(curve)},
    }


def lead_changes(p: Numbers) -> int:
    """How often another side leads than the one that led last; nobody leads by a hair."""
    order = np.sort(p, axis=1)
    clear = order[:, -1] - order[:, -2] >= LEAD
    leaders = p.argmax(axis=1)[clear]
    return int((leaders[1:] != leaders[:-1]).sum())


def tenths(p: Numbers, shares: Numbers) -> dict[str, Any]:
    """How often each tenth was said, the sum of what was said, and of what came."""
    place = np.minimum((p * TENTHS).astype(int), TENTHS - 1).ravel()
    came = np.broadcast_to(shares, p.shape).ravel()
    sums = {
        "count": np.bincount(place, minlength=TENTHS).astype(float),
        "said": np.bincount(place, p.ravel(), TENTHS),
        "came": np.bincount(place, came, TENTHS),
    }
    return {f"{what}_{at}": float(sums[what][at]) for what in sums for at in range(TENTHS)}


def fitted(setting: Setting, pilots: int) -> float:
    """The power under which the results of some games are likeliest."""
    setting = replace(setting, seed=setting.seed ^ PILOT_SEED, lots=False)
    follower = Follower(setting, luck=False)
    games: list[tuple[Numbers, Numbers]] = []
    for first in range(0, pilots, AT_ONCE):
        batch = run(setting, first, min(AT_ONCE, pilots - first), log=True)
        for log, shares in ended(batch):
            games.append((follower.follow(log, len(shares), 1.0).points, shares))
    if not games:
        raise Refused("no game came to its end, so chances cannot be calibrated")
    return likeliest(games)


def ended(batch: Batch) -> Iterator[tuple[Ints, Numbers]]:
    """The log and the shares of every game of a batch that ended."""
    shares = batch.shares
    for game in np.flatnonzero(batch.over).tolist():
        yield batch.log[game, : batch.lengths[game]], shares[game]


def likeliest(games: list[tuple[Numbers, Numbers]]) -> float:
    """The power that makes what came likeliest; every game counts once.

    ``games`` have their points and what came.  Found by golden sections: the likelihood has one
    peak, since its logarithm is concave.
    """
    logs = np.log(np.maximum(np.concatenate([points for points, _ in games]), 1e-12))
    many = [len(points) for points, _ in games]
    came = np.repeat([shares for _, shares in games], many, axis=0)
    weights = np.repeat([1 / n for n in many], many)
    hit = (logs * came).sum(axis=1)

    def doubt(heat: float) -> float:
        return float(weights @ (np.log(np.exp(heat * logs).sum(axis=1)) - heat * hit))

    low, high = COLDEST, HOTTEST
    while high - low > 1e-4:
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        low, high = (low, right) if doubt(left) < doubt(right) else (left, high)
    return round((low + high) / 2, 4)
