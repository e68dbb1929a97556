"""The laboratory: the same seed gives the same games, and its figures are what chance says."""

import math
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused, notation
from yegg.lab.batch import Matchup, Rows, logs
from yegg.lab.packed_counters import Counters
from yegg.lab.simulation import line_up, run, simulate
from yegg.lab.simulation_report import bot_shares, to_dict
from yegg.stats.intervals import average, proportion

SS = games.find("second-story")


def setting(lineup=("uniform",) * 3, seed=5, **more):
    return Matchup(SS, len(lineup), {}, list(lineup), seed, **more)


def test_any_number_of_threads_gives_the_same_games():
    one, two, other = (
        to_dict(setting(), simulate(setting(seed=seed), 700, threads=threads)[0], 1.0)
        for seed, threads in ((5, 1), (5, 3), (6, 3))
    )
    assert one == two
    assert one["sections"] != other["sections"]


def test_a_game_does_not_depend_on_the_batch_it_is_in():
    whole = run(setting(("greedy", "uniform")), 0, 12)
    part = run(setting(("greedy", "uniform")), 7, 2)
    assert (whole.lengths[7:9] == part.lengths).all()
    assert (whole.scores[7:9] == part.scores).all()


def test_counters_read_as_the_array_that_they_hold():
    dice = np.random.default_rng(1)
    scale = np.array([1, 100, 200, 30_000, 60_000, 2_000_000], np.int32)
    counts = (dice.random((90, 6)) * scale).astype(np.int32)
    counts[:, 0] -= 1
    held = Counters.joined([Counters.of(counts[:40]), Counters.of(counts[40:])])
    assert (np.asarray(held) == counts).all()
    assert np.asarray(held).dtype == np.int32


def test_the_rows_of_many_batches_are_those_of_one(monkeypatch):
    monkeypatch.setattr("yegg.lab.batch.PACKED", 30)
    who, rows = setting(("greedy", "uniform")), Rows()
    simulate(who, 100, threads=2, batches=rows.add)
    whole, kept = run(who, 0, 100), rows.together()
    for name in ("seating", "lengths", "over", "scores", "counts", "failed", "won"):
        assert (np.asarray(getattr(kept, name)) == np.asarray(getattr(whole, name))).all(), name


MEMORY = """
import re, sys
from pathlib import Path
from yegg.cli import cli
def most():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024
play = ["sim", *sys.argv[2:], "--json", "-n"]
before = []
for n in sys.argv[1].split(","):
    cli([*play, n], standalone_mode=False)
    before.append(most())
print(*before, file=sys.stderr)
"""  # not `getrusage`, which also counts the process that started this one


@pytest.mark.wide
@pytest.mark.parametrize(
    ("game", "games"), [("second-story", "20000,400000"), ("thiefs-market", "5000,100000")]
)
def test_twenty_times_as_many_games_take_no_more_memory(game, games):
    command = [sys.executable, "-c", MEMORY, games, game]
    done = subprocess.run(command, capture_output=True, check=True)
    few, many = map(int, done.stderr.splitlines()[-1].split())
    assert many - few < 5_000_000, "the packed rows of these games would take 16 and 10 MB"


def test_every_bot_sits_on_every_seat_as_often():
    seats = setting(("greedy", "easy", "uniform")).seated(0, 30)
    for who in range(3):
        assert [(seats[:, seat] == who).sum() for seat in range(3)] == [10, 10, 10]


def test_the_choices_of_a_batch_are_its_games():
    batch = run(setting(("greedy", "uniform", "uniform")), 3, 4, log=True)
    for i, choices in enumerate(logs(batch)):
        match = notation.Match(SS, 3)
        match.follow(choices)
        assert match.over
        assert match.scores == batch.scores[i].tolist()


def test_unfinished_games_are_counted_and_left_out():
    data = to_dict(setting(), *simulate(setting(max_events=300), 400))
    assert 0 < data["unfinished"] < 400
    assert data["finished"] + data["unfinished"] == data["games"] == 400
    assert data["length"]["quantiles"]["100"] <= 300
    none = to_dict(setting(), *simulate(setting(max_events=5), 10))
    assert none["seats"] == [{"win_share": None, "interval": None}] * 3
    assert none["events"] == 50


def test_the_data_has_the_documented_keys():
    who = setting(("greedy", "uniform", "uniform"))
    data = to_dict(who, *simulate(who, 60))
    assert data["players"] == 3
    assert set(data["bots"]) == {"greedy", "uniform"}
    shares = [seat["win_share"] for seat in data["seats"]]
    assert sum(shares) == pytest.approx(1)
    for seat in [*data["seats"], *data["bots"].values()]:
        low, high = seat["interval"]
        assert 0 <= low <= seat["win_share"] <= high <= 1
    assert data["events_per_second"] > 0
    assert data["ties"] >= 0


def test_greedy_beats_uniform_at_second_story():
    who = setting(("greedy", "uniform"))
    sums, _ = simulate(who, 300)
    assert bot_shares(who, sums)["greedy"].low > 0.55


def test_bots_for_a_table():
    assert line_up(SS, 3, {}, ["uniform"]) == ["uniform"] * 3
    with pytest.raises(Refused, match="3 players need 3 bots"):
        line_up(SS, 3, {}, ["uniform", "greedy"])
    with pytest.raises(Refused, match="no bot is called 'nobody'"):
        line_up(SS, 3, {}, ["nobody"])


# --- chance, against exact probabilities, with a fixed seed -----------------------------------


def check_within(hits, n, p):
    """Inside four and a half standard deviations: a fair die fails once in 150,000 seeds."""
    assert abs(hits - n * p) < 4.5 * math.sqrt(n * p * (1 - p))


def test_dice_and_cards_of_the_laboratory_are_fair():
    batch = run(setting(seed=99), 0, 400, log=True)
    faces, firsts, pairs = np.zeros(10), np.zeros(36), np.zeros((10, 10))
    for choices in logs(batch):
        firsts[choices[0]] += 1
        rolls = [c - 45 for c in choices if 45 <= c < 55]
        for face in rolls:
            faces[face] += 1
        for a, b in pairwise(rolls):
            pairs[a, b] += 1
    for hits in faces:
        check_within(hits, faces.sum(), 1 / 10)
    for hits in firsts:
        check_within(hits, 400, 1 / 36)
    for hits in pairs.ravel():
        check_within(hits, pairs.sum(), 1 / 100)


def test_jobs_succeed_as_the_rules_say():
    from yegg.games.second_story import tally

    sums, _ = simulate(setting(), 3000)
    tried, robbed = (sums.totals.counters[at + 5] for at in (tally.TRIED, tally.ROBBED))
    check_within(robbed.total, tried.total, 0.19)  # a Crown


def test_intervals():
    some = proportion(50, 100)
    assert (round(some.low, 4), round(some.high, 4)) == (0.4038, 0.5962)  # Wilson, by hand
    assert proportion(0, 10).low == 0
    assert proportion(10, 10).high == 1
    assert math.isnan(proportion(0, 0).value)
    mean = average([1.0, 2.0, 3.0, 4.0])
    assert mean.value == 2.5
    assert round(mean.high - mean.value, 4) == 1.2652
    assert str(average([0.5])) == "0.50"  # one game says nothing of others …
    assert str(average([0.5], percent=True)) == "50.0 % [5.5, 94.5]"  # … but where a share lies
    assert str(average([0.0, 1.0])) == "0.50 [-0.48, 1.48]"
