"""Wrong words of questions: refused by every command alike, before the first game."""

import pytest
from click.testing import CliRunner

pytest.importorskip("altair", reason="answers need yegg[lab]")

from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.experiment import shards
from yegg.lab.questions.schema import question, whole

from .files import written
from .test_answers import FILE, folders


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            'equal = "As long, within {margin}."',
            "equal = true",
            "answer.equal is a text in quotes, not True",
        ),
        ("{nights @ ten @ uniform}", "{night @ ten}", "did you mean 'nights'"),
        ("{nights @ ten @ uniform}", "{nights @ ten @ uniform @ 3}", "measure @ rules @ players"),
        ("{nights @ ten @ uniform}", "{nights @ ten", "has a { alone"),
        ("within {margin}", "within {margins}", "did you mean 'margin'"),
        ('open = "', 'margin = "one"\nopen = "', "margin is a number of at least 0, not 'one'"),
        ('claim = "nights"', 'claim = "night"', "answer.claim: there is no claim 'night'; "),
        ('claim = "nights"', 'best = ["nights", "days"]', "answer"),
        ('claim = "nights"', 'fork = ["nights"]', "answer.fork"),
        ('asked = "Somebody said: “surely”."', "asked = 7", "asked is a text in quotes, not 7"),
        ('asked = "', 'plot = "chips"\nasked = "', "plot: there is no measure or fork 'chips'; "),
    ],
)
def test_wrong_words_are_refused_alike_by_every_command_before_the_first_game(
    tmp_path, monkeypatch, before, after, said
):
    assert before in FILE
    file = written(tmp_path, FILE.replace(before, after), "chips.toml")
    monkeypatch.setattr(shards, "played", None)  # nothing can be played
    heard = []
    for words in (("plan", file), ("run", file), ("answers", *folders(tmp_path))):
        result = CliRunner().invoke(cli, ["lab", *map(str, words)])
        assert result.exit_code
        assert isinstance(result.exception, Refused | SystemExit), result.exception
        heard.append(str(result.output) + str(result.exception))
    assert all(said in one for one in heard), heard
    assert len({one.partition(": ")[2] for one in heard}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["chips.toml"]


def test_parts_of_a_measure_are_named_whole_where_the_best_is_told(tmp_path):
    text = FILE.replace(
        "[[claim]]", 'who = { parts = { one = "share_1", two = "share_2" } }\n[[claim]]'
    ).replace('claim = "nights"\nexpected = "higher"', 'best = ["who", "nights"]\nclear = "{best}"')
    text = text.replace('higher = "Longer: {left} nights instead of {right}."\n', "")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("lower"))
    file = written(tmp_path, text, "chips.toml")
    with pytest.raises(Refused, match=r"answer\.best: .*who: one"):
        whole(file)
    assert whole(written(tmp_path, text.replace('"who"', '"who: one"').replace("{at most}", "?")))


def test_a_claim_is_found_however_wide_its_spaces_are(tmp_path):
    file = written(tmp_path, FILE.replace("six < ten", "six  <  ten"))
    (claim,) = whole(file).claims
    assert question(file).answers[0].of == (str(claim),)


def test_a_second_question_is_refused_before_the_first_is_played(tmp_path, monkeypatch):
    written(tmp_path, FILE, "a.toml")
    written(tmp_path, FILE.replace("within {margin}", "within {margins}"), "b.toml")
    monkeypatch.setattr(shards, "played", None)
    result = CliRunner().invoke(cli, ["lab", "answers", *map(str, folders(tmp_path))])
    assert "did you mean 'margin'" in str(result.output) + str(result.exception)
