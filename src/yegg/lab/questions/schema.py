"""The file of a question: an experiment, and how each outcome would be told, written beforehand.

A question is an experiment with a few keys more, which are words for people: who ``asked``, which
measure the ``plot`` shows, and an ``[[answer]]`` for each sentence of the page.  The sentence is
chosen by what came out: docs/lab.md describes the keys.

Sentences are templates: words with holes for figures, ``{left}`` or ``{tied @ four}``.  A hole is
one of the figures that an answer has by itself, or a measure.  Where they are not the usual ones,
the variant and the level of players follow: ``{tied @ four @ uniform}``.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from yegg import games
from yegg.engine import Game, Refused
from yegg.lab.experiment.decks import files_of
from yegg.lab.experiment.schema import CLAIM, Experiment, ExperimentFile, file_of, read
from yegg.lab.file_schema import Margin, from_toml, struct
from yegg.text.json_writer import as_json
from yegg.text.phrases import lacking

Kind = Literal["claim", "fork", "search", "best"]
OUTCOMES: Mapping[Kind, tuple[str, ...]] = {
    "claim": ("higher", "lower", "equal", "open"),
    "fork": ("higher", "lower", "equal", "open"),
    "search": ("both", "good", "bad", "none"),
    "best": ("clear", "equal", "open"),
}
"""By kind of answer: what may come out.  Each has a template."""
USUAL_LEVEL = "medium"
FILLED: Mapping[Kind, frozenset[str]] = {
    "claim": frozenset({"left", "right", "apart", "at most", "margin"}),
    "fork": frozenset({"apart", "at most", "margin", "forks"}),
    "search": frozenset({"tested", "helpful", "harmful", "rest"}),
    "best": frozenset({"best", "most", "second", "next", "both", "worst", "least", "margin"}),
}
"""By kind of answer: the figures that a template may ask for beside those of measures."""
AS_CLAIMED = r"\g<left> \g<how> \g<right>"  # however wide its spaces are
HOLE = re.compile(r"\{([^{}]*)\}")
ABOUT = ("claim", "fork", "best")
WORDS = ("answer", "asked", "plot")
"""The keys of a question that its games do not depend on."""


def _table(kind: Kind) -> type[msgspec.Struct]:
    """An ``[[answer]]`` of a kind as a file has it."""
    about = "fork" if kind == "search" else kind
    outcomes = OUTCOMES[kind]
    fields: list[Any] = [
        (about, list[str] if kind == "best" else str),
        *((outcome, str) for outcome in outcomes),
        ("level", str, ""),
        ("expected", Literal[outcomes], None),
        ("margin", Margin, 0.0),
    ]
    return msgspec.defstruct(kind, fields)


TABLES: Mapping[Kind, type[Any]] = {kind: _table(kind) for kind in OUTCOMES}


@dataclass(frozen=True)
class Hole:
    """A placeholder of a template: what stands in braces."""

    name: str
    variant: str = ""
    level: str = ""

    def check(self, experiment: Experiment, own: Collection[str]) -> None:
        """Raises Refused if there is nothing to be put here; ``own`` needs no measure."""
        if self.name in own and not self.variant:
            return
        variants = [variant.name for variant in experiment.variants]
        for what, said, there in (
            ("measure", self.name, [*own, *experiment.measures]),
            ("variant", self.variant or variants[0], variants),
            ("level", self.level or next(iter(experiment.samples)), list(experiment.samples)),
        ):
            if said not in there:
                raise Refused(f"answer: {{{self}}}: {lacking(what, said, there)}")

    def __str__(self) -> str:
        return " @ ".join(filter(None, (self.name, self.variant, self.level)))


def holes(template: str) -> list[Hole]:
    """The placeholders of a template, in order."""
    return [_hole(hole) for hole in HOLE.findall(template)]


def check_braces(template: str) -> None:
    """Raises Refused where braces do not pair, or a hole has more than its three parts."""
    if left := set("{}") & set(HOLE.sub("", template)):
        raise Refused(f"answer: {template!r} has a {min(left)} alone; a hole is written {{margin}}")
    for hole in HOLE.findall(template):
        if hole.count("@") > 2:
            raise Refused(f"answer: {{{hole}}} has more than {{measure @ rules @ players}}")


def fill(template: str, what: Callable[[Hole], str]) -> str:
    """A template with something in each of its holes."""
    return HOLE.sub(lambda found: what(_hole(found[1])), template)


def _hole(said: str) -> Hole:
    """``measure``, ``measure @ variant`` or ``measure @ variant @ level``."""
    name, variant, level, *_ = *map(str.strip, said.split("@")), "", ""
    return Hole(name, variant, level)


@dataclass(frozen=True)
class Answer:
    """A sentence of a page: what it is about, and how each outcome would be told."""

    kind: Kind
    of: tuple[str, ...]
    """The claim as it is written, the name of the fork, or the measures to choose from."""
    templates: Mapping[str, str]
    level: str = ""
    """Whose games; empty: the usual level's."""
    expected: str = ""
    """The outcome that whoever asked expects, if they said so."""
    margin: float = 0.0
    """What the best measures may differ by and still count as equal."""

    @property
    def holes(self) -> list[Hole]:
        """All that the templates ask for."""
        return [hole for template in self.templates.values() for hole in holes(template)]


