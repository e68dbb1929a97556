"""The tables of an arena say the same as its data, bot by bot."""

import json
import re
from collections import Counter

import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.lab.arena import Deal, contests
from yegg.lab.arena_report import record, to_dict


def said(*words):
    found = CliRunner().invoke(cli, ["arena", "second-story", *words], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.output


@pytest.fixture(scope="module", params=["greedy,uniform", "uniform,greedy"])
def pair(request, tmp_path_factory):
    """The data of a pair, and the rows of its table by bot: greedy is much the stronger.

    Both are made of the same results.
    """
    file = tmp_path_factory.mktemp("arena") / "results.jsonl"
    words = ["--bots", request.param, "-n", "60", "--seed", "2", "--results", str(file)]
    (data,) = json.loads(said(*words, "--json"))["pairs"]
    lines = [line.split() for line in said(*words).splitlines()]
    return data, {line[0]: line for line in lines if line and line[0] in data["bots"]}


def test_elo_is_above_nothing_for_whoever_wins_more_and_below_it_for_the_other(pair):
    data, rows = pair
    elo = {
        bot: next(int(w) for w in row if re.fullmatch(r"[+-]\d+", w)) for bot, row in rows.items()
    }
    assert elo["greedy"] > 0 > elo["uniform"], "the stronger bot has the higher rating"
    assert elo["greedy"] == -elo["uniform"], "what one is above, the other is below"
    first = data["bots"][0]
    assert elo[first] == round(data["elo"]), "the data's figure is that of the first bot"
    assert (data["elo"] > 0) == (data["win_share"][first] > 0.5)


def test_shares_and_their_intervals_mirror_each_other(pair):
    data, rows = pair
    one, other = data["bots"]
    assert data["win_share"][one] == pytest.approx(1 - data["win_share"][other])
    low, high = data["interval"][one]
    assert data["interval"][other] == pytest.approx([1 - high, 1 - low])
    for bot, row in rows.items():
        assert float(row[1]) == pytest.approx(100 * data["win_share"][bot], abs=0.051)
    assert data["win_share"]["greedy"] > 0.6


def test_on_a_ladder_ratings_are_counted_from_the_last_bot_up():
    words = ["--bots", "greedy,easy,uniform", "-n", "24", "--seed", "2", "--ladder"]
    pairs = json.loads(said(*words, "--json"))["pairs"]
    assert [one["bots"] for one in pairs] == [["greedy", "easy"], ["easy", "uniform"]]
    rungs = said(*words).partition("the ladder")[2].splitlines()
    last = {line.split()[0]: line.split()[-1] for line in rungs if line.strip()}
    assert last["uniform"] == "0", "all are measured from the last one"
    assert int(last["easy"]) == round(pairs[1]["elo"])
    assert int(last["greedy"]) == round(pairs[0]["elo"] + pairs[1]["elo"]), "both steps together"


def test_as_many_games_are_played_as_were_asked_for_or_a_few_more():
    (data,) = json.loads(said("--bots", "greedy,uniform", "-n", "13", "--json"))["pairs"]
    assert data["games"] == 18, "three deals of six: whole deals, and no fewer games than 13"


def test_a_margin_is_in_points_of_a_hundred():
    words = ["--bots", "greedy,uniform", "-n", "60", "--until-clear", "--margin", "1", "--json"]
    (data,) = json.loads(said(*words))["pairs"]
    assert data["answer"] != "equal", "one point is little, and these two are far apart"
    low, high = data["sequence"]
    assert not (0.49 <= low <= high <= 0.51)


def test_times_are_those_of_the_data_in_a_unit_that_fits(pair):
    data, rows = pair
    units = {"ms": 0.001, "s": 1.0}
    for bot, row in rows.items():
        *_, median, unit, worst, last = row
        shown = float(median) * units[unit], float(worst) * units[last]
        times = data["seconds_per_decision"][bot]
        assert shown == pytest.approx((times["median"], times["worst"]), rel=0.06)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [("2.3e-05", "0.023 ms"), ("5.0e-01", "500 ms"), ("1.0e+00", "1 s"), ("1.5e+00", "1.5 s")],
)
def test_from_a_second_on_a_time_is_told_in_seconds(tmp_path, seconds, shown):
    file = tmp_path / "results.jsonl"
    words = ["--bots", "greedy,uniform", "-n", "6", "--results", str(file)]
    said(*words)
    line = json.loads(file.read_text())
    line["times"] = {bot: {seconds: 4} for bot in line["times"]}
    file.write_text(json.dumps(line) + "\n")
    assert said(*words).count(f" {shown}") == 4, "both bots, as a rule and at most"


def test_decisions_a_second_are_counted_over_the_seconds_that_they_took():
    (contest,) = contests(games.find("second-story"), 3, {}, ["greedy", "uniform"], 1)
    times = {"greedy": Counter({"1.0e-01": 30, "5.0e-01": 2}), "uniform": Counter()}
    data = to_dict(contest, [Deal(number=0, share=0.9, games=6, times=times)])
    assert data["decisions_per_second"] == {"greedy": pytest.approx(32 / 4), "uniform": None}


def test_whoever_wins_more_is_named_as_the_stronger_whichever_stands_first():
    (contest,) = contests(games.find("second-story"), 3, {}, ["greedy", "uniform"], 1)
    for share, stronger in ((0.9, "greedy"), (0.1, "uniform")):
        times = {name: Counter({"1.0e-03": 9}) for name in contest.pair}
        deals = [Deal(number=n, share=share + n % 2 / 20, games=6, times=times) for n in range(60)]
        data = to_dict(contest, deals, margin=0.03)
        assert (data["answer"], data["stronger"]) == ("clear", stronger)


@pytest.mark.parametrize(
    ("shares", "says"),
    [([0.5, 0.5, 0.45, 0.55] * 20, "in no fewer than"), ([0.7, 0.8] * 20, "in about")],
)
def test_how_many_games_it_takes_is_told_with_an_end_only_where_there_is_one(
    tmp_path, shares, says
):
    file = tmp_path / "results.jsonl"
    (contest,) = contests(games.find("second-story"), 3, {}, ["greedy", "uniform"], 0)
    for n, share in enumerate(shares):
        times = {name: Counter({"1.0e-03": 9}) for name in contest.pair}
        record(file, contest, Deal(number=n, share=share, games=6, times=times))
    words = ["--bots", "greedy,uniform", "-n", str(6 * len(shares)), "--results", str(file)]
    told = said(*words)
    assert f"They are told apart {says} " in told
    assert ("if ever" in told) == (says == "in no fewer than")
    assert "inf" not in told
