"""How many games a figure is of: those that have a value, the same in every table and key."""

import pytest

pytest.importorskip("altair", reason="reports need yegg[lab]")

from yegg.lab.experiment.findings import findings, to_dict
from yegg.lab.report.narrative import sections
from yegg.lab.report.panels import panels
from yegg.stats.intervals import proportion

from .files import run_of

FILE = """
game = "second-story"
bots = ["uniform", "greedy"]
seed = 3
keep = KEEP
[sample]
deals = 60
[measure]
other = "CASE WHEN share_2 = 0 THEN share_1 > 0 END"
every = "share_1"
"""


@pytest.fixture(scope="module", params=[1_000_000, 0], ids=["deals", "sums"])
def run(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("counted")
    return run_of(folder, FILE.replace("KEEP", str(request.param)), 2)


def valued(run):
    """By level: in how many games the second seat wins nothing, and the first wins of these."""
    tables = {cell.level: run.games(cell) for cell in run.experiment.cells}
    others = {level: games.filter(games["share_2"] == 0) for level, games in tables.items()}
    return {level: (len(some), int((some["share_1"] > 0).sum())) for level, some in others.items()}


@pytest.mark.wide
def test_games_without_a_value_are_counted_nowhere(run):
    found, there = findings(run), valued(run)
    assert any(0 < known < 60 for known, _ in there.values())
    for one in found.measured:
        known, won = there[one.level] if one.measure == "other" else (60, None)
        assert (one.games, one.known) == (60, known)
        assert one.counted == (60 if known == 60 else f"{known} of 60")
        if won is not None and known:
            assert one.figure.value == pytest.approx(won / known)
            alone = proportion(won, known)  # a game for each deal: nothing depends on anything
            assert one.figure.high - one.figure.low >= 0.97 * (alone.high - alone.low)


@pytest.mark.wide
def test_tables_and_data_say_both_numbers_where_they_differ(run):
    found, there = findings(run), valued(run)
    level, (known, _) = next((one, of) for one, of in there.items() if 0 < of[0] < 60)
    other, every = sections(found)[:2]
    assert f"{known} of 60" in [row[2] for row in other.rows]
    assert {row[2] for row in every.rows} == {60}
    figures = {(one["level"], one["measure"]): one for one in to_dict(found)["figures"]}
    assert figures[level, "other"]["known"] == known
    assert figures[level, "other"]["games"] == figures[level, "every"]["known"] == 60
    tables = {panel.title: list(panel.table.columns) for panel in panels(found)}
    assert any(f"{known} of 60 games each" in head for head in tables["Other"])
    assert all(" of " not in head.partition(", ")[2] for head in tables["Every"][1:])
