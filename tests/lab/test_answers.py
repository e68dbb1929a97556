"""The questions of the authors and players: what is written is what their figures say."""

import copy
import itertools
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("altair", reason="answers need yegg[lab]")

from yegg import games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.questions.answers import SUMMARY, answered, stale, worded
from yegg.lab.questions.narrative import sentence_of
from yegg.lab.questions.pages import page, summary
from yegg.lab.questions.schema import OUTCOMES, Answer, Question, every_question, question

from .files import written

DOCS = Path(__file__).parents[2] / "docs"
ANSWERS = DOCS / "answers"
QUESTIONS = every_question(DOCS / "questions")
ASKED = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda one: one.name)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
KNOWN = ("clear", "equal", "open")
WHOLE = {"none": 0, "hardly any": 0, "nearly all": 1, "all": 1}
"""Shares that are told in words."""

FILE = """
question = "Do six chips of each suit make a shorter game?"
asked = "Somebody said: “surely”."
game = "second-story"
bots = ["uniform"]
[vary]
rules = [{ name = "ten" }, { name = "six", chips = "6" }]
[sample]
deals = 250
[measure]
nights = { of = "nights", title = "nights in a game" }
[[claim]]
nights = "six < ten"
margin = 1
[[answer]]
claim = "nights"
expected = "higher"
higher = "Longer: {left} nights instead of {right}."
lower = "Shorter: {left} nights instead of {right}, and {nights @ ten @ uniform} were {apart} more."
equal = "As long, within {margin}."
open = "Open, {at most} at most."
"""


def data_of(asked):
    data = answered(ANSWERS, asked.name)
    assert data, f"{asked.name} is not answered: yegg lab answers {asked.name}"
    return data


@ASKED
def test_an_answer_was_made_with_the_rules_of_today(asked):
    assert not stale(asked, ANSWERS), f"yegg lab answers {asked.name}"


@ASKED
def test_a_page_is_what_its_data_say(asked):
    data = data_of(asked)
    assert (ANSWERS / f"{asked.name}.md").read_text(encoding="utf-8") == page(data)
    assert json.loads(json.dumps(worded(asked, data))) == data, "the words were changed by hand"


@ASKED
def test_every_figure_of_a_page_is_in_its_data(asked):
    data = data_of(asked)
    there = set(NUMBER.findall(json.dumps(data, ensure_ascii=False)))
    text = (ANSWERS / f"{asked.name}.md").read_text(encoding="utf-8")
    assert set(NUMBER.findall(text)) <= there
    for one in data["answers"]:
        for said, value in one["figures"].items():
            assert said in one["says"]
            if said in WHOLE:
                assert value == pytest.approx(WHOLE[said], abs=0.0005)
                continue
            scale = 100 if "%" in said or "point" in said else 1
            number = float(NUMBER.search(said.replace("\N{NO-BREAK SPACE}", ""))[0])
            assert number == pytest.approx(abs(value) * scale, abs=0.5, rel=0.01)


@ASKED
def test_every_outcome_would_be_told_otherwise(asked):
    """The sentence follows from the result: with another result another one would stand there."""
    data = data_of(asked)
    for one in asked.answers:
        for outcome in OUTCOMES[one.kind]:
            assert sentence_of(one, turned(one, data, outcome)).outcome == outcome
        assert len(set(one.templates.values())) == len(OUTCOMES[one.kind])


