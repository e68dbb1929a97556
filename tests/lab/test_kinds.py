"""What columns and measures are is declared, and never guessed from the numbers that were seen."""

import pytest

from yegg import games
from yegg.engine import Refused
from yegg.lab.batch import Matchup
from yegg.lab.experiment.findings import findings, to_dict
from yegg.lab.game_frame import columns_of, frame
from yegg.lab.report import narrative
from yegg.lab.report.content import sheet
from yegg.lab.simulation import run
from yegg.stats.kinds import Kind, declared

from .files import refused, run_of, written

HEAD = 'game = "second-story"\nplayers = 3\n[vary]\nchips = [10, 6]\n[sample]\ndeals = 20\n'
MEASURES = """
[measure]
small = "CASE WHEN winners > 1 THEN 1 ELSE 0 END"
asked = "winners > 1"
drawn = "by_draw"
won = "share_1"
rest = { of = "1 - share_1", kind = "share" }
tried = { of = "robbed_quick / tried_quick", kind = "part" }
whole = { parts = { one = "by_second", other = "1 - by_second" }, kind = "share" }
[[claim]]
small = "chips=10 != chips=6"
margin = 0.5
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return findings(run_of(tmp_path_factory.mktemp("kinds"), HEAD + MEASURES))


def test_a_number_that_is_0_or_1_in_every_game_stays_a_number(found):
    (one,) = [one for one in to_dict(found)["figures"] if one["measure"] == "small"][:1]
    assert not one["share"]
    assert 0 <= one["value"] <= 1, "it looked like a share, and was told in percent"
    said = narrative.finding(found, found.tested[0])
    assert "%" not in said
    assert "points" not in said, "a margin of 0.5 was told as 50 points"


def test_questions_columns_and_what_is_declared_are_shares(found):
    kinds = {name: shown.kind for name, shown in found.experiment.shown.items()}
    assert kinds == {
        "small": Kind.NUMBER,
        "tried": Kind.PART,
        **dict.fromkeys(["asked", "drawn", "won", "rest", "whole: one", "whole: other"], "share"),
    }
    by_name = {one.measure: one.figure for one in found.measured}
    assert {name for name, one in by_name.items() if one.percent} == {*kinds} - {"small"}
    assert all(0 <= one.low <= one.high <= 1 for one in by_name.values() if one.percent)
    assert sheet(found, [])["compared"]["rows"]


@pytest.mark.parametrize("declares", ["share", "part"])
def test_what_is_no_share_is_refused_where_it_is_declared_as_one(tmp_path, declares):
    text = f'[measure]\nlong = {{ of = "events", kind = "{declares}" }}\n'
    with pytest.raises(Refused, match=r"measure\.long is declared as a share and is \d+ in a game"):
        findings(run_of(tmp_path, HEAD + text, 1))


def test_a_kind_that_is_none_is_refused(tmp_path):
    text = '[measure]\nlong = { of = "events", kind = "percent" }\n'
    said = refused(written(tmp_path, HEAD + text))
    assert "kind" in said
    assert "number" in said


def test_what_divides_by_nothing_has_no_value(tmp_path):
    text = '[measure]\npart = { of = "by_draw / (by_draw + by_fifth)", kind = "part" }\n'
    found = findings(run_of(tmp_path, HEAD + text, 1))
    assert all(one.known < one.games for one in found.measured)


@pytest.mark.parametrize("name", games.names())
def test_every_column_of_a_game_is_what_it_declares(name):
    game = games.find(name)
    players = game.usual
    setting = Matchup(game, players, {}, ["uniform"] * players, 3, course=True)
    batch = run(setting, 0, 60)
    table = frame(game, batch, range(60), 1).filter("over")
    kinds = columns_of(game, players)
    assert isinstance(game.part("tally").COLUMNS, dict), "names alone declare nothing"
    assert list(kinds) == table.columns
    for column, kind in kinds.items():
        if kind.percent:
            assert table[column].min() >= 0, column
            assert table[column].max() <= 1, column
        if column.startswith(("by_", "seen_", "share_")):
            assert kind is Kind.SHARE, f"{column} is told as a number"


def test_names_alone_are_numbers():
    assert declared(("a", "b")) == {"a": Kind.NUMBER, "b": Kind.NUMBER}
