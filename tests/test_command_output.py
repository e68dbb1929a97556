"""What commands say while they work and of what they show: minutes left, what is left out."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from yegg import games
from yegg.cli import output
from yegg.cli.coach import MOST, choices_table, show_review
from yegg.coach.advice import Advice, Word
from yegg.coach.review import Review, Slip, costliest
from yegg.engine import Match, notation
from yegg.stats.intervals import proportion
from yegg.text.untrusted import as_text

# Minutes that are left


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only when a test says so, in minutes."""
    passed = [0.0]
    monkeypatch.setattr(output, "time", SimpleNamespace(monotonic=lambda: 60 * passed[0]))
    return passed


def minutes_left(clock, capsys, *steps, total=100):
    """What is said to be left after (minutes, done) of so many; the first is the beginning."""
    with output.reported("games", quiet=True) as report:
        for minutes, done in steps:
            clock[0] = minutes
            report(done, total, "news")
    return [int(n) for n in re.findall(r"about (\d+) min left", capsys.readouterr().err)]


def test_minutes_left_are_reckoned_by_the_pace_since_the_start(clock, capsys):
    assert minutes_left(clock, capsys, (0, 0), (10, 20), (20, 50)) == [40, 20]


def test_what_was_done_before_a_resume_counts_as_no_work_of_now(clock, capsys):
    """90 of 100 were there already; five more took ten minutes, so five more take ten."""
    assert minutes_left(clock, capsys, (0, 90), (10, 95)) == [10]


def test_a_line_comes_about_once_a_minute_and_not_for_every_step(clock, capsys):
    steps = [(n / 6, n) for n in range(31)]  # every ten seconds, for five minutes
    assert len(minutes_left(clock, capsys, *steps)) == 4


# What advice leaves out


def advised(many, policy=0.5):
    """Advice on so many choices, each of which wins a little less than the one before."""
    words = [
        Word(n, f"choice {n}", proportion(40 - n, 80), policy, "", False, "choice 0", n / 80)
        for n in range(many)
    ]
    match = Match(games.find("second-story"), 2)
    return match, Advice(0, words, [0.5, 0.5], 100)


def shown(match, advice, **how):
    return as_text(choices_table(match, advice, **how))


def test_only_the_best_dozen_are_shown_and_the_rest_is_counted():
    said = shown(*advised(MOST + 3))
    assert [f"choice {n} " in said for n in range(MOST + 3)] == [True] * MOST + [False] * 3
    assert "… and 3 choices more." in said, "nobody takes a part for the whole"


def test_as_many_as_fit_are_all_shown_and_nothing_is_said_of_more():
    said = shown(*advised(MOST))
    assert f"choice {MOST - 1} " in said
    assert "more." not in said


def test_one_that_is_left_out_is_one_choice():
    assert "… and 1 choice more." in shown(*advised(4), most=3)


@pytest.mark.parametrize(("policy", "told"), [(0.2, True), (0.05, True), (0.049, False)])
def test_how_often_to_play_a_choice_is_told_only_from_one_in_twenty_on(policy, told):
    assert ("worth playing" in shown(*advised(2, policy))) == told


def test_all_lists_them_all_and_says_nothing_of_how_to(run, tmp_path, monkeypatch):
    match, advice = advised(MOST + 5)
    match = match.to_decision(1)
    file = tmp_path / "a.game"
    file.write_text(notation.write(match))
    monkeypatch.setattr("yegg.coach.advice.advise", lambda *_: advice)
    _, few, _ = run(f"advise {file}")
    assert f"choice {MOST} " not in few
    assert "--all lists them all." in few
    _, every, _ = run(f"advise {file} --all")
    assert f"choice {MOST + 4} " in every
    assert "--all lists" not in every


# What a review shows


def slip(seat, cost):
    return Slip(1, seat, f"Seat {seat + 1}", "stop", "continue", cost)


def test_of_each_player_the_three_costliest_choices_are_told_the_costliest_first():
    costs = [0.01, 0.3, 0.02, 0.2, 0.1]
    found = costliest([slip(seat, cost) for cost in costs for seat in (1, 0)])
    assert [(one.seat, one.cost) for one in found] == [
        (seat, cost) for seat in (0, 1) for cost in (0.3, 0.2, 0.1)
    ]


def test_a_curve_ends_where_the_game_ended(capsys, monkeypatch):
    """However narrow it is drawn: whoever has won fills the last column."""
    monkeypatch.setenv("COLUMNS", "80")
    won = np.array([0.0] * 100 + [1.0])
    curve, none = np.stack([won, 1 - won], axis=1), np.zeros(2)
    match = Match(games.find("second-story"), 2)
    show_review(match, Review(["Ann", "Ben"], curve, none, none, [], none))
    said = capsys.readouterr().out
    assert re.search(r"Ann +│ [ ▁]*█ +│ +100 %", said), said
    assert re.search(r"Ben +│ █+[ ▁] +│ +0 %", said), said
