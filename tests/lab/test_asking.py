"""Experiments without writing a file: from the command line, and from Python."""

import json
import sys
import tomllib

import pytest
from click.testing import CliRunner

pytest.importorskip("altair", reason="reports need yegg[lab]")

from yegg import games, lab
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab.api import varying
from yegg.lab.experiment.schema import read

from .files import yegg


def sim(*arguments, code=0):
    result = CliRunner().invoke(cli, ["sim", "second-story", *map(str, arguments)])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_vary_plays_an_experiment_and_report_keeps_it(tmp_path):
    page = tmp_path / "out.html"
    said = sim("--vary", "chips=10,9", "-n", 60, "--seed", 3, "--report", page).output
    assert f"The report: {page}" in said
    assert page.read_bytes() == (tmp_path / "out" / "report.html").read_bytes()
    experiment = read(tmp_path / "out.toml")
    assert [variant.name for variant in experiment.variants] == ["chips=10", "chips=9"]
    assert (experiment.seed, experiment.deals) == (3, {"uniform": 60})
    yegg("lab", "run", tmp_path / "out.toml", "--out", tmp_path / "out", "--json")
    assert page.read_bytes() == (tmp_path / "out" / "report.html").read_bytes()


@pytest.mark.wide
def test_vary_without_a_report_tells_and_keeps_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = json.loads(
        sim("--vary", "chips=10,9", "--vary", "courts=no,yes", "-n", 5, "--json").output
    )
    assert len({figure["variant"] for figure in data["figures"]}) == 4
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--vary", "chips"], "is not NAME=A,B"),
        (["--vary", "chips=9", "--vary", "chips=8"], "given twice"),
        (["--vary", "chips=9", "--legal"], "takes none of"),
        (["--vary", "chips=9", "--max-events", "5"], "takes none of"),
    ],
)
def test_what_cannot_vary_is_refused(arguments, said):
    assert said in sim(*arguments, code=2).output


def test_a_wrong_value_is_refused_with_what_there_is():
    result = sim("--vary", "chips=9,99", code=1)
    assert isinstance(result.exception, Refused)
    assert "chips" in str(result.exception)
    assert "/" not in str(result.exception).split(":")[0]  # no path that nobody gave


@pytest.mark.wide
def test_python_asks_in_one_call(tmp_path):
    answer = lab.ask(
        "second-story",
        vary={"chips": ["10", "9"]},
        bots=["uniform", "easy"],
        measure={"long": {"of": "events > 100", "title": "long games"}, "events": "events"},
        claims=[{"events": "chips=9 < chips=10", "margin": 0.5}],
        deals=30,
        seed=4,
    )
    frame = answer.frame()
    assert frame.height == 8
    games_ = answer.games()
    assert len(games_) == 120
    for row in frame.filter(measure="events").iter_rows(named=True):
        mine = games_.filter(variant=row["variant"], level=row["level"])
        assert row["value"] == pytest.approx(mine["events"].mean())
        assert row["low"] <= row["value"] <= row["high"]
    assert "Events" in str(answer)
    page = answer.report(tmp_path / "paper").read_text()
    assert page.count("<figure") == 3, "a share, a mean and its spread"


@pytest.mark.wide
def test_a_run_that_is_kept_goes_on(tmp_path):
    ask = {"vary": {"chips": [10, 9]}, "folder": tmp_path / "kept"}
    lab.ask("second-story", deals=10, **ask)
    assert lab.ask("second-story", deals=20, **ask).frame()["deals"].to_list() == [20] * 6


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(Refused, match=r'pip install "yegg\[lab\]"'):
        lab.ask("second-story", vary={"chips": ["10", "9"]})
    result = sim("--vary", "chips=10,9", code=1)
    assert 'pip install "yegg[lab]"' in str(result.exception)


@pytest.mark.parametrize("text", ['"quoted"', "back\\slash", "new\nline", "ä \x7f \u2028", "'''"])
def test_any_text_survives_the_file(text):
    measure = {text: {"of": "events", "title": text, "fair": 0.5}}
    experiment = varying(games.find("secrets"), {}, question=text, measure=measure)
    data = tomllib.loads(experiment.source)
    assert (data["question"], data["measure"]) == (text, measure)


def test_what_no_file_can_hold_is_refused():
    with pytest.raises(Refused, match="holds texts, numbers, lists and tables"):
        varying(games.find("secrets"), {}, measure={"events": {"of": "events", "title": object()}})
