"""Traces: chances along a game, luck and decisions, and when nothing may be told of them."""

import gc
import importlib.util
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused
from yegg.engine.curve import along, room
from yegg.engine.engine import Engine
from yegg.lab.analyses import win_probability
from yegg.lab.analyses.win_probability import (
    Tenth,
    WinProbability,
    lead_changes,
    likeliest,
    luck,
    summary,
)
from yegg.lab.experiment.findings import findings
from yegg.lab.simulation import Matchup

from .files import estimates, frames_of, refused, run_of, written

FILE = """
game = "second-story"
bots = ["uniform"]
seed = 4
[sample]
deals = 60
[trace]
deals = 40
pilots = 60
[measure]
drama = "drama"
total = "start_1 + luck_1 + skill_1"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_of(tmp_path_factory.mktemp("traces"), FILE)


@pytest.mark.wide
def test_luck_and_decisions_add_up_to_the_result_game_by_game(run):
    (cell,) = run.experiment.cells
    table = run.games(cell).filter(run.games(cell)["drama"].is_not_null())
    assert len(table) == 40
    for side in (1, 2, 3):
        total = table[f"start_{side}"] + table[f"luck_{side}"] + table[f"skill_{side}"]
        assert np.abs(total.to_numpy() - table[f"share_{side}"].to_numpy()).max() < 1e-6
        exact = frames_of(run, "trace")[cell]
        sums = exact[f"start_{side}"] + exact[f"luck_{side}"] + exact[f"skill_{side}"]
        shares = np.rint(sums.to_numpy() * 6) / 6  # shares of one, two or three winners
        assert np.abs(sums.to_numpy() - shares).max() < 1e-9


@pytest.mark.wide
def test_luck_has_mean_nothing(run):
    (cell,) = run.experiment.cells
    table = frames_of(run, "trace")[cell]
    for side in (1, 2, 3):
        drawn = table[f"luck_{side}"].to_numpy()
        assert abs(drawn.mean()) < 4 * drawn.std() / np.sqrt(len(drawn))
        assert drawn.std() > 0.1


def test_turns_of_the_trace_are_those_of_the_game(run):
    (cell,) = run.experiment.cells
    table = run.games(cell).drop_nulls("traced_turns")
    assert (table["traced_turns"] == table["turns"]).all()
    assert (table["idle_turns"] <= table["turns"]).all()


def test_only_so_many_deals_are_traced_and_the_rest_is_not_measured(run):
    (cell,) = run.experiment.cells
    assert sorted(frames_of(run, "trace")[cell]["deal"]) == list(range(40))
    assert run.games(cell)["drama"].null_count() == 20


def followed(*points):
    """A game's curve, of which nothing else is known."""
    return room(np.dtype(np.int32), 2)._replace(points=np.array(points, float))


def test_drama_and_the_lead_are_those_of_the_curve():
    game = followed((0.5, 0.5), (0.3, 0.7), (0.6, 0.4), (0.46, 0.54), (0.95, 0.05))
    found = summary(game, np.array([1.0, 0.0]))
    trailed = [np.sqrt(0.7 - 0.3), np.sqrt(0.54 - 0.46)]
    assert found["drama"] == pytest.approx(np.mean(trailed))
    assert found["lead_changes"] == 3
    assert found["decided_at"] == pytest.approx(4 / 5)
    assert found["winner_lowest"] == pytest.approx(0.46)
    assert (found["third_said"], found["third_won"]) == (pytest.approx(0.7), 0.0)


def test_nobody_leads_by_a_hair():
    assert lead_changes(np.array([[0.6, 0.4], [0.495, 0.505], [0.6, 0.4]])) == 0
    assert lead_changes(np.array([[0.6, 0.4], [0.48, 0.52], [0.6, 0.4]])) == 2


def test_a_winner_who_always_led_makes_no_drama():
    assert summary(followed((0.6, 0.4), (0.8, 0.2)), np.array([1.0, 0.0]))["drama"] == 0


