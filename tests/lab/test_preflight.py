"""The pre-flight: planted faults are named, a published game is not called faulty."""

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli.lab import command
from yegg.engine import Refused
from yegg.lab.analyses.fork_effects import Effect
from yegg.lab.preflight import detectors
from yegg.lab.preflight.line import above, worst
from yegg.lab.preflight.run import preflight
from yegg.lab.preflight.sample import LEVEL, LEVELS, Question, card_effects, main_sample
from yegg.lab.report.preflight import publish
from yegg.stats.intervals import Apart, Figure

BENCH = Path(__file__).parents[2] / "bench"
ORDER = ["length", "seats", "cards", "plan", "leader", "choices", "skill", "ties", "readings"]


def asked(name="second-story", games_=200, **options):
    game = games.find(name)
    return Question(game, game.usual, options, games=games_, threads=2)


def test_a_verdict_needs_the_whole_interval_beyond_its_threshold():
    assert above(Figure(0.3, 0.09, 0.5), 0.04, 0.1) == "look at it"
    assert above(Figure(0.3, 0.11, 0.5), 0.04, 0.1) == "fault"
    assert above(Figure(0.3, 0.0, 0.5), 0.04, 0.1) == "fine"
    assert worst(["fine", "fault", "look at it"]) == "fault"


def test_a_planted_short_game_is_a_fault_of_length_and_of_nothing_else():
    run = main_sample(asked(chips="3"))
    assert detectors.length(run).verdict == "fault"
    assert detectors.ties(run).verdict != "fault"
    assert detectors.choices(run).verdict == "fine"


def test_games_without_end_are_a_fault_of_length():
    question = asked(games_=20)
    setting = replace(question.setting(LEVEL, course=True), max_events=300)
    line = detectors.length(question.played("", setting, 20))
    assert line.verdict == "fault"
    assert "no end" in line.says


def doctored(run, **arrays):
    """The same games, in which some arrays are others."""
    batch = replace(run.batch, **{k: make(run.batch) for k, make in arrays.items()})
    return replace(run, batch=batch)


def first_wins(batch):
    """Standings by which the first seat wins two games of three."""
    standings = np.array(batch.standings)
    standings[: 2 * len(standings) // 3, 0] = 10**9
    return standings


def test_a_planted_favoured_seat_and_planted_ties_are_named():
    run = main_sample(asked())
    assert detectors.seats(run).verdict != "fault"
    assert detectors.ties(run).verdict == "fine"
    assert detectors.seats(doctored(run, standings=first_wins)).verdict == "fault"
    tied = doctored(run, standings=lambda batch: np.zeros_like(batch.standings))
    assert detectors.ties(tied).verdict == "fault"


def test_a_published_game_has_no_fault_and_the_same_seed_gives_the_same_figures(tmp_path):
    flight = preflight(asked(games_=100))
    assert [line.key for line in flight.lines] == ORDER
    assert flight.verdict != "fault"
    assert flight.to_dict() == preflight(replace(flight.question, threads=1)).to_dict()
    page = publish(flight, tmp_path)
    text = page.read_text()
    assert "<script" not in text
    for line in flight.lines:
        assert line.title in text
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == flight.verdict


@pytest.mark.parametrize("name", games.names())
def test_no_card_of_a_published_game_is_dead(name):
    """Among them the Crowns of Magnate (MG-2), which are dealt and which nobody chooses."""
    question = asked(name)
    chosen = sum(seen["choices"] for seen in main_sample(question).seen)
    assert detectors.dead_cards(question, chosen) == []


def effect(level, low, high):
    figure = Apart((low + high) / 2, low, high, percent=True)
    return Effect("cards", "buy crown", "", level, 200, 0, figure, 0.0, 0.0, "clear", 0.05)


def test_a_card_is_a_fault_where_every_level_says_so():
    question = asked("thiefs-market", games_=1)
    judged = partial(detectors.cards, question, main_sample(question))
    line = judged([effect("easy", 0.16, 0.4), effect("medium", 0.2, 0.4)])
    assert (line.verdict, line.names) == ("fault", ["buy crown"])
    assert judged([effect("easy", 0.14, 0.4), effect("medium", 0.2, 0.4)]).verdict == "look at it"
    assert judged([effect("medium", -0.4, -0.16)]).verdict == "look at it"
    assert judged([effect("medium", 0.1, 0.3)]).verdict == "fine"


@pytest.mark.wide(minutes=5)
@pytest.mark.parametrize("name", ["market-crown", "market-dead-scepter"])
def test_a_planted_card_is_named(name, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    planted = __import__("planted").Planted(BENCH / "preflight" / "first" / f"{name}.toml")
    question = Question(planted.made, planted.players, planted.options, games=800)
    found = [effect for level in LEVELS for effect in card_effects(question, level)]
    line = detectors.cards(question, main_sample(replace(question, games=200)), found)
    assert line.verdict == "fault"
    assert planted.names in [name.removeprefix("buy ") for name in line.names]
    sys.modules.pop("planted")


def test_without_the_extra_it_is_refused_before_anything_is_played(monkeypatch):
    for name in ("yegg.lab.report.preflight", "yegg.lab.report.content", "yegg.lab.plots"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setattr("yegg.lab.preflight.run.preflight", lambda *_: pytest.fail("it was played"))
    done = CliRunner().invoke(command, ["preflight", "magnate"])
    assert isinstance(done.exception, Refused), done.output
    assert "yegg[lab]" in str(done.exception)
