"""Findings in sentences and tables: made from answers and figures, none written by hand."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from yegg.lab.analyses import seat_trends
from yegg.lab.cells import among, who
from yegg.lab.experiment.findings import Findings, Tested, judged
from yegg.lab.simulation_report import table
from yegg.players.judges import fallbacks
from yegg.stats.intervals import Figure, Section, Sentence
from yegg.text.phrases import capital, counted, listing

if TYPE_CHECKING:
    from yegg.lab.experiment.schema import Claim

__all__ = ["among", "answer", "as_text", "capital", "described", "finding", "headline", "who"]


def is_share(found: Findings, measure: str) -> bool:
    """Whether a measure is told in percent, and its differences in points."""
    return found.experiment.shown[measure].kind.percent


def title(found: Findings, measure: str) -> str:
    """The name of a measure: its title, and which part of it is meant."""
    shown = found.experiment.shown[measure]
    return shown.title + measure.removeprefix(shown.whole) if shown.whole else shown.title


def finding(found: Findings, one: Tested) -> str:
    """The answer to a claim at one level, as a sentence."""
    if one.answer == "no claim":
        return f"{capital(among(one.level))} nothing is claimed: {one.why}."
    values = [str(figure) for figure in _compared(found, one)]
    several = len(found.experiment.variants) > 1
    figures = values[0] + (f" with {one.claim.left}" if several else "")
    figures += f", {values[1]} with {one.claim.right}" if len(values) > 1 else ""
    apart = one.difference.figure
    deals = f"deal by deal {apart}" if len(values) > 1 else f"{apart} off {compared(found, one)}"
    return f"{capital(among(one.level))} {figures}; {deals}, {_verdict(found, one)}."


def compared(found: Findings, one: Tested) -> str:
    """The right side of a claim, in words: other rules, or a number."""
    claim = one.claim
    if claim.number is None or not is_share(found, claim.measure):
        return claim.right
    return f"{claim.number * 100:.4g} %"


def _verdict(found: Findings, one: Tested) -> str:
    """An answer in words, and whether it is contrary to the claim."""
    return _way(found, one) + _contrary(one)


def _way(found: Findings, one: Tested) -> str:
    """An answer in words: ``clearly higher``, ``equal within 3 points``."""
    if one.answer == "equal":
        return f"equal {_within(found, one)}"
    return "which leaves it open" if one.answer == "open" else f"clearly {_more(one)}"


def _within(found: Findings, one: Tested) -> str:
    share = is_share(found, one.claim.measure)
    margin = f"{one.claim.margin * 100:g} points" if share else f"{one.claim.margin:g}"
    return f"within {margin}"


def _more(one: Tested) -> str:
    return "higher" if one.difference.figure.value > 0 else "lower"


def _contrary(one: Tested) -> str:
    """What follows where an answer is clear and not what was claimed."""
    expected = {">": "higher", "<": "lower"}.get(one.claim.how, _more(one))
    other = one.answer == "clear" and _more(one) != expected
    return ", contrary to the claim" if other else ""


def headline(found: Findings, same: Sequence[Tested]) -> str:
    """The answers to one claim, at all levels, as the head of a finding."""
    claim = same[0].claim
    name = capital(title(found, claim.measure))
    answers = {_verdict(found, one) if one.answer != "no claim" else "" for one in same}
    if len(answers) > 1:
        said = [f"{_headed(found, one)} {among(one.level)}" for one in same]
        return f"{name} with {claim.left}: {listing(said)}."
    if same[0].answer == "no claim":
        return f"{name}: nothing is claimed."
    right = compared(found, same[0])
    if same[0].answer == "open":
        return f"{name}: whether {claim.left} and {right} differ is open."
    if same[0].answer == "equal":
        return f"{name}: {claim.left} and {right} are {_way(found, same[0])}."
    than = right if claim.number is not None else f"with {right}"
    way, contrary = _way(found, same[0]), _contrary(same[0])
    return f"{name}: {way} with {claim.left} than {than}{contrary}."


def _headed(found: Findings, one: Tested) -> str:
    answer = {"open": "open", "no claim": "nothing claimed"}.get(one.answer)
    return answer or _way(found, one)


def by_claim(found: Findings) -> list[list[Tested]]:
    """The answers to each claim together, one for each level."""
    together: dict[Claim, list[Tested]] = {}
    for one in found.tested:
        together.setdefault(one.claim, []).append(one)
    return list(together.values())


def answer(found: Findings) -> str:
    """The answer of the whole run in one sentence: the first claim, where the best players play."""
    if not found.tested:
        return str(next(iter(beside(found)), "")) or _first_measure(found)
    one = by_claim(found)[0][-1]
    if one.answer == "no claim":
        return headline(found, [one])
    claim, values = one.claim, _compared(found, one)
    share = is_share(found, claim.measure)
    said = rounded([figure.value for figure in values], share=share)
    head = f"{capital(title(found, claim.measure))}: {said[0]} with {claim.left}"
    if len(said) > 1:
        head += f", {said[1]} with {claim.right}"
    closing = "; whether they differ is open." if one.answer == "open" else ""
    if one.answer != "open" and len(said) > 1:
        closing = f": {_verdict(found, one)}."
    elif one.answer == "equal":
        closing = f": equal to {compared(found, one)} {_within(found, one)}."
    elif one.answer == "clear":
        closing = f": {_way(found, one)} than {compared(found, one)}{_contrary(one)}."
    return head + closing


def beside(found: Findings) -> list[Sentence]:
    """Findings of the analyses, in sentences."""
    return [said for analysis, _, some in found.analyses for said in analysis.sentences(some)]


def described(found: Findings) -> list[Sentence]:
    """Findings beside the claims, in sentences."""
    asked = any(name.startswith("share_") for name in found.experiment.measures)
    return [*beside(found), *seat_trends.findings_of(found.seats, found.trends, asked=asked)]


def _first_measure(found: Findings) -> str:
    """The first measure, for a run that claims nothing; if it is a seat's share, of all seats."""
    first = found.measured[0].measure
    if first == "share_1" and found.seats:
        return str(seat_trends.findings_of(found.seats, [], asked=True)[-1])
    some = [one for one in found.measured if one.measure == first]
    last = [one for one in some if one.level == some[-1].level]
    known = rounded([one.figure.value for one in last], share=is_share(found, first))
    if len(last) == 1:
        return f"{capital(title(found, first))}: {known[0]} {among(last[0].level)}."
    ends = [f"{said} with {one.variant}" for said, one in zip(known, last, strict=True)]
    shown = ends if len(ends) <= 3 else [ends[0], ends[-1]]
    return f"{capital(title(found, first))}: {listing(shown)}; nothing was claimed beforehand."