def turned(one, data, outcome):
    """The same data, as if something else had come out."""
    data = copy.deepcopy(data)
    answer = outcome if outcome in KNOWN else "clear"
    sign = -1 if outcome == "lower" else 1
    for entry in data["claims"]:
        entry.update(answer=answer, why=None)
        half = entry["margin"] / 2 if outcome == "equal" else 2 * entry["margin"] + 1
        entry["difference"].update(value=sign * half / 2, interval=[-half, half])
    signs = {"good": [1], "bad": [-1], "both": [1, -1]}.get(outcome, [sign])
    for entry, sign in zip(data["forks"], itertools.cycle(signs), strict=False):
        few = outcome == "none" and "open"
        half = entry["margin"] / 2 if outcome == "equal" else 2
        entry.update(answer=few or answer, value=sign * half / 2, interval=[-half, half])
    half = {"clear": 0.001, "equal": one.margin / 3, "open": 1.0}.get(outcome, 0)
    for at, entry in enumerate(data["figures"]):
        if one.kind == "best" and entry["value"] is not None:
            value = 0.3 if outcome == "equal" else 0.3 + at / 100
            entry.update(value=value, interval=[value - half, value + half])
    return data


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("higher", "The answer is the same between hard players."),
        ("open", "The answer is open between hard players."),
        ("lower", "The answer is different between hard players."),
        ("no claim", "beside it. Better players"),
    ],
)
def test_a_page_says_whether_those_who_played_beside_agree(outcome, said):
    data = answered(ANSWERS, "magnate-districts")
    first = {**data["answers"][0], "outcome": "higher", "beside": {"hard": outcome}}
    assert said in page({**data, "answers": [first]})


def test_the_sentence_says_so_where_those_who_think_ahead_say_otherwise():
    """Decision 0055: the answer stays that of medium players; the others are told beside it."""
    question, data = asked_of_hard()
    assert sentence_of(question.answers[0], data).says.count("Hard players") == 0
    _, apart = (one["difference"] for one in data["claims"])
    apart.update(value=-0.2, interval=[-0.25, -0.15])
    one = sentence_of(question.answers[0], data)
    assert (one.outcome, one.beside) == ("higher", {"hard": "lower"})
    assert one.says == "More: 75 %. Hard players say otherwise: Fewer: 30 %."
    (hard,) = one.stronger
    assert (hard.says, hard.games, hard.within) == ("Fewer: 30 %.", 80, "5 points")
    assert one.figures == {"75 %": 0.75, "30 %": 0.3}
    apart.update(interval=[-0.5, 0.1])
    data["claims"][1]["answer"] = "open"
    one = sentence_of(question.answers[0], data)
    assert one.says == "More: 75 %."
    assert (one.beside, one.stronger[0].within) == ({"hard": "open"}, "30 points")


def test_what_is_not_measured_is_not_told_whatever_the_reason_is_called():
    question, data = asked_of_hard()
    data["figures"][1]["value"] = None
    data["claims"][0]["says"], data["claims"][1]["says"] = "M.", "H."
    data["claims"][1].update(answer="no claim", why="so it was")
    one = sentence_of(question.answers[0], data)
    assert (one.evidence, one.beside) == ("M.", {})
    data["figures"][1]["value"] = 0.3
    data["claims"][1]["why"] = "of these games nothing is told"
    one = sentence_of(question.answers[0], data)
    assert (one.evidence, one.beside) == ("M. H.", {"hard": "no claim"})


def asked_of_hard():
    """A question, and data in which medium and hard players agree."""
    outcomes = {"higher": "More: {left}.", "lower": "Fewer: {left}.", "equal": "E.", "open": "O."}
    answer = Answer("claim", ("tied: all > 0.5",), outcomes)
    claims, figures = [], []
    for level, value, many in (("medium", 0.75, 5000), ("hard", 0.3, 80)):
        apart = {"measure": "tied", "left": "all", "right": 0.5, "value": 0.25}
        claim = {"claim": "tied: all > 0.5", "answer": "clear", "why": None, "margin": 0.03}
        claims.append(
            {**claim, "level": level, "says": "", "difference": {**apart, "interval": [0.2, 0.3]}}
        )
        figure = {"measure": "tied", "variant": "all", "level": level, "value": value}
        figures.append({**figure, "share": True, "games": many})
    made = Question("tied", Path("tied.toml"), games.find("magnate"), {}, (answer,))
    return made, {"claims": claims, "figures": figures}


