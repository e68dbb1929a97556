"""The sentence of an answer: the template of what came out, filled with figures from the data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from yegg import players as bots
from yegg.lab.cells import among, who
from yegg.stats.intervals import brackets
from yegg.text.phrases import capital, grouped, listing, number
from yegg.text.plain_numbers import margin_in_words, plain, points, told_apart

from .schema import USUAL_LEVEL, Answer, Hole, fill

Data = Mapping[str, Any]
Said = list[tuple[str, float]]
"""Figures that stand together: how each is written, and the number."""

FEW = 6  # names in a sentence


@dataclass
class Told:
    """A sentence, and the figures in it."""

    says: str
    outcome: str
    level: str
    evidence: str = ""
    """The figures behind it, with their intervals."""
    figures: dict[str, float] = field(default_factory=dict)
    """By how it is written: the number."""
    beside: dict[str, str] = field(default_factory=dict)
    """By level that played beside: its outcome of the same claim."""
    stronger: list["Beside"] = field(default_factory=list)
    """What those say who think ahead; they play few games."""


@dataclass
class Beside:
    """A sentence about players who are stronger than those whom the answer is about."""

    level: str
    says: str
    outcome: str
    games: int
    within: str
    """How far their figure may be off."""


def sentence_of(answer: Answer, data: Data, printed: Mapping[str, str] | None = None) -> Told:
    """The sentence that follows from the data; docs/lab.md describes their keys.

    ``printed``: the names of cards by the words that choices have for them.
    """
    if answer.kind == "search":
        return _search(answer, data, printed or {})
    return {"claim": _claim, "fork": _fork, "best": _best}[answer.kind](answer, data)


def _claim(answer: Answer, data: Data) -> Told:
    """What is said of a claim: whether it is higher or lower, whatever was claimed."""
    some = _told_of(answer, data)
    one = _at_level(answer, some)
    sentence = _claimed(answer, data, one)
    if sentence.outcome == "no claim":
        return sentence
    sentence.evidence = " ".join(entry["says"] for entry in some)
    for entry in some:
        if entry is not one:
            other = _claimed(answer, data, entry)
            sentence.beside[entry["level"]] = other.outcome
            if _thinks(entry["level"]):
                _add_stronger(sentence, other, data, entry)
    return sentence


def _claimed(answer: Answer, data: Data, one: Any) -> Told:
    """What is said of a claim at one level."""
    apart, level = one["difference"], one["level"]
    if one["answer"] == "no claim":
        return Told(f"Nothing can be said: {one['why']}.", "no claim", level)
    measure = apart["measure"]
    left = _figure(data, measure, apart["left"], level)
    right = _figure(data, measure, apart["right"], level)
    share = left["share"]
    outcome = _outcome(one["answer"], apart, one["margin"])
    pair = [left["value"], float(right["value"] if right else apart["right"])]
    written = told_apart(pair, share=share, differ=outcome != "equal")
    own = {
        "left": [(written[0], pair[0])],
        "right": [(written[1], pair[1])],
        **_difference(apart, one["margin"], share=share),
    }
    return _filled(answer, data, Told("", outcome, level), apart["left"], own)


def _thinks(level: str) -> bool:
    """Whether those of a level think ahead; a line-up or a plan is no level."""
    return bots.known(level) and bots.thinks(level)


def _add_stronger(sentence: Told, other: Told, data: Data, one: Any) -> None:
    """Note what players who think ahead say; where it is another answer the sentence says so."""
    apart = one["difference"]
    measured = _figure(data, apart["measure"], apart["left"], one["level"])
    low, high = apart["interval"]
    within = points((high - low) / 2, share=measured["share"])
    sentence.stronger.append(
        Beside(one["level"], other.says, other.outcome, measured["games"], within)
    )
    if other.outcome not in {sentence.outcome, "open", "no claim"}:
        sentence.says += f" {capital(who(one['level']))} say otherwise: {other.says}"
        sentence.figures |= other.figures


def _fork(answer: Answer, data: Data) -> Told:
    """What is said of a choice taken both ways."""
    one = _at_level(answer, [one for one in data["forks"] if one["fork"] == answer.of[0]])
    if one["answer"] not in {"clear", "equal", "open"}:
        games = f"{number(one['forks'])} game{'' if one['forks'] == 1 else 's'}"
        few = f"{among(one['level'])} there was such a choice in {games}"
        why = few if one["answer"] == "few" else "too many games did not end"
        return Told(f"Nothing can be said: {why}.", "no claim", one["level"])
    own = _difference(one, one["margin"], share=True)
    forks = grouped(one["forks"])
    own["forks"] = [(forks, one["forks"])]
    sentence = Told("", _outcome(one["answer"], one, one["margin"]), one["level"])
    low, high = (100 * end for end in one["interval"])
    sentence.evidence = (
        f"Tried {forks} times {among(one['level'])}: {100 * one['value']:+.1f} points of the "
        f"win {brackets(low, high, '+.1f')}, compared with the best other choice."
    )
    return _filled(answer, data, sentence, one["variant"], own)


def _search(answer: Answer, data: Data, printed: Mapping[str, str]) -> Told:
    """What is said of many choices at once: which are clear, and what is known of the others."""
    every = [one for one in data["forks"] if one["fork"] == answer.of[0]]
    level = _at_level(answer, every)["level"]
    asked = [one for one in every if one["level"] == level and one["answer"] != "few"]
    clear = [one for one in asked if one["answer"] == "clear"]
    good = [one for one in clear if one["value"] > 0]
    bad = [one for one in clear if one["value"] < 0]
    verbs = {one["choice"].split()[0] for one in every}
    verb = f"{verbs.pop()} " if len(every) > 1 == len(verbs) else ""
    words = {"helpful": _choices(good, verb, printed), "harmful": _choices(bad, verb, printed)}
    equal = sum(one["answer"] == "equal" for one in asked)
    margin = margin_in_words(every[0]["margin"], share=True)
    words["rest"] = _rest(len(clear), equal, len(asked) - len(clear) - equal, margin)
    outcome = {(True, True): "both", (True, False): "good", (False, True): "bad"}
    sentence = Told("", outcome.get((bool(good), bool(bad)), "none"), level)
    if not asked:
        return Told("Nothing can be said: there were too few such choices.", "no claim", level)
    own: dict[str, Said] = {"tested": [(str(len(asked)), len(asked))]}
    return _filled(answer, data, sentence, every[0]["variant"], own, words)


def _rest(clear: int, equal: int, left: int, margin: str) -> str:
    """What is known of choices that are not clear, of so many of each kind; "" if all are."""
    parts = []
    if equal:
        who = "it" if equal == 1 else f"all {number(equal)}"
        if left:
            who = number(equal) + ("" if not clear else " other" if equal == 1 else " others")
        elif clear:
            who = f"the other {number(equal)}"
        are = "is" if equal == 1 else "are"
        parts.append(f"{capital(who)} {are} as good as the best other choice, within {margin}.")
    if left:
        who = "it" if left == 1 else f"any of the {number(left)}"
        if clear or equal:
            who = "the last one" if equal and left == 1 else f"the other {number(left)}"
        parts.append(f"Nobody can tell about {who}.")
    return " ".join(parts)


def _best(answer: Answer, data: Data) -> Told:
    """What is said of the best of several measures, each wherever it was measured."""
    figures = [_at_level(answer, _known(data, name)) for name in answer.of]
    figures.sort(key=lambda one: -one["value"])
    first, second, last = figures[0], figures[1], figures[-1]
    outcome = "open"
    if first["interval"][0] > second["interval"][1]:
        outcome = "clear"
    elif first["interval"][1] - second["interval"][0] <= answer.margin:
        outcome = "equal"
    share = first["share"]
    titles = data["titles"]
    written = told_apart([first["value"], second["value"]], share=share, differ=outcome == "clear")
    both = list(zip(written, (first["value"], second["value"]), strict=True))
    own = {
        "most": both[:1],
        "next": both[1:],
        "both": both,
        "least": [(plain(last["value"], share=share), last["value"])],
        "margin": [(margin_in_words(answer.margin, share=share), answer.margin)],
    }
    words = {
        key: titles[one["measure"]]
        for key, one in (("best", first), ("second", second), ("worst", last))
    }
    sentence = Told("", outcome, first["level"])
    return _filled(answer, data, sentence, first["variant"], own, words)


def _known(data: Data, measure: str) -> list[Any]:
    """The figures of a measure by the first rules, at every level that has one."""
    first = data["figures"][0]["variant"]
    there = [one for one in data["figures"] if (one["measure"], one["variant"]) == (measure, first)]
    return [one for one in there if one["value"] is not None]


def _filled(
    answer: Answer,
    data: Data,
    sentence: Told,
    variant: str,
    own: Mapping[str, Said],
    words: Mapping[str, str] | None = None,
) -> Told:
    """The template of an outcome with its figures; each is noted as it is written."""

    def put(hole: Hole) -> str:
        if words and hole.name in words:
            return words[hole.name]
        if hole.name in own and not hole.variant:
            said = own[hole.name]
        else:
            one = _figure(data, hole.name, hole.variant or variant, hole.level or sentence.level)
            if one is None or one["value"] is None:
                return "an unknown number"
            said = [(plain(one["value"], share=one["share"]), one["value"])]
        sentence.figures |= said
        return listing(list(dict(said)))

    sentence.says = capital(fill(answer.templates[sentence.outcome], put).strip())
    return sentence


def _told_of(answer: Answer, data: Data) -> list[Any]:
    """A claim at every level where there is anything to be told of it."""
    some = [one for one in data["claims"] if one["claim"] == answer.of[0]]
    return [one for one in some if _measured(data, one)] or some


def _measured(data: Data, one: Any) -> bool:
    """Whether there is a figure on both sides of a claim; the right one may be a number."""
    apart, level = one["difference"], one["level"]
    sides = [_figure(data, apart["measure"], apart[key], level) for key in ("left", "right")]
    return all(side is None or side["value"] is not None for side in sides)


def _at_level(answer: Answer, some: Sequence[Any]) -> Any:
    """Of the same claim or fork at several levels: the one that the answer is about."""
    by_level = {one["level"]: one for one in some}
    for level in (answer.level, USUAL_LEVEL):
        if level in by_level:
            return by_level[level]
    return some[-1]


def _outcome(answer: str, apart: Any, margin: float) -> str:
    """Higher or lower where that is clear; equal also where it is clear and does not matter."""
    if max(map(abs, apart["interval"])) <= margin:
        return "equal"
    return answer if answer != "clear" else "higher" if apart["value"] > 0 else "lower"


def _figure(data: Data, measure: str, variant: str, level: str) -> Any:
    """One measure in one cell; None if there is none."""
    for one in data["figures"]:
        if (one["measure"], one["variant"], one["level"]) == (measure, variant, level):
            return one
    return None


def _difference(one: Any, margin: float, *, share: bool) -> dict[str, Said]:
    """How large a difference is, and how large it may be."""
    most = max(map(abs, one["interval"]))
    return {
        "apart": [(points(abs(one["value"]), share=share), one["value"])],
        "at most": [(points(most, share=share), most)],
        "margin": [(margin_in_words(margin, share=share), margin)],
    }


def _choices(some: Sequence[Any], verb: str, printed: Mapping[str, str]) -> str:
    """Choices by name, the strongest first; the template has the ``verb`` that all share."""
    ordered = sorted(some, key=lambda one: -abs(one["value"]))
    words = [one["choice"].removeprefix(verb).split() for one in ordered]
    names = [" ".join(printed.get(word, word.replace("-", " ")) for word in one) for one in words]
    if len(names) > FEW:
        names = [*names[:FEW], f"{len(names) - FEW} others"]
    return listing(names)