def _compared(found: Findings, one: Tested) -> list[Figure]:
    """What a claim compares: the figures of its one or two variants."""
    there = {(m.variant, m.level, m.measure): m.figure for m in found.measured}
    names = (one.claim.left, one.claim.right)
    keys = [(name, one.level, one.claim.measure) for name in names]
    return [there[key] for key in keys if key in there]


def rounded(values: Sequence[float], *, share: bool) -> list[str]:
    """Values with as many digits as tell them apart, at most two more than usual."""
    said: list[str] = []
    for digits in (0, 1, 2) if share else (2, 3):
        said = [f"{v * 100:.{digits}f} %" if share else f"{v:.{digits}f}" for v in values]
        if len(set(said)) == len(set(values)):
            break
    return said


def limits(found: Findings) -> list[str]:
    """The limits of the answer: what it does not cover."""
    game, levels = found.experiment.game, list(dict.fromkeys(one.level for one in found.measured))
    played = listing([who(level) for level in levels])
    said = [f"Who played: {played}. Better players might answer otherwise."]
    thinking = [who(level) for level in levels if level != "uniform"]
    if thinking and any(variant.options for variant in found.experiment.variants):
        said.append(
            f"How {listing(thinking)} judge a position was fitted to the published rules; "
            "a variant that wants another plan is played no better than that."
        )
    said += [
        f"{capital(who(name))} judge by {listing([str(one) for one in several])} in different "
        "variants, so that a difference between these may be one between players."
        for name, several in judged(found.experiment)
        if len(several) > 1
    ]
    said += [f"{line}." for line in fallbacks(game, found.experiment.playing.values())]
    cells = dict.fromkeys((m.variant, m.level, m.unfinished, m.games) for m in found.measured)
    for variant, level, unfinished, games in cells:
        if unfinished:
            said.append(
                f"{counted(unfinished, 'game')} of {games} did not end ({variant}, {who(level)}); "
                "they are left out."
            )
    said += [
        f"{capital(who(level))}: ended after {deals} deals, when the claims were answered."
        for level, deals in found.ended.items()
    ]
    if found.differences:
        said.append("Figures without a claim are described and not tested.")
    return said


def sections(found: Findings) -> list[Section]:
    """A table for each measure: every cell, and how it differs from the first variant."""
    apart = {(d.measure, d.level, d.left): d for d in found.differences}
    columns = ["rules", "players", "games", "value", "less the first rules", "games saved"]
    tables = []
    for measure, expression in found.experiment.measures.items():
        name = capital(title(found, measure))
        section = Section(name if measure == expression else f"{name} ({expression})", columns)
        for one in found.measured:
            if one.measure == measure:
                d = apart.get((measure, one.level, one.variant))
                less = d.figure if d else ""
                saved = f"× {d.saved:.1f}" if d and d.saved else ""
                row = one.variant, who(one.level), one.counted, one.figure, less, saved
                section.rows.append(row)
        tables.append(section)
    return tables


def as_text(found: Findings) -> RenderableType:
    """The findings of a run, for a terminal."""
    game = found.experiment.game
    head = f"{game.title}, seed {found.experiment.seed}"
    parts: list[RenderableType] = [Text(found.experiment.question, "bold"), Text(head, "dim")]
    parts.append(Text(answer(found)))
    for same in by_claim(found):
        said = [headline(found, same), *(finding(found, one) for one in same)]
        parts += [Text(f"\n• {' '.join(said)}")]
    parts += [Text(f"• {said}") for said in described(found)]
    tables = [one for analysis, _, some in found.analyses for one in analysis.tables(game, some)]
    tables += seat_trends.sections(found.seats, found.trends)
    parts += [table(section) for section in (*sections(found), *tables)]
    parts += [Text(""), *(Text(said, "dim") for said in limits(found))]
    return Group(*parts)