def test_a_page_says_how_far_the_few_games_of_those_who_think_ahead_may_be_off():
    data = answered(ANSWERS, "magnate-districts")
    hard = {"level": "hard", "says": "Perhaps | so.", "outcome": "open", "games": 80}
    first = {**data["answers"][0], "stronger": [{**hard, "within": "9 points"}]}
    data = {**data, "answers": [first]}
    said = "Hard players played only 80 games, so what they say may be 9 points off either way."
    assert said in page(data)
    row = "(magnate-districts.md) | Perhaps \\| so. | 80 | 9 points |"
    assert row in summary([data])
    assert "What hard players say" not in summary(
        [{**data, "answers": [{**first, "stronger": []}]}]
    )


def test_a_page_says_from_which_choices_forks_were_drawn():
    data = answered(ANSWERS, "thiefs-market-cards")
    fork = {key: value for key, value in data["forks"][0].items() if key != "chosen"}
    every, chosen = {**fork, "fork": "any"}, {**fork, "fork": "theirs", "chosen": True}
    from_all, lose = "drawn from all that were possible", "what they would lose without them"
    for forks, says in (
        ([every], [True, False, False]),
        ([chosen], [False, True, False]),
        ([every, chosen], [True, True, True]),
        ([], [False, False, False]),
    ):
        text = page({**data, "forks": forks})
        there = [said in text for said in (from_all, lose, "Those of “theirs” were drawn")]
        assert there == says


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        (["plan medium"], "Each plan sat opposite a medium player, in all seats."),
        (["plan medium medium", "other medium medium"], "sat among two medium players, in"),
        (["plan medium medium", "plan hard hard"], "among two medium players or among two hard"),
    ],
)
def test_a_page_says_among_whom_a_plan_sat(levels, said):
    data = answered(ANSWERS, "thiefs-market-steal")
    first = {**data["answers"][0], "level": levels[0]}
    figures = [{**data["figures"][0], "level": level} for level in levels]
    assert said in page({**data, "answers": [first], "figures": figures})


