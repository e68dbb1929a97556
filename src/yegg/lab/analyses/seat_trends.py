"""Seat balance in each cell of an experiment, and how the first seat fares from level to level."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from yegg.lab.cells import Cell, among, who
from yegg.stats.claims import MARGIN, UNFINISHED, verdict
from yegg.stats.intervals import Apart, Figure, Section, Sentence, apart, like, p_text
from yegg.stats.p_values import holm, two_sided
from yegg.stats.seat_balance import Balance, finding
from yegg.stats.seat_balance import to_dict as balance_to_dict
from yegg.text.phrases import counted, listing, percent

if TYPE_CHECKING:
    from yegg.lab.experiment.deal_table import DealTable

FEWEST = 30  # deals of a level, below which no trend is told
TOLD = 4  # cells: of more, only those are told in a sentence whose seats differ


@dataclass(frozen=True)
class Seats:
    """Whether all seats win alike in a cell."""

    variant: str
    level: str
    balance: Balance
    corrected: float
    """p, corrected after Holm for the number of cells."""

    @property
    def answer(self) -> str:
        """The answer to whether all seats win alike, in the words of a claim's answer."""
        return self.balance.answer(self.corrected)


def seats(deals: "DealTable") -> list[Seats]:
    """Whether all seats win alike, in every cell where that can be asked."""
    there = {cell: one for cell in deals.deals if (one := deals.balance(cell))}
    corrected = holm([1.0 if one.why else one.p for one in there.values()])
    return [
        Seats(cell.variant.name, cell.level, one, float(p))
        for (cell, one), p in zip(there.items(), corrected, strict=True)
    ]


@dataclass(frozen=True)
class Trend:
    """How the first seat's share of the win goes from level to level, in the order of the file."""

    variant: str
    levels: tuple[str, ...]
    shares: tuple[Figure, ...]
    """The first seat's, by level."""
    a_level: Apart
    """What it gains a level: the line through the levels, by least squares."""
    p: float
    p_corrected: float
    """The same, corrected after Holm for the number of variants."""
    answer: str
    """As that of a claim; equal: from the first level to the last within the margin."""
    why: str | None = None
    """Why nothing is claimed; None if something is."""
    margin: float = MARGIN


def trends(deals: "DealTable") -> list[Trend]:
    """How the first seat fares, for every variant that several levels have played."""
    by_variant: dict[str, list[Cell]] = {}
    for cell in deals.deals:
        if len(set(cell.lineup)) == 1 < cell.variant.players:
            by_variant.setdefault(cell.variant.name, []).append(cell)
    every = [_trend(deals, cells) for cells in by_variant.values() if len(cells) > 1]
    corrected = holm([1.0 if one.why else one.p for one in every])
    return [_answered(one, float(p)) for one, p in zip(every, corrected, strict=True)]


def _answered(one: Trend, p: float) -> Trend:
    """A trend with its corrected p-value and its answer."""
    steps = len(one.levels) - 1
    low, high = one.a_level.low * steps, one.a_level.high * steps
    answer = "no claim" if one.why else verdict(p, low, high, MARGIN)
    return replace(one, p_corrected=p, answer=answer)


def _trend(deals: "DealTable", cells: Sequence[Cell]) -> Trend:
    known = deals.first_seat(cells)
    steps = np.arange(len(cells)) - (len(cells) - 1) / 2
    weights = steps / (steps @ steps)
    slope = float(weights @ known.means)
    error = math.sqrt(max(float(weights @ known.covariance @ weights), 0.0))
    p = two_sided(slope, error) if known.deals > 1 else 1.0
    means, spreads = known.means.tolist(), np.diag(known.covariance).tolist()
    counts = map(deals.count, cells)
    return Trend(
        cells[0].variant.name,
        tuple(cell.level for cell in cells),
        tuple(
            like(mean, spread, count.deals, count.finished)
            for mean, spread, count in zip(means, spreads, counts, strict=True)
        ),
        apart(slope, error, percent=True),
        p,
        p,
        "open",
        _untold(deals, cells, known.deals) or None,
    )


