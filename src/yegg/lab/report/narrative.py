"""Findings in sentences and tables: made from answers and figures, none written by hand."""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from yegg.lab.analyses import seat_trends
from yegg.lab.cells import among, who
from yegg.lab.experiment.decks import apart
from yegg.lab.experiment.findings import (
    Findings,
    Measured,
    Tested,
    judged,
    to_dict,
    told_fallbacks,
)
from yegg.lab.questions.narrative import Told, sentence_of
from yegg.lab.questions.schema import answers_of
from yegg.lab.terminal import Prose, table
from yegg.stats.intervals import Figure, Section, Sentence
from yegg.text.phrases import capital, grouped, listing, stopped
from yegg.text.plain_numbers import margin_in_words, plain, told_apart

from .changes import changed, changes
from .worded import worded

if TYPE_CHECKING:
    from yegg.lab.experiment.schema import Claim

AS_CLAIMED = "as claimed, "
SEATS = re.compile(r"share_\d+$")
MEASURES_TOLD = 4  # in the first sentence; all are told below it


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
    if claim.number is None or not found.is_share(claim.measure):
        return claim.right
    return f"{claim.number * 100:.4g} %"


def claim_in_words(found: Findings, one: Tested) -> str:
    """What was claimed beforehand: ``Games equal in districts: more with four than with five``."""
    way = {">": "more", "<": "less"}.get(one.claim.how, "other")
    with_right = "" if one.claim.number is not None else "with "
    right = f"{with_right}{compared(found, one)}"
    name = capital(found.title(one.claim.measure))
    return f"{name}: {way}{_with_left(found, one.claim)} than {right}"


def _with_left(found: Findings, claim: "Claim") -> str:
    """The rules on the left of a claim; nothing where there are no others."""
    return f" with {claim.left}" if len(found.experiment.variants) > 1 else ""


def _verdict(found: Findings, one: Tested) -> str:
    """An answer in words, and whether it is contrary to the claim."""
    return _way(found, one) + _contrary(one)


def _way(found: Findings, one: Tested) -> str:
    """An answer in words: ``clearly higher``, ``equal within 3 points``."""
    if one.answer == "equal":
        return f"equal {_within(found, one)}"
    return "which leaves it open" if one.answer == "open" else f"clearly {_more(one)}"


def _within(found: Findings, one: Tested) -> str:
    share = found.is_share(one.claim.measure)
    return f"within {margin_in_words(one.claim.margin, share=share)}"


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
    name = capital(found.title(claim.measure))
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
    return f"{name}: {way}{_with_left(found, claim)} than {than}{contrary}."


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
    """What the report says first: the file's own sentence, else what follows of its claim.

    Where nothing is claimed it says what changed; with one set of rules, what came out.
    """
    own = own_answers(found)
    if own:
        return own[0].says
    found = worded(found)
    if found.tested:
        return _claimed(found, by_claim(found)[0][-1])
    if len(found.experiment.variants) > 1 and found.differences:
        return changed(found)
    return str(next(iter(beside(found)), "")) or measured(found)


def own_answers(found: Findings) -> list[Told]:
    """The sentences that the file has for what came out, filled; docs/lab.md describes them."""
    answers = answers_of(found.experiment)
    if not answers:
        return []
    said = worded(found)
    shown = found.experiment.shown
    data = {**to_dict(found), "titles": {name: one.title for name, one in shown.items()}}
    for entry, one in zip(data["claims"], said.tested, strict=True):
        entry["says"] = finding(said, one)
    return [sentence_of(one, data, found.experiment.game.voice.printed) for one in answers]


def _claimed(found: Findings, one: Tested) -> str:
    """The answer to a claim in plain words."""
    if one.answer == "no claim":
        return headline(found, [one])
    claim, share = one.claim, found.is_share(one.claim.measure)
    name = found.title(claim.measure)
    values = [figure.value for figure in _compared(found, one)]
    numbers = values if claim.number is None else [*values, claim.number]
    said = told_apart(numbers, share=share, differ=one.answer == "clear")
    left = f"{said[0]} ({claim.left})" if len(found.experiment.variants) > 1 else said[0]
    right = compared(found, one) if claim.number is not None else f"{said[1]} ({claim.right})"
    within = _within(found, one)
    if one.answer == "open":
        return f"Nobody can tell yet whether {name} differs: {left} and {right}."
    if one.answer == "equal" and claim.number is None:
        return f"{capital(name)} stayed the same {within}: {left} and {right}."
    if one.answer == "equal":
        return f"{capital(name)} came to {left}, which is {right} {within}."
    more = one.difference.figure.value > 0
    head = "Contrary to the claim, " if _contrary(one) else "" if claim.how == "!=" else AS_CLAIMED
    if claim.number is None:
        way = f"{name} {'rose' if more else 'fell'} from {right} to {left}"
        return capital(f"{head}{way}.")
    way = f"{name} came to {left}, clearly {'more' if more else 'less'} than {right}"
    return capital(f"{head}{way}.")


def beside(found: Findings) -> list[Sentence]:
    """Findings of the analyses, in sentences."""
    return [said for analysis, _, some in found.analyses for said in analysis.sentences(some)]