@ASKED
def test_what_is_kept_of_an_answer_is_small(asked):
    assert (ANSWERS / f"{asked.name}.json").stat().st_size <= 60_000
    svg = (ANSWERS / f"{asked.name}.svg").read_text(encoding="utf-8")
    assert len(svg.encode()) <= 40_000
    assert "<script" not in svg
    assert set(re.findall(r"https?://[^\"' <]*", svg)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_there_are_no_answers_without_a_question():
    names = {one.name for one in QUESTIONS}
    assert {path.stem for path in ANSWERS.iterdir()} == {*names, Path(SUMMARY).stem, "changed"}


def test_the_page_of_all_answers_is_what_they_say():
    every = [data_of(asked) for asked in QUESTIONS]
    assert (ANSWERS / SUMMARY).read_text(encoding="utf-8") == summary(every)


@pytest.mark.wide
@ASKED
def test_a_question_is_an_experiment_that_can_be_played(asked):
    assert asked.experiment.question == asked.text


def run(*arguments):
    return CliRunner().invoke(cli, ["lab", "answers", *map(str, arguments)])


def folders(folder):
    return ["--questions", folder, "--out", folder / "out", "--runs", folder / "runs"]


def test_from_a_question_to_its_page(tmp_path):
    file = written(tmp_path, FILE, "chips.toml")
    assert run(*folders(tmp_path), "--check").exit_code == 1
    assert "Shorter: " in run(*folders(tmp_path)).output
    data = answered(tmp_path / "out", "chips")
    (claim,) = data["claims"]
    (one,) = data["answers"]
    assert claim["answer"] == "clear"
    assert one["outcome"] == "lower"
    figures = {one["variant"]: one["value"] for one in data["figures"]}
    expected = f"{figures['six']:.0f} nights instead of {figures['ten']:.0f}, and"
    assert expected in one["says"]
    text = (tmp_path / "out" / "chips.md").read_text()
    question = "# Do six chips of each suit make a shorter game?\n\n> Somebody said: “surely”.\n\n"
    assert text.startswith(f"{question}**{one['says']}**\n\n{one['evidence']}\n\n")
    assert "Better players might answer otherwise." in text
    assert "`yegg lab answers chips` makes it again" in text
    assert "rules of Second Story version" in text
    assert "Otherwise than expected" in (tmp_path / "out" / SUMMARY).read_text()
    assert not run(*folders(tmp_path), "--check").exit_code

    file.write_text(FILE.replace("Shorter", "Quicker"))  # words alone: nothing is played again
    said = run(*folders(tmp_path), "--threads", "1")
    assert not said.exit_code
    assert "1 of 1" not in said.output
    assert "**Quicker: " in (tmp_path / "out" / "chips.md").read_text()

    file.write_text(FILE.replace("deals = 250", "deals = 240"))
    assert "changed since" in run(*folders(tmp_path), "--check").output
    file.write_text(FILE)
    kept = tmp_path / "out" / "chips.json"
    now = f'"version": {data["version"]},'
    assert now in kept.read_text()
    kept.write_text(kept.read_text().replace(now, '"version": 0,'))
    checked = run(*folders(tmp_path), "--check")
    assert checked.exit_code == 1
    assert "chips: made with version 0 of Second Story, which is at" in checked.output


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('lower = "', 'lwoer = "', "did you mean 'lower'"),
        ('open = "Open, {at most} at most."', "", "answer lacks open, a text in quotes"),
        ('claim = "nights"', 'claim = "chips"', "nights: six < ten"),
        ('claim = "nights"', 'claim = "nights"\nfork = "x"', "about one of"),
        ('expected = "higher"', 'expected = "clear"', "higher, lower, equal, open"),
        ('game = "second-story"', 'game = "third-story"', "third-story"),
        ("[[answer]]", "[[answer.nights]]", "answer is a list"),
    ],
)
def test_a_wrong_question_is_refused_with_what_would_be_right(tmp_path, before, after, said):
    with pytest.raises(Refused) as refusal:
        question(written(tmp_path, FILE.replace(before, after)))
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("{nights @ ten @ uniform}", "{night @ ten}", "did you mean 'nights'"),
        ("{nights @ ten @ uniform}", "{nights @ nine}", "ten, six"),
        ("{nights @ ten @ uniform}", "{nights @ ten @ hard}", "uniform"),
        ('asked = "', 'plot = "chips"\nasked = "', "nights"),
        ('expected = "', 'level = "medium"\nexpected = "', "uniform"),
    ],
)
def test_a_figure_that_no_answer_can_have_is_refused_before_anything_is_played(
    tmp_path, before, after, said
):
    asked = question(written(tmp_path, FILE.replace(before, after)))
    with pytest.raises(Refused) as refusal:
        _ = asked.experiment
    assert said in str(refusal.value)


def test_a_name_that_is_no_question_is_refused(tmp_path):
    written(tmp_path, FILE, "chips.toml")
    result = run("chip", *folders(tmp_path))
    assert result.exit_code
    assert "did you mean 'chips'" in str(result.output) + str(result.exception)


def test_what_is_clear_but_smaller_than_matters_is_told_as_equal(tmp_path):
    asked = question(written(tmp_path, FILE))
    apart = {"measure": "nights", "left": "six", "right": "ten", "value": -0.5}
    claim = {
        "claim": "nights: six < ten",
        "level": "uniform",
        "why": None,
        "margin": 1.0,
        "says": "",
    }
    figures = [
        {"measure": "nights", "variant": name, "level": "uniform", "value": n, "share": False}
        for name, n in (("ten", 20.0), ("six", 19.5))
    ]
    for interval, outcome in (([-0.9, -0.1], "equal"), ([-1.1, -0.1], "lower")):
        entry = {
            **claim,
            "answer": "clear",
            "says": "",
            "difference": {**apart, "interval": interval},
        }
        data = {"claims": [entry], "figures": figures}
        assert sentence_of(asked.answers[0], data).outcome == outcome