@pytest.mark.wide(but=["1.0"])
@pytest.mark.parametrize("heat", [0.5, 1.0, 2.0])
def test_calibration_finds_by_how_much_chances_are_too_bold(heat):
    dice = np.random.default_rng(2)
    said = dice.dirichlet((2, 2, 2), 20_000)
    true = said**heat / (said**heat).sum(axis=1, keepdims=True)
    won = (dice.random((20_000, 1)) > true.cumsum(axis=1)).sum(axis=1)
    found = likeliest([(p[None], np.eye(3)[min(w, 2)]) for p, w in zip(said, won, strict=True)])
    assert found == pytest.approx(heat, rel=0.08)


RACE = '''
"""Each of two players throws a coin {throws} times in turn; more heads win.  Or they choose."""
from math import comb
from yegg.engine import CHANCE, NOBODY, Record, row
CHOICES = 2
THROWS = {throws}
ACTOR = {actor}
class State(Record):
    players = 0
    thrown = 0
    points = row(2)
def deal(s):
    pass
def actor(s):
    if s.thrown == 2 * THROWS:
        return NOBODY
    return CHANCE if ACTOR == CHANCE else s.thrown % 2
def legal(s, out):
    out[0], out[1] = 0, 1
    return 2
def play(s, choice):
    s.points[s.thrown % 2] += choice
    s.thrown += 1
def hide(s, seat):
    pass
def score(s, seat):
    return s.points[seat]
def standing(s, seat):
    return s.points[seat]
def chances(s, shares):
    mine, theirs = THROWS - (s.thrown + 1) // 2, THROWS - s.thrown // 2
    won = 0.0
    for a in range(mine + 1):
        for b in range(theirs + 1):
            ahead = s.points[0] + a - s.points[1] - b
            p = comb(mine, a) * comb(theirs, b) / 2.0 ** (mine + theirs)
            won += p * (1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0)
    shares[0], shares[1] = won, 1 - won
'''


def raced(tmp_path, name, actor, games=200):
    """What the kernel says of games between equals, whose chances are known exactly."""
    path = tmp_path / f"{name}.py"
    path.write_text(RACE.format(throws=4, actor=actor))
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    kernel = Engine(rules, how="plain").kernel(along)
    dice, rows = np.random.default_rng(6), []
    for _ in range(games):
        states = np.zeros(1, rules.State.dtype)
        states["players"] = 2
        log = dice.integers(0, 2, 8).astype(np.int32)
        on = room(rules.State.dtype, 2)
        kernel(states, log, 1.0, 1, on, np.zeros(2, np.int32))
        mine, theirs = states[0].points
        came = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
        assert on.start[0] + on.luck[0] + on.decisions[0] == pytest.approx(came, abs=1e-9)
        rows.append((on.luck[0], on.decisions[0]))
    return table(*np.array(rows).T)


@pytest.mark.wide
def test_a_pure_race_of_coins_is_all_luck(tmp_path):
    found = raced(tmp_path, "yegg_race_of_coins", -1)
    assert np.abs(found["skill_1"].to_numpy()).max() < 1e-9
    assert luck(found).value == pytest.approx(1)


@pytest.mark.wide
def test_a_game_without_chance_has_no_luck(tmp_path):
    found = raced(tmp_path, "yegg_race_of_choices", 0)
    assert np.abs(found["luck_1"].to_numpy()).max() == 0
    assert found["skill_1"].to_numpy().std() > 0.3
    assert luck(found).value == 0


def table(luck_1, skill_1):
    import polars as pl

    n = len(luck_1)
    return pl.DataFrame(
        {"deal": np.arange(n), "start_1": np.full(n, 0.5), "luck_1": luck_1, "skill_1": skill_1}
    )


def test_luck_that_players_take_back_is_more_than_all():
    swings = np.where(np.random.default_rng(3).random(400) < 0.5, 0.5, -0.5)
    assert luck(table(swings, -swings / 2)).value == pytest.approx(4)


