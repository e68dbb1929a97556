"""How strong the levels are: the figures that the pages draw, and what measures them anew."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from yegg import games
from yegg.lab import arena

PATH = Path(__file__).parents[2] / "bench" / "ladders.py"
spec = importlib.util.spec_from_file_location("ladders", PATH)
ladders = importlib.util.module_from_spec(spec)
sys.modules["ladders"] = ladders
spec.loader.exec_module(ladders)

RUNG = ladders.Rung("magnate", 2, "hard", "medium", 0.75, 0.66, 0.82, 100, 0.22, "lore")


@pytest.fixture
def measured(tmp_path):
    """Measures a small ladder into a folder; arguments are added."""

    def measure(*more):
        words = "second-story", "-p", "2", "--threads", "1", "--bots", "easy,uniform"
        places = "--data", str(tmp_path / "ladders.csv"), "--kept", str(tmp_path / "kept")
        ladders.main([*words, *places, *more])
        return ladders.read(tmp_path / "ladders.csv")

    return measure


def test_the_rows_are_of_levels_that_follow_each_other_and_of_games_that_there_are():
    rungs = ladders.read(ladders.DATA)
    assert {one.game for one in rungs} == set(games.names())
    assert len({one.place for one in rungs}) == len(rungs)
    assert [one.place for one in rungs] == sorted(one.place for one in rungs)
    for one in rungs:
        assert one.players in games.find(one.game).players
        assert ladders.LEVELS.index(one.over) == ladders.LEVELS.index(one.level) + 1
        assert 0 <= one.low <= one.share <= one.high <= 1
        assert one.games > 0


def test_the_picture_shows_every_game_and_step_of_the_data():
    picture = ladders.DATA.with_suffix(".svg").read_text(encoding="utf-8")
    for one in ladders.read(ladders.DATA):
        assert games.find(one.game).title.partition("'")[0] in picture
        assert f"{one.level} over {one.over}" in picture
        assert f"{one.players} players" in picture


def test_a_row_replaces_the_one_of_the_same_levels_and_stands_in_its_place(tmp_path):
    path = tmp_path / "rows.csv"
    later = ladders.Rung("magnate", 2, "expert", "hard", 0.6, 0.5, 0.7, 8, None, "")
    newer = replace(RUNG, share=0.7, games=200)
    for one in (RUNG, later, newer):
        ladders.write(path, one)
    assert ladders.read(path) == [later, newer]


def test_points_of_other_nets_are_hollow(tmp_path, monkeypatch):
    monkeypatch.setattr(ladders, "nets_of", lambda _game: "now")
    pictures = []
    for nets in ("now", "then"):
        ladders.draw([replace(RUNG, nets=nets)], tmp_path / f"{nets}.svg")
        pictures.append((tmp_path / f"{nets}.svg").read_text(encoding="utf-8"))
    assert ["earlier nets" in one for one in pictures] == [False, True]


@pytest.mark.wide
def test_it_goes_on_where_it_was_stopped(measured, monkeypatch):
    (first,) = measured("-n", "4", "--minutes", "0")
    assert (first.level, first.over, first.games) == ("easy", "uniform", 2), "time is up"
    played, run = [], arena.run

    def watched(contest, numbers, *more):
        played.extend(numbers)
        return run(contest, numbers, *more)

    monkeypatch.setattr(arena, "run", watched)
    (whole,) = measured("-n", "4")
    assert (played, whole.games) == ([1], 4)
    assert whole.low <= whole.share <= whole.high
    assert whole.seconds > 0
    played.clear()
    assert measured("-n", "4") == [whole]
    assert not played


def test_only_levels_are_measured_and_from_the_strongest_down(measured):
    for wrong in ("easy,medium", "medium,greedy"):
        with pytest.raises(SystemExit):
            measured("--bots", wrong)
