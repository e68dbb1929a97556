"""A further analysis is one object in one list, and no other file names it."""

import json
from dataclasses import dataclass
from functools import partial

import msgspec
import polars as pl
import pytest

from yegg.lab.analyses.analysis import Analysis
from yegg.lab.analyses.registry import ANALYSES
from yegg.stats.intervals import Section, Sentence, average

from .files import refused, written, yegg

FILE = """
question = "How long is the longest game?"
game = "second-story"
bots = ["uniform"]
seed = 8
[sample]
deals = 40
[longest]
above = 300
[measure]
long = "is_long"
"""


class LongestSpec(msgspec.Struct, frozen=True):
    above: int = 100
    deals: int = 20


@dataclass
class LongestGame:
    level: str
    events: int
    games: int


class Longest(Analysis):
    """The longest game of each cell, as an author outside of yegg would write it."""

    schema = LongestSpec
    key = part = data_key = "longest"

    def columns(self, spec, sides):
        return ["is_long"]

    def collect(self, spec, games):
        def row(_, log, shares):
            return [{"events": len(log), "is_long": float(len(log) > spec.above)}]

        return games.table(spec.deals, row)

    def of_cell(self, game, cell, table):
        return [LongestGame(cell.level, table["events"].max(), len(table))]

    def sentences(self, estimates):
        says = "The longest of {} games".format
        return [Sentence(says(one.games), f"{one.events} events") for one in estimates]

    def tables(self, game, estimates):
        rows = [[one.level, one.events] for one in estimates]
        return [Section("The longest game", ["players", "events"], rows)]

    def panels(self, game, estimates):
        from yegg.lab.plots import Panel, caterpillar, mark

        marks = [mark(one.level, average([one.events, one.events])) for one in estimates]
        (table,) = self.tables(game, estimates)
        draw = partial(caterpillar, marks, "events")
        yield Panel("longest-1", "The longest game", "One value a level.", draw, table)

    def method(self, spec, estimates):
        return [f"Of {spec.deals} deals the longest game was looked for."]


@pytest.fixture
def longest():
    analysis = Longest()
    ANALYSES.append(analysis)
    yield analysis
    ANALYSES.remove(analysis)


@pytest.mark.wide
def test_an_analysis_from_outside_is_played_told_and_drawn(longest, tmp_path):
    pytest.importorskip("altair", reason="reports need yegg[lab]")
    out = tmp_path / "out"
    data = json.loads(yegg("lab", "run", written(tmp_path, FILE), "--out", out, "--json"))
    kept = pl.concat(pl.read_parquet(path) for path in (out / "parts").glob("*/longest-*.parquet"))
    most = kept.filter(pl.col("deal") < 20)["events"].max()
    assert data["longest"] == [{"level": "uniform", "events": most, "games": 20}]
    (figure,) = data["figures"]
    assert figure["value"] == kept.filter(pl.col("deal") < 20)["is_long"].mean()
    sentence = f"The longest of 20 games: {most} events."
    assert sentence in " ".join(yegg("lab", "show", out).split())
    report = (out / "report.html").read_text()
    for said in (
        "The longest of 20 games",
        "The longest game",
        "Of 20 deals the longest game was looked for.",
    ):
        assert said in report
    assert "longest" in json.loads((out / "report.json").read_text())
    yegg("lab", "check", out)


def test_its_table_is_refused_in_words(longest, tmp_path):
    wrong = written(tmp_path, FILE.replace("above", "over"))
    assert "longest has no key 'over'" in refused(wrong)
    wrong = written(tmp_path, FILE.replace("300", '"long"'))
    assert "longest.above is a whole number, not 'long'" in refused(wrong)


def test_without_it_its_table_is_unknown(tmp_path):
    assert "the experiment has no key 'longest'" in refused(written(tmp_path, FILE))
