"""The sentences of answers: what one would say at the table, with none, one, two or many."""

import re
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="answers need yegg[lab]")

from yegg.lab.questions.answers import answered
from yegg.lab.questions.narrative import sentence_of
from yegg.lab.questions.schema import Answer, every_question, holes

DOCS = Path(__file__).parents[2] / "docs"
ASKED = pytest.mark.parametrize(
    "asked", every_question(DOCS / "questions"), ids=lambda one: one.name
)

SEARCH = {
    "both": "Buy {helpful}, and leave {harmful}. {rest}",
    "good": "Buy {helpful}. {rest}",
    "bad": "Leave {harmful}. {rest}",
    "none": "None of the {tested} stands out. {rest}",
}
GOOD, BAD, EQUAL, OPEN = ("clear", 0.1), ("clear", -0.1), ("equal", 0.0), ("open", 0.0)
EVEN = "as good as the best other choice, within 5 points."


@pytest.mark.parametrize(
    ("found", "outcome", "says"),
    [
        ([], "no claim", "Nothing can be said: there were too few such choices."),
        ([OPEN], "none", "None of the 1 stands out. Nobody can tell about it."),
        ([EQUAL], "none", f"None of the 1 stands out. It is {EVEN}"),
        ([OPEN] * 2, "none", "None of the 2 stands out. Nobody can tell about any of the two."),
        ([EQUAL] * 3, "none", f"None of the 3 stands out. All three are {EVEN}"),
        ([EQUAL, OPEN], "none", f"@ One is {EVEN} Nobody can tell about the last one."),
        (
            [EQUAL] * 2 + [OPEN] * 12,
            "none",
            f"@ Two are {EVEN} Nobody can tell about the other 12.",
        ),
        ([GOOD], "good", "Buy The Heist."),
        ([BAD, OPEN], "bad", "Leave The Heist. Nobody can tell about the other one."),
        ([BAD, BAD], "bad", "Leave The Heist and Fence."),
        ([GOOD, EQUAL], "good", f"Buy The Heist. The other one is {EVEN}"),
        ([GOOD, EQUAL, EQUAL], "good", f"Buy The Heist. The other two are {EVEN}"),
        ([GOOD, BAD] + [OPEN] * 44, "both", "@ Nobody can tell about the other 44."),
        ([GOOD, EQUAL, OPEN], "good", f"@ One other is {EVEN} Nobody can tell about the last one."),
        (
            [GOOD, EQUAL, EQUAL, OPEN, OPEN],
            "good",
            f"Buy The Heist. Two others are {EVEN} Nobody can tell about the other two.",
        ),
        (
            [GOOD] * 8,
            "good",
            "Buy The Heist, Fence, odd one, no 3, no 4, no 5 and 2 others.",
        ),
    ],
)
def test_many_choices_are_told_as_one_would_say_it(found, outcome, says):
    names = ["the-heist", "fence", "odd-one", *(f"no-{n}" for n in range(3, 99))]
    forks = [
        {"fork": "each", "choice": f"buy {name}", "level": "medium", "variant": "published"}
        | {"answer": answer, "value": value, "margin": 0.05}
        for name, (answer, value) in zip(names, found, strict=False)
    ]
    few = {**forks[0], "choice": "buy crown"} if forks else {"fork": "each", "level": "medium"}
    few = {"choice": "buy crown", "margin": 0.05, "variant": "published", **few, "answer": "few"}
    printed = {"the-heist": "The Heist", "fence": "Fence"}
    one = sentence_of(Answer("search", ("each",), SEARCH), {"forks": [*forks, few]}, printed)
    assert one.outcome == outcome
    assert one.says.endswith(says.removeprefix("@")) if says[0] == "@" else one.says == says


BEST = {
    "clear": "{best}: {most} of the games, {worst} {least}.",
    "equal": "{best} or {second}: {both} of the games.",
    "open": "Perhaps {best}: {both} of the games.",
}


@pytest.mark.parametrize(
    ("values", "half", "says"),
    [
        ((1.0, 1.0, 0.0), 0.001, "A or B: all of the games."),
        ((1.0, 0.5, 0.0), 0.001, "A: all of the games, C none."),
        ((0.9997, 0.5, 0.0002), 0.001, "A: nearly all of the games, C hardly any."),
        ((0.26, 0.25, 0.11), 0.1, "Perhaps A: 26 % and 25 % of the games."),
        ((0.32, 0.32, 0.2), 0.1, "Perhaps A: 32 % of the games."),
    ],
)
def test_none_and_all_are_words_and_no_figure_is_said_twice(values, half, says):
    figures = [
        {"measure": name, "variant": "published", "level": "medium", "value": value}
        | {"share": True, "interval": [value - half, value + half]}
        for name, value in zip("abc", values, strict=True)
    ]
    answer = Answer("best", ("a", "b", "c"), BEST, margin=0.03)
    one = sentence_of(answer, {"figures": figures, "titles": {"a": "A", "b": "B", "c": "C"}})
    assert one.says == says
    assert all(said in says for said in one.figures)


STRANGE = re.compile(r"(?<![\d.])0 are\b|(?<![\d.])0(\.0)? %|(\d+) % and \2 %|: none[;.]|\b0 of \d")
"""What nobody would say."""


@ASKED
def test_a_page_says_what_one_would_say_at_the_table(asked):
    data = answered(DOCS / "answers", asked.name)
    said = [one["says"] for one in data["answers"]]
    said += [one["says"] for answer in data["answers"] for one in answer["stronger"]]
    for says in said:
        assert not STRANGE.search(says), says
        assert not [slug for slug in asked.game.voice.printed if "-" in slug and slug in says]
        assert says[0].isupper()
        assert says[-1] == "."
    text = (DOCS / "answers" / f"{asked.name}.md").read_text(encoding="utf-8")
    assert not [name for name in cards_of(asked.game) if name in text], "as they are printed"
    first = data["answers"][0]
    sentence = re.split(r"(?<=[.!?]) (?=[A-Z])", first["says"])[0]
    written = "|".join(sorted(map(re.escape, first["figures"]), key=len, reverse=True))
    assert not written or len(re.findall(rf"(?<![\d.])(?:{written})", sentence)) <= 2, sentence


@ASKED
def test_whatever_comes_out_a_page_opens_with_two_figures_at_most(asked):
    for template in asked.answers[0].templates.values():
        opening = re.split(r"(?<=[.!?]) (?=[A-Z{])", template)[0]
        figures = [hole.name for hole in holes(opening) if hole.name not in NAMES]
        assert len(figures) + figures.count("both") <= 2, opening


NAMES = ("best", "second", "worst", "helpful", "harmful", "rest")
"""What is put into a template and is no figure."""


def cards_of(game):
    """The names of a game's cards in small letters, but those that may be any word: a fence."""
    small = [name.lower() for name in game.voice.printed.values()]
    return [name for name in small if " " in name.removeprefix("the ")]


@pytest.mark.parametrize(
    "says",
    [
        "0 are as good as the best other choice, within 5 points, and 44 are open.",
        "Most often those two, 100 % and 100 %.",
        "In 0 % of these games somebody draws no Ace.",
        "Clearly worse: none; clearly better: one.",
        "0 of 4 sizes are as good.",
        "A tie to the end is rare, 0 %.",
    ],
)
def test_what_nobody_would_say_is_found(says):
    assert STRANGE.search(says)
