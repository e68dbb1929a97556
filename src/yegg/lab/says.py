"""Findings in sentences and tables: made from answers and figures, none written by hand."""

import itertools

from rich.console import Group, RenderableType
from rich.text import Text

from yegg.engine.figures import Section
from yegg.engine.prose import counted

from . import courses, effects
from .findings import Difference, Findings, Tested
from .report import table


def between(low: float, high: float, *, share: bool) -> str:
    """An interval: ``[31.2, 34.0]``."""
    scale = 100 if share else 1
    return f"[{low * scale:.{1 if share else 2}f}, {high * scale:.{1 if share else 2}f}]"


def is_share(found: Findings, measure: str) -> bool:
    """Whether a measure is the share of games in which something holds."""
    return all(one.figure.percent for one in found.measured if one.measure == measure)


def by(one: Difference, *, share: bool) -> str:
    """A difference and its interval, in the measure's own units."""
    unit = " points" if share else ""
    value = f"{one.value * 100:+.1f}" if share else f"{one.value:+.2f}"
    return f"{value}{unit} {between(one.low, one.high, share=share)}"


def finding(found: Findings, one: Tested) -> str:
    """The answer to a claim as a sentence."""
    share = is_share(found, one.claim.measure)
    left, right, measure = one.claim.left, one.claim.right, one.claim.measure
    who = f"between {one.level} players"
    apart = by(one.difference, share=share)
    if one.answer == "no claim":
        return f"{measure}: nothing is claimed {who}: {one.why}."
    if one.answer == "equal":
        margin = f"{one.claim.margin * 100:g} points" if share else f"{one.claim.margin:g}"
        return f"{measure} is equal for {left} and {right} within {margin} {who}: {apart}."
    if one.answer == "open":
        return f"Whether {measure} differs between {left} and {right} {who} is open: {apart}."
    more = "higher" if one.difference.value > 0 else "lower"
    expected = {">": "higher", "<": "lower"}.get(one.claim.how, more)
    contrary = "" if more == expected else ", contrary to the claim"
    return f"{measure} is clearly {more} for {left} than for {right} {who}{contrary}: {apart}."


def limits(found: Findings) -> list[str]:
    """What the answer does not cover."""
    levels = dict.fromkeys(one.level for one in found.measured)
    played = " and by ".join(levels)
    said = [f"The games were played by {played}; better players might answer otherwise."]
    cells = dict.fromkeys((m.variant, m.level, m.unfinished, m.games) for m in found.measured)
    for variant, level, unfinished, games in cells:
        if unfinished:
            said.append(
                f"{counted(unfinished, 'game')} of {games} did not end ({variant}, {level}); "
                "they are left out."
            )
    if found.differences:
        said.append("Figures without a claim are described and not tested.")
    return said


def sections(found: Findings) -> list[Section]:
    """A table for each measure: every cell, and how it differs from the first variant."""
    apart = {(d.measure, d.level, d.left): d for d in found.differences}
    made = []
    for measure, expression in found.experiment.measures.items():
        title = measure if measure == expression else f"{measure}: {expression}"
        columns = ["rules", "players", "games", "value", "less the first rules", "games saved"]
        section = Section(title, columns)
        share = is_share(found, measure)
        for one in found.measured:
            if one.measure == measure:
                d = apart.get((measure, one.level, one.variant))
                saved = f"× {d.saved:.1f}" if d and d.saved else ""
                less = by(d, share=share) if d else ""
                section.rows.append([one.variant, one.level, one.games, one.figure, less, saved])
        made.append(section)
    return made


def as_text(found: Findings) -> RenderableType:
    """What a run found, for a terminal."""
    game = found.experiment.game
    head = f"{game.title}, seed {found.experiment.seed}"
    parts: list[RenderableType] = [Text(found.experiment.question, "bold"), Text(head, "dim")]
    parts += [Text(f"• {finding(found, one)}") for one in found.tested]
    causes, along = effects.findings_of(found.effects), courses.findings_of(found.courses)
    parts += [Text(f"• {said}") for said in (*causes, *along)]
    tables = effects.sections(found.effects), courses.sections(found.courses)
    parts += [table(section) for section in (*sections(found), *itertools.chain(*tables))]
    parts += [Text(""), *(Text(said, "dim") for said in limits(found))]
    return Group(*parts)
