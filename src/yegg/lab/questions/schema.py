"""Questions: experiments that say beforehand how each outcome would be told.

A question is an experiment with a few keys more, which are words for people: who ``asked``, which
measure the ``plot`` shows, and an ``[[answer]]`` for each sentence of the page.  The sentence is
chosen by what came out: docs/lab-answers.md describes the keys.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from yegg import games
from yegg.engine import Game, Refused
from yegg.lab.experiment.schema import CLAIM, Experiment, read
from yegg.text.phrases import offered

from .templates import Hole, checked, holes

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
ABOUT = ("claim", "fork", "best")
KEYS = (*ABOUT, "level", "expected", "margin")
WORDS = ("answer", "asked", "plot")
"""The keys of a question that its games do not depend on."""


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
        """Of all that decides what is played and counted; words for people do not."""
        played = {key: said for key, said in self.data.items() if key not in WORDS}
        plans = [
            (self.path.parent / str(one["plan"])).read_text(encoding="utf-8")
            for one in (*played.get("habit", []), *played.get("fork", []))
            if "plan" in one
        ]
        matters = json.dumps([played, plans], sort_keys=True)
        return hashlib.sha256(matters.encode()).hexdigest()[:16]

    @cached_property
    def experiment(self) -> Experiment:
        """What is played.  Raises Refused, also for a figure that no template can have."""
        return whole(self.path)


def whole(path: Path) -> Experiment:
    """The experiment in a file, whose words for people fit it, if it has any.  Raises Refused."""
    made = read(path)
    data = tomllib.loads(made.source)
    try:
        _fit(made, data, [_answer(data, entry) for entry in _tables(data, "answer")])
    except Refused as refusal:
        raise Refused(f"{path}: {refusal}") from None
    return made


def _fit(made: Experiment, data: Mapping[str, Any], answers: Sequence[Answer]) -> None:
    """Raises Refused where words are about what the experiment does not have."""
    levels, names = (
        list(made.samples),
        [*made.measures, *(fork.name for fork in (made.spec("fork") or ()))],
    )
    plot = data.get("plot", names[0])
    if plot not in names:
        raise Refused(f"plot: {offered(str(plot), names)}")
    if not isinstance(data.get("asked", ""), str):
        raise Refused(f"asked is a text in quotes, not {data['asked']!r}")
    claims = [str(claim) for claim in made.claims]
    for answer in answers:
        if answer.level and answer.level not in levels:
            raise Refused(f"answer.level: {offered(answer.level, levels)}")
        for kind, there in (("claim", claims), ("best", list(made.measures))):
            for name in answer.of if answer.kind == kind else ():
                if name not in there:
                    raise Refused(f"answer.{kind}: {offered(name, there)}")
        for hole in answer.holes:
            hole.check(made, FILLED[answer.kind])


def every_question(folder: Path) -> list[Question]:
    """The questions of a folder, by name.  Raises Refused."""
    paths = sorted(folder.glob("*.toml"))
    if not paths:
        raise Refused(f"{folder} holds no questions, files such as magnate-districts.toml")
    return [question(path) for path in paths]


def named(every: Sequence[Question], names: Sequence[str]) -> list[Question]:
    """Those that are named, or all.  Raises Refused."""
    there = {one.name: one for one in every}
    for name in names:
        if name not in there:
            raise Refused(f"there is no question {name!r}; {offered(name, list(there))}")
    return [there[name] for name in dict.fromkeys(names or there)]


def question(path: Path) -> Question:
    """The question in a file.  Raises Refused, with what would have been right."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        game = games.find(str(data.get("game", "")))
        answers = tuple(_answer(data, entry) for entry in _tables(data, "answer"))
        if not answers:
            raise Refused("a question has an [[answer]] for each sentence of its page")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, OSError) as error:
        raise Refused(f"{path}: {error}") from None
    except Refused as refusal:
        raise Refused(f"{path}: {refusal}") from None
    return Question(path.stem, path, game, data, answers)


def _tables(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """What stands under ``[[key]]``."""
    given = data.get(key, [])
    if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
        raise Refused(f"{key} is a table of keys and values under [[{key}]], in double brackets")
    return given


def _answer(data: Mapping[str, Any], entry: Mapping[str, Any]) -> Answer:
    """An entry of ``[[answer]]``."""
    about = [key for key in ABOUT if key in entry]
    if len(about) != 1:
        raise Refused(f"an answer is about one of: {', '.join(ABOUT)}")
    kind, of = _about(data, about[0], entry[about[0]])
    outcomes = OUTCOMES[kind]
    for key in entry:
        if key not in (*KEYS, *outcomes):
            raise Refused(f"answer: {offered(key, [*KEYS, *outcomes])}")
    for outcome in outcomes:
        if outcome not in entry:
            raise Refused(f"answer: {outcome} = … is missing: how would that be told?")
        if not isinstance(entry[outcome], str):
            raise Refused(
                f'answer: {outcome} is a text in quotes, as {outcome} = "It is so.", '
                f"not {entry[outcome]!r}"
            )
        checked(entry[outcome])
    templates = {outcome: " ".join(entry[outcome].split()) for outcome in outcomes}
    margin = entry.get("margin", 0.0)
    if isinstance(margin, bool) or not isinstance(margin, int | float) or not margin >= 0:
        raise Refused(f"answer.margin is a number of at least 0, not {margin!r}")
    expected = str(entry.get("expected", ""))
    if expected and expected not in outcomes:
        raise Refused(f"answer.expected: {offered(expected, outcomes)}")
    return Answer(kind, of, templates, str(entry.get("level", "")), expected, float(margin))


def _about(data: Mapping[str, Any], key: str, said: Any) -> tuple[Kind, tuple[str, ...]]:
    """What an answer is about, found in the file."""
    if key == "claim":
        return "claim", (_claim(_tables(data, "claim"), str(said)),)
    if key == "fork":
        forks = {str(fork.get("name")): fork for fork in _tables(data, "fork")}
        said = str(said)
        if said not in forks:
            raise Refused(f"answer.fork: {offered(said, list(forks))}")
        several = "each" in forks[said] or "by" in forks[said]
        return "search" if several else "fork", (said,)
    if not isinstance(said, list) or len(said) < 2:
        raise Refused("answer.best is a list of measures, two or more")
    if not all(isinstance(name, str) for name in said):
        raise Refused('answer.best is a list of names in quotes, as ["first", "second"]')
    return "best", tuple(said)


def _claim(claims: Sequence[Mapping[str, Any]], said: str) -> str:
    """A claim by all its words, or by its measure if it is the only one about that."""
    there = [
        (measure, f"{measure}: {CLAIM.sub(AS_CLAIMED, str(words))}")
        for claim in claims
        for measure, words in claim.items()
        if measure != "margin"
    ]
    fit = [words for measure, words in there if said in {measure, words}]
    if len(fit) != 1:
        raise Refused(f"answer.claim: {offered(said, [words for _, words in there])}")
    return fit[0]
