"""Which sources a run depends on: all that plays its games, and nothing that only tells of them."""

import sys
from pathlib import Path

import pytest

import yegg
from yegg import games, players
from yegg.lab.experiment import shards
from yegg.lab.experiment.runs import Run
from yegg.lab.experiment.schema import read
from yegg.lab.sources import made_by, sources

PACKAGE = Path(yegg.__file__).parent
FILE = """
game = "second-story"
bots = ["medium", ["bold", "search:20", "uniform"]]
lots = true
[sample]
deals = 2
[[habit]]
name = "bold"
like = "greedy"
prefer = ["quick"]
[trace]
deals = 1
pilots = 2
[choices]
deals = 1
[clauses]
deals = 1
"""
FORKS = """
game = "thiefs-market"
bots = ["greedy"]
[sample]
deals = 3
[[fork]]
name = "stolen"
where = "steal *"
[[fork]]
name = "dealt"
offer = "deal *"
"""
GUEST = """
import yegg
from guest_taste import LAST
class Guest(yegg.Player):
    def choose(self, view):
        return view.choices[LAST]
"""


def short(paths):
    return {path.relative_to(PACKAGE).as_posix() for path in paths if PACKAGE in path.parents}


def run_code(work):
    """The files of the project whose code runs in this thread while something is done."""
    seen = set()
    sys.setprofile(lambda frame, event, _: seen.add(frame.f_code.co_filename))
    try:
        work()
    finally:
        sys.setprofile(None)
    return short(map(Path, seen))


@pytest.mark.wide(minutes=2)
@pytest.mark.parametrize("file", [FILE, FORKS], ids=["cells", "forks"])
def test_all_code_that_plays_a_block_counts(tmp_path, file):
    path = tmp_path / "experiment.toml"
    path.write_text(file)
    experiment = read(path)
    shards.prepare(experiment)
    counted = short(sources(experiment.game))
    for cell in experiment.cells:
        ran = run_code(lambda cell=cell: shards.parts(experiment, cell, range(1)))
        assert {"lab/simulation.py", "lab/experiment/shards.py"} <= ran
        assert ran <= counted


@pytest.mark.parametrize("game", games.names())
def test_what_decides_a_game_counts_and_what_tells_of_it_does_not(game):
    made = short(sources(games.find(game)))
    own = f"games/{game.replace('-', '_')}"
    there = {"rules.py", "words.py", "tally.py", "lore.py", "odds.py"}
    there |= {path.name for path in (PACKAGE / own).glob("*.npz")}
    assert {f"{own}/{name}" for name in there} <= made
    assert {"engine/contest.py", "players/thinking/planner.py", "players/thinking/plan.py"} <= made
    assert {"coach/advice.py", "lab/packed_counters.py", "lab/executors/ordered.py"} <= made
    tells = {"cli", "table", "lessons", "client", "post"}
    assert not {one for one in made if one.split("/")[0] in tells}
    assert not {one for one in made if one.startswith(("lab/report/", "lab/questions/"))}
    others = set(games.names()) - {game}
    assert not {one for one in made for other in others if other.replace("-", "_") in one}
    assert not {one for one in made if {"face", "tests", "perft.csv"} & set(one.split("/"))}


@pytest.mark.wide
def test_tables_count_where_they_are_read():
    made = short(sources(games.find("thiefs-market")))
    assert "games/thiefs_market/cards.csv" in made
    assert "parts/decktet.csv" in short(sources(games.find("magnate")))


@pytest.mark.wide
def test_a_player_from_outside_counts_with_all_that_it_imports(tmp_path, monkeypatch):
    (tmp_path / "guest_of_runs.py").write_text(GUEST)
    (tmp_path / "guest_taste.py").write_text("LAST = -1\n")
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "experiment.toml"
    bots = '["guest_of_runs:Guest", "uniform", "uniform"]'
    path.write_text(f'game = "second-story"\nbots = ["uniform", {bots}]\n')
    experiment = read(path)
    assert experiment.outsiders == ["guest_of_runs:Guest"]
    game, head = experiment.game, Run(experiment, tmp_path / "run").head
    assert head["code"] == made_by(game, experiment.outsiders) != made_by(game)
    (tmp_path / "guest_of_runs.py").write_text(GUEST + "\n# another\n")
    assert made_by(game, experiment.outsiders) != head["code"]
    instance = players.enrol(sys.modules["guest_of_runs"].Guest())
    assert (tmp_path / "guest_of_runs.py") in sources(game, [instance])