@dataclass(frozen=True)
class Question:
    """A question: its words are checked, its experiment not before it is asked for."""

    name: str
    path: Path
    game: Game
    data: Mapping[str, Any]
    answers: tuple[Answer, ...]

    @property
    def text(self) -> str:
        """The question itself."""
        return str(self.data.get("question", self.name))

    @property
    def asked(self) -> str:
        """Who asked, and what they said."""
        return " ".join(str(self.data.get("asked", "")).split())

    @property
    def plot(self) -> str:
        """The measure or fork that is drawn; empty: that of the first answer."""
        return str(self.data.get("plot", ""))

    @property
    def digest(self) -> str:
        """A digest of all that decides what is played and counted; words for people do not.

        Nor does how a measure is shown, which its kind says.
        """
        played = {key: value for key, value in self.data.items() if key not in WORDS}
        if measures := played.get("measure"):
            played["measure"] = {name: _counted(entry) for name, entry in measures.items()}
        plans = [
            (self.path.parent / str(entry["plan"])).read_text(encoding="utf-8")
            for entry in (*played.get("habit", []), *played.get("fork", []))
            if "plan" in entry
        ]
        plans += [
            (self.path.parent / file).read_text(encoding="utf-8-sig")
            for file in files_of(played.get("vary", {}))
        ]
        matters = as_json([played, plans], sort=True)
        return hashlib.sha256(matters.encode()).hexdigest()[:16]

    @cached_property
    def experiment(self) -> Experiment:
        """The experiment.  Raises Refused, also for a figure that no template can have."""
        return whole(self.path)


def _counted(entry: Any) -> Any:
    """What a measure counts: its entry without its kind."""
    if not isinstance(entry, dict):
        return entry
    counted = {key: value for key, value in entry.items() if key != "kind"}
    return counted["of"] if list(counted) == ["of"] else counted


def whole(path: Path) -> Experiment:
    """The experiment in a file, whose words for people fit it, if it has any.  Raises Refused."""
    experiment = read(path)
    try:
        _fit(experiment, experiment.file.plot, answers_of(experiment))
    except Refused as refusal:
        raise Refused(f"{path}: {refusal}") from None
    return experiment