def described(found: Findings) -> list[Sentence]:
    """Findings beside the claims, in sentences: what else changed, analyses, seats."""
    asked = any(name.startswith("share_") for name in found.experiment.measures)
    seats = seat_trends.findings_of(found.seats, found.trends, asked=asked)
    return [*changes(found), *_figures(found), *beside(found), *seats]


def _figures(found: Findings) -> list[Sentence]:
    """Every measure of one set of rules, but for what is claimed and the shares of seats."""
    if len(found.experiment.variants) > 1:
        return []
    claimed = {one.claim.measure for one in found.tested}
    by_measure: dict[str, list[Measured]] = {}
    for one in found.measured:
        if math.isfinite(one.figure.value) and not SEATS.match(one.measure):
            if one.measure in claimed:
                continue
            by_measure.setdefault(one.measure, []).append(one)
    return [
        Sentence(
            f"{capital(found.title(name))} came to {_plain(found, some[-1])}",
            listing([f"{one.figure} {among(one.level)}" for one in some]),
        )
        for name, some in by_measure.items()
    ]


def measured(found: Findings) -> str:
    """What was measured, for a run of one set of rules; if it is a seat's share, of all seats."""
    first = found.measured[0].measure
    if first == "share_1" and found.seats:
        return str(seat_trends.findings_of(found.seats, [], asked=True)[-1])
    # of each measure the last level that has it
    last = {one.measure: one for one in found.measured if math.isfinite(one.figure.value)}
    if not last:
        return "Nothing was measured: no game has a value."
    some = list(last.values())
    values = [
        f"{found.title(one.measure)} came to {_plain(found, one)}" for one in some[:MEASURES_TOLD]
    ]
    levels = {one.level for one in some}
    where = f"{capital(among(some[0].level))} " if len(levels) == 1 else ""
    return capital(f"{where}{listing(values)}.")


def _plain(found: Findings, one: Measured) -> str:
    return plain(one.figure.value, share=found.is_share(one.measure))


def _compared(found: Findings, one: Tested) -> list[Figure]:
    """What a claim compares: the figures of its one or two variants."""
    there = {(m.variant, m.level, m.measure): m.figure for m in found.measured}
    names = (one.claim.left, one.claim.right)
    keys = [(name, one.level, one.claim.measure) for name in names]
    return [there[key] for key in keys if key in there]


def limits(found: Findings) -> list[str]:
    """The limits of the answer: what it does not cover."""
    experiment = found.experiment
    levels = list(dict.fromkeys(one.level for one in found.measured))
    played = listing([who(level) for level in levels])
    said = [f"Who played: {played}. Better players might answer otherwise."]
    thinking = [who(level) for level in levels if level != "uniform"]
    if experiment.judged:
        said.append(experiment.judged)
    if thinking and any(variant.options or variant.cards for variant in experiment.variants):
        said.append(
            f"How {listing(thinking)} judge a position was fitted to the published rules; "
            "a variant that wants another plan is played no better than that."
        )
    said += [
        f"{capital(who(name))} judge by {listing([str(one) for one in several])} in different "
        "variants, so that a difference between these may be one between players."
        for name, several in judged(experiment)
        if len(several) > 1
    ]
    said += apart([experiment.of(variant) for variant in experiment.variants])
    said += [f"{line}." for line in told_fallbacks(experiment)]
    cells = dict.fromkeys((m.variant, m.level, m.unfinished, m.games) for m in found.measured)
    for variant, level, unfinished, games in cells:
        if unfinished:
            said.append(
                f"{grouped(unfinished)} of {grouped(games)} games did not end "
                f"({variant}, {who(level)}); they are left out."
            )
    said += [
        f"{capital(who(level))}: ended after {grouped(deals)} deals, when the claims were answered."
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
    for measure in found.experiment.measures:
        section = Section(capital(found.title(measure)), columns)
        for one in found.measured:
            if one.measure == measure:
                d = apart.get((measure, one.level, one.variant))
                less = d.figure if d else ""
                saved = f"× {d.saved:.1f}" if d and d.saved else ""
                row = one.variant, who(one.level), one.counted, one.figure, less, saved
                section.rows.append(row)
        tables.append(section)
    return tables


def findings(found: Findings) -> list[Sentence]:
    """Everything that was found, in the order in which it is told: a head and its figures."""
    own = own_answers(found)[1:]
    found = worded(found)
    said = [Sentence(one.says, one.evidence) for one in own]
    for same in by_claim(found):
        figures = " ".join(finding(found, one) for one in same)
        said.append(Sentence(headline(found, same), figures))
    return said + [Sentence(capital(one.says), capital(one.figures)) for one in described(found)]


def as_text(found: Findings) -> RenderableType:
    """The findings of a run, for a terminal."""
    head = f"{found.experiment.title}, seed {found.experiment.seed}"
    parts: list[RenderableType] = [Prose(found.experiment.question, "bold"), Prose(head, "dim")]
    parts += [Prose(answer(found)), Text("")]
    parts += [
        Prose(f"• {stopped(one.says)} {stopped(one.figures)}".rstrip()) for one in findings(found)
    ]
    found = worded(found)
    game = found.experiment.game
    tables = [one for analysis, _, some in found.analyses for one in analysis.tables(game, some)]
    tables += seat_trends.sections(found.seats, found.trends)
    parts += [table(section) for section in (*sections(found), *tables)]
    parts += [Text(""), *(Prose(said, "dim") for said in limits(found))]
    return Group(*parts)