def _untold(deals: "DealTable", cells: Sequence[Cell], fewest: int) -> str:
    """Why nothing is told of a trend; empty if it is."""
    if any(deals.experiment.samples[cell.level].until for cell in cells):
        return "levels that may end early are not compared"
    if fewest < FEWEST:
        return f"a level has fewer than {FEWEST} deals"
    left = max(deals.count(cell).unfinished for cell in cells)
    return f"{percent(left, 1)} of a level's games did not end" if left > UNFINISHED else ""


def findings_of(found: Sequence[Seats], along: Sequence[Trend], *, asked: bool) -> list[Sentence]:
    """The findings about seats in sentences: all, if it was ``asked``; else those that are clear.

    Of many cells only those are named whose seats differ.
    """
    several = len({one.variant for one in found}) > 1
    told = [one for one in found if one.answer == "clear" or (asked and len(found) <= TOLD)]
    said = [
        finding(balance_to_dict(one.balance, one.corrected), _where(one, several=several))
        for one in told
    ]
    if asked and len(found) > TOLD:
        cells = counted(len(found), "comparison")
        many = f"not all win alike in {len(told)} of {cells}, corrected after Holm"
        said.append(Sentence("Seats", many))
    some = [one for one in along if asked or one.answer == "clear"]
    return [*said, *(_told(one, several=several) for one in some)]


def _where(one: Seats, *, several: bool) -> str:
    return f" {among(one.level)}" + (f" ({one.variant})" if several else "")


def _told(one: Trend, *, several: bool) -> Sentence:
    """A trend as a sentence."""
    rules = f" ({one.variant})" if several else ""
    if one.answer == "no claim":
        says = f"Nothing is claimed of the first seat from level to level{rules}"
        return Sentence(says, str(one.why))
    first = "The first seat's share of the win"
    by_level = zip(one.shares, one.levels, strict=True)
    ends = [f"{percent(share.value, 1)} {among(level)}" for share, level in by_level]
    way = "grows" if one.a_level.value > 0 else "shrinks"
    how = {
        "clear": f"{first} {way} from level to level{rules}",
        "equal": f"{first} is the same at all levels{rules}, within {MARGIN * 100:g} points",
        "open": f"Whether the first seat's share changes from level to level{rules} is open",
    }[one.answer]
    return Sentence(how, f"{one.a_level} a level; {listing(ends)}")


def sections(found: Sequence[Seats], along: Sequence[Trend]) -> list[Section]:
    """A table of seats, and one of the first seat by level."""
    return [made for made in (_seats(found), _trends(along)) if made.rows]


def _seats(found: Sequence[Seats]) -> Section:
    most = max((len(one.balance.shares) for one in found), default=0)
    section = Section(
        "Do all seats win alike?",
        ["rules", "players", *(f"seat {seat}" for seat in range(1, most + 1)), "p", "answer"],
        note="all seats at once, deal by deal: chi², or by betting where a level may end early; "
        "p is corrected after Holm",
    )
    for one in found:
        shares = [*one.balance.shares, *[""] * (most - len(one.balance.shares))]
        answer = one.balance.why or {"clear": "no", "equal": "yes", "open": "open"}[one.answer]
        section.rows.append([one.variant, who(one.level), *shares, p_text(one.corrected), answer])
    return section


def _trends(along: Sequence[Trend]) -> Section:
    section = Section(
        "The first seat from level to level",
        ["rules", "from", "to", "first", "last", "a level", "p", "answer"],
        note="a line through all levels, in the order of the file; p is corrected after Holm",
    )
    for one in along:
        ends = who(one.levels[0]), who(one.levels[-1]), one.shares[0], one.shares[-1]
        answer = one.why or one.answer
        section.rows.append([one.variant, *ends, one.a_level, p_text(one.p_corrected), answer])
    return section


def to_dict(one: Seats) -> dict[str, Any]:
    """Seats for `--json`."""
    cell = {"variant": one.variant, "level": one.level}
    return cell | balance_to_dict(one.balance, one.corrected)