def _fit(experiment: Experiment, plot: str, answers: Sequence[Answer]) -> None:
    """Raises Refused where words are about what the experiment does not have."""
    levels, measures = list(experiment.samples), list(experiment.measures)
    names = [*measures, *(fork.name for fork in (experiment.spec("fork") or ()))]
    if plot and plot not in names:
        raise Refused(f"plot: {lacking('measure or fork', plot, names)}")
    known = {"claim": [str(claim) for claim in experiment.claims], "best": measures}
    for answer in answers:
        if answer.level and answer.level not in levels:
            raise Refused(f"answer.level: {lacking('level', answer.level, levels)}")
        noun = "claim" if answer.kind == "claim" else "measure"
        for name in answer.of if answer.kind in known else ():
            if name not in known[answer.kind]:
                raise Refused(f"answer.{answer.kind}: {lacking(noun, name, known[answer.kind])}")
        for hole in answer.holes:
            hole.check(experiment, FILLED[answer.kind])


def every_question(folder: Path) -> list[Question]:
    """The questions of a folder, by name.  Raises Refused."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise Refused(f"{folder} holds no questions, files such as magnate-districts.toml")
    return [question(path) for path in paths]


def named(every: Sequence[Question], names: Sequence[str]) -> list[Question]:
    """The questions of these names, or all.  Raises Refused."""
    by_name = {one.name: one for one in every}
    for name in names:
        if name not in by_name:
            raise Refused(lacking("question", name, list(by_name)))
    return [by_name[name] for name in dict.fromkeys(names or by_name)]


def question(path: Path) -> Question:
    """The question in a file.  Raises Refused, with what would have been right."""

    def parse(data: Mapping[str, Any], _source: str) -> Question:
        answers = _answers(*file_of(data))
        if not answers:
            raise Refused("a question has an [[answer]] for each sentence of its page")
        return Question(path.stem, path, games.find(str(data["game"])), data, answers)

    return from_toml(path, parse)


def answers_of(experiment: Experiment) -> tuple[Answer, ...]:
    """The sentences that an experiment's file has for what may come out; often none."""
    return _answers(experiment.file, experiment.tables)


def _answers(file: ExperimentFile, tables: Mapping[str, Any]) -> tuple[Answer, ...]:
    """The entries of ``[[answer]]``.  Raises Refused."""
    return tuple(_answer(file, tables.get("fork", []), entry) for entry in file.answer)


def _answer(
    file: ExperimentFile, forks: Sequence[Mapping[str, Any]], entry: Mapping[str, Any]
) -> Answer:
    about = [key for key in ABOUT if key in entry]
    if len(about) != 1:
        raise Refused(f"an answer is about one of: {', '.join(ABOUT)}")
    kind: Any = about[0]
    of = entry[kind]
    if kind == "fork":
        by_name = {str(fork.get("name")): fork for fork in forks}
        if str(of) not in by_name:
            raise Refused(f"answer.fork: {lacking('fork', str(of), list(by_name))}")
        kind = "search" if {"each", "by"} & by_name[of].keys() else "fork"
    table = struct(TABLES[kind], entry, "answer")
    templates = {outcome: getattr(table, outcome) for outcome in OUTCOMES[kind]}
    for template in templates.values():
        check_braces(template)
    if kind == "claim":
        of = _claim(file.claim, of)
    elif kind == "best" and len(of) < 2:
        raise Refused("answer.best is a list of measures, two or more")
    return Answer(
        kind,
        (of,) if isinstance(of, str) else tuple(of),
        {outcome: " ".join(template.split()) for outcome, template in templates.items()},
        table.level,
        table.expected or "",
        float(table.margin),
    )


def _claim(claims: Sequence[Mapping[str, Any]], asked: str) -> str:
    """A claim by all its words, or by its measure if it is the only one about that."""
    every = [
        (measure, f"{measure}: {CLAIM.sub(AS_CLAIMED, str(relation))}")
        for claim in claims
        for measure, relation in claim.items()
        if measure != "margin"
    ]
    fit = [words for measure, words in every if asked in {measure, words}]
    if len(fit) != 1:
        raise Refused(f"answer.claim: {lacking('claim', asked, [words for _, words in every])}")
    return fit[0]