def test_nothing_is_told_of_chances_that_are_not_true(run):
    (cell,) = run.experiment.cells
    traces = frames_of(run, "trace")[cell]
    wrong = traces.with_columns(came_3=traces["said_3"] + 0.1 * traces["count_3"])
    wrong = wrong.with_columns(count_3=wrong["count_3"] + 0)
    (one,) = estimates(run.experiment, "trace", {cell: wrong})
    assert not one.true
    assert one.luck is None
    assert set(one.figures) == {"idle_turns", "traced_turns"}
    assert "Nothing is told of chances" in str(WinProbability().sentences([one])[0])


@pytest.mark.parametrize("true", [True, False])
def test_measures_of_chances_are_told_only_where_they_are_true(run, monkeypatch, true):
    monkeypatch.setattr(Tenth, "misses", not true)
    figures = {one.measure: one.figure.value for one in findings(run).measured}
    assert figures.keys() == {"drama", "total"}
    assert all(value > 0 if true else np.isnan(value) for value in figures.values())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pilots", "pilot", "did you mean 'pilots'"),
        ("deals = 40", "deals = 0", "trace.deals"),
        ("pilots = 60", 'luck = "yes"', "trace.luck is true or false"),
        ("pilots = 60", "luck = false", "no column 'start_1'"),
    ],
)
def test_what_is_wrong_is_refused_with_what_would_be_right(tmp_path, old, new, said):
    assert old in FILE
    assert said in refused(written(tmp_path, FILE.replace(old, new, 1)))


@pytest.mark.wide
@pytest.mark.parametrize(
    ("game", "bot", "deals"), [("second-story", "medium", 1500), ("magnate", "medium", 1500)]
)
def test_chances_between_medium_are_true_to_three_points(tmp_path, game, bot, deals):
    made = run_of(
        tmp_path,
        f'game = "{game}"\nbots = ["{bot}"]\n[sample]\ndeals = {deals}\n'
        f"[trace]\ndeals = {deals}\nluck = false\n",
    )
    (one,) = estimates(made.experiment, "trace", frames_of(made, "trace"))
    assert one.true, one.tenths


def traced_twice(monkeypatch, options, fit):
    """Two threads ask an experiment for the heat of a setting each, of these options."""
    monkeypatch.setattr(win_probability, "fitted", fit)
    trace = win_probability.Trace(1000, luck=True, pilots=7)
    game, lineup = games.find("second-story"), ["uniform"] * 3
    both = [Matchup(game, 3, {"chips": chips}, lineup, seed=1) for chips in options]
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(trace.heat, both))
    return trace, found


def test_two_cells_are_calibrated_at_the_same_time(monkeypatch):
    meet = threading.Barrier(2)

    def fit(setting, pilots):
        meet.wait(30)  # nobody goes on alone
        return float(setting.options["chips"])

    _, found = traced_twice(monkeypatch, ["9", "10"], fit)
    assert found == [9, 10]


def test_a_cell_is_calibrated_once_and_forgotten_with_its_experiment(monkeypatch):
    asked = []

    def fit(setting, pilots):
        asked.append((setting.options["chips"], pilots))
        return Heat(1.5)

    trace, found = traced_twice(monkeypatch, ["9", "9"], fit)
    assert found == [1.5, 1.5]
    assert asked == [("9", 7)]
    held = weakref.ref(found.pop())
    found.clear()
    assert held() is not None
    del trace
    gc.collect()
    assert held() is None


def test_cells_that_cannot_be_calibrated_say_so_each_time(monkeypatch):
    def fit(setting, pilots):
        raise Refused("no game came to its end")

    for _ in range(2):
        with pytest.raises(Refused, match="no game came"):
            traced_twice(monkeypatch, ["9", "9"], fit)


class Heat(float):
    """A number that can be looked for."""
