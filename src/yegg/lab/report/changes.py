"""What changed clearly from the first rules to the others: a sentence for each measure."""

import math
from collections.abc import Iterator, Sequence

from yegg.lab.cells import among
from yegg.lab.experiment.findings import Difference, Findings
from yegg.stats.intervals import Sentence
from yegg.stats.p_values import holm
from yegg.text.phrases import capital, listing, number, within_a_sentence
from yegg.text.plain_numbers import told_apart

ALPHA = 0.05
NAMED = 4  # sets of rules in a sentence; of more, the one that is farthest from the first
TOLD = 3  # measures in a sentence


def corrected(found: Findings) -> list[float]:
    """The p-value of every comparison with the first rules, after Holm over all of them."""
    return [float(p) for p in holm([one.p for one in found.differences])]


def changed(found: Findings) -> str:
    """What changed clearly, in a sentence; where nothing did, it says so."""
    names = list(dict.fromkeys(one.measure for one in found.differences))
    told = [said for name in names if (said := _change(found, name))]
    if not told:
        what = (
            found.title(names[0]) if len(names) == 1 else f"none of {number(len(names))} measures"
        )
        none = f"{what} did not change clearly" if len(names) == 1 else f"{what} changed clearly"
        return f"{capital(none)}: {_unchanged(found, names[0])}."
    if len(names) == 1:
        return f"{told[0].says}."
    heads = [within_a_sentence(one.says) for one in told]
    left = len(heads) - TOLD
    some = [*heads[:TOLD], f"so did {number(left)} more"] if left > 0 else heads
    how_many = f"{number(len(told))} of {number(len(names))} measures"
    if len(told) == len(names):
        how_many = "both measures" if len(told) == 2 else f"all {number(len(told))} measures"
    return f"{capital(how_many)} changed clearly: {listing(some)}."


def changes(found: Findings) -> list[Sentence]:
    """A finding for every measure that changed clearly, but for what a claim tells already."""
    variants = {one.name for one in found.experiment.variants}
    claimed = {
        claim.measure for claim in found.experiment.claims if {claim.left, claim.right} == variants
    }
    names = dict.fromkeys(one.measure for one in found.differences)
    told = [_change(found, name) for name in names if name not in claimed]
    return [one for one in told if one]


def _change(found: Findings, measure: str) -> Sentence | None:
    """How a measure changed; None if it did not clearly, between any players."""
    clear = [
        one
        for one, p in zip(found.differences, corrected(found), strict=True)
        if one.measure == measure and p < ALPHA
    ]
    if not clear:
        return None
    level = clear[-1].level
    there = [one for one in clear if one.level == level]
    farthest = max(there, key=lambda one: abs(one.figure.value))
    every = [one for one in found.differences if (one.measure, one.level) == (measure, level)]
    shown = every if len(every) < NAMED else [farthest]
    values = _values(found, measure, level)
    names = [shown[0].right, *(one.left for one in shown)]
    known = [name for name in names if math.isfinite(values[name])]
    said = told_apart([values[name] for name in known], share=found.is_share(measure), differ=True)
    ends = [f"{value} ({name})" for value, name in zip(said, known, strict=True)]
    ways = {math.copysign(1, one.figure.value) for one in shown}
    verb = "went" if len(ways) > 1 else "rose" if ways == {1.0} else "fell"
    head = f"{capital(found.title(measure))} {verb} from {ends[0]} to {listing(ends[1:])}"
    if len(shown) < len(every):
        head += f", the farthest of {number(len(every))}"
    return Sentence(head, " ".join(_figures(found, clear)))


def _figures(found: Findings, clear: Sequence[Difference]) -> Iterator[str]:
    """The differences of a measure that are clear, by level."""
    for level in dict.fromkeys(one.level for one in clear):
        some = [one for one in clear if one.level == level]
        if len(some) > NAMED:
            most = max(some, key=lambda one: abs(one.figure.value))
            yield f"{capital(among(level))} {number(len(some))} differ, up to {most.figure}."
            continue
        several = len(found.experiment.variants) > 2
        told = [f"{one.figure}" + (f" ({one.left})" if several else "") for one in some]
        yield f"{capital(among(level))} by {listing(told)}."


def _unchanged(found: Findings, measure: str) -> str:
    """The values of a measure between the players who are named last."""
    level = found.differences[-1].level
    values = {
        name: value
        for name, value in _values(found, measure, level).items()
        if math.isfinite(value)
    }
    said = told_apart(list(values.values()), share=found.is_share(measure), differ=False)
    ends = [f"{value} ({name})" for value, name in zip(said, values, strict=True)]
    shown = ends if len(ends) <= NAMED else [ends[0], ends[-1]]
    return f"{found.title(measure)} came to {listing(shown)}"


def _values(found: Findings, measure: str, level: str) -> dict[str, float]:
    """By variant: a measure at a level."""
    return {
        one.variant: one.figure.value
        for one in found.measured
        if (one.measure, one.level) == (measure, level)
    }
