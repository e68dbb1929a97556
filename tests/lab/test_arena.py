"""The arena is fair, goes on where it stopped, and says how sure it is."""

import json
import math
import statistics
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner

from yegg import games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab import arena as arena_of_bots
from yegg.lab import simulation
from yegg.lab.arena import Contest, Deal, contests, stretches
from yegg.lab.arena_report import (
    elo,
    quantile,
    record,
    recorded,
    sequential,
    share_of_wins,
    until_told,
)
from yegg.lab.batch import Matchup
from yegg.lab.experiment.schema import read
from yegg.lab.experiment.shards import played
from yegg.lab.simulation import in_pieces, run
from yegg.lab.stateful_players import Watch

from .files import written

GAME = games.find("second-story")


def arena(*arguments):
    result = CliRunner().invoke(cli, ["arena", "second-story", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def deals_of(shares):
    return [Deal(number=i, share=share, games=6) for i, share in enumerate(shares)]


def test_json_tells_shares_intervals_and_times_by_bot():
    data = json.loads(arena("--bots", "greedy,uniform", "-n", "30", "--seed", "3", "--json"))
    (pair,) = data["pairs"]
    assert pair["bots"] == ["greedy", "uniform"]
    assert pair["games"] == 30
    assert pair["win_share"]["greedy"] + pair["win_share"]["uniform"] == pytest.approx(1)
    for bot in pair["bots"]:
        low, high = pair["interval"][bot]
        assert 0 <= low <= pair["win_share"][bot] <= high <= 1
        times = pair["seconds_per_decision"][bot]
        assert 0 < times["median"] <= times["worst"]


@pytest.mark.wide
def test_every_pair_meets():
    data = json.loads(arena("--bots", "easy,greedy,uniform", "-n", "6", "--json"))
    assert [pair["bots"] for pair in data["pairs"]] == [
        ["easy", "greedy"],
        ["easy", "uniform"],
        ["greedy", "uniform"],
    ]


def test_people_get_a_table():
    assert "share of wins" in arena("--bots", "greedy,uniform", "-n", "6")


@pytest.mark.parametrize("players", [2, 3, 5])
def test_both_bots_sit_everywhere_equally_often(players):
    seatings = Contest(GAME, players, {}, ("a", "b"), 0).seatings
    for seat in range(players):
        assert set(seatings[:, seat]) == {0, 1}
        assert (seatings[:, seat] == 0).sum() * 2 == len(seatings)


def test_the_same_seed_plays_the_same_games():
    contest = Contest(GAME, 3, {}, ("greedy", "uniform"), 5)
    (alone,) = arena_of_bots.run(contest, range(2, 3))
    assert [deal.share for deal in arena_of_bots.run(contest, range(4))][2] == alone.share


def test_simulations_arenas_and_experiments_play_the_same_games(tmp_path):
    text = 'players = 2\ngame = "second-story"\nseed = 5\nbots = [["greedy", "uniform"]]\n'
    experiment = read(written(tmp_path, text + "[sample]\ndeals = 6\n"))
    (cell,) = experiment.cells
    table = played(experiment, cell, range(6))[""]
    simulated = run(Matchup(GAME, 2, {}, ["greedy", "uniform"], 5), 0, 12)
    assert simulated.scores.tolist() == table.select("score_1", "score_2").to_numpy().tolist()
    (contest,) = contests(GAME, 2, {}, ["greedy", "uniform"], 5)
    shares = table.group_by("deal", maintain_order=True).mean()["share_of_greedy"]
    assert [deal.share for deal in arena_of_bots.run(contest, range(6))] == shares.to_list()


def test_a_results_file_is_gone_on_with(tmp_path):
    file = tmp_path / "results.jsonl"
    arguments = ["--bots", "greedy,uniform", "--seed", "1", "--results", str(file), "--json"]
    arena("-n", "12", *arguments)
    before = file.read_text()
    data = json.loads(arena("-n", "24", *arguments))
    assert file.read_text().startswith(before)
    assert len(file.read_text().splitlines()) == 4
    assert data["pairs"][0]["games"] == 24
    arena("-n", "24", *arguments[:3], "2", *arguments[4:])  # another seed, other deals
    assert len(file.read_text().splitlines()) == 8


@pytest.mark.parametrize(
    "line",
    [
        "no json\n",
        "[]\n",
        "null\n",
        '{"game": \n',
        "[" * 100_000 + "\n",
        "\ufffd\n",
        '{"deal": "x", "share": 0.5, "games": 6, "unfinished": 0, "times": {}}\n',
        '{"deal": 1, "share": NaN, "games": 6, "unfinished": 0, "times": {"a": {}, "b": {}}}\n',
        '{"deal": 1, "share": 0.5, "games": 0, "unfinished": 0, "times": {"a": {}, "b": {}}}\n',
        '{"deal": 1, "share": 0.5, "games": 6, "unfinished": 0, "times": {"a": {"x": 1}}}\n',
        '{"deal": 1, "share": 0.5, "games": 6, "unfinished": 0, "times": {"a": {}, "b": {}}}',
    ],
    ids=lambda line: line[:20] if len(line) < 200 else "deep",
)
def test_a_file_that_holds_no_results_is_refused_by_its_line(tmp_path, line):
    contest = Contest(GAME, 3, {}, ("a", "b"), 1)
    file = tmp_path / "results.jsonl"
    times = {"a": Counter({"1.0e-03": 3}), "b": Counter()}
    record(file, contest, Deal(number=0, share=0.5, games=6, times=times))
    assert [deal.number for deal in recorded(file, contest)] == [0]
    if line.startswith('{"deal"'):
        line = json.dumps(contest.key)[:-1] + ", " + line[1:]
    file.write_text(file.read_text() + line)
    with pytest.raises(Refused, match=r"results\.jsonl:2: this is no result of an arena"):
        recorded(file, contest)


@pytest.mark.wide
def test_it_stops_when_it_is_clear_who_is_stronger():
    data = json.loads(arena("--bots", "greedy,uniform", "-n", "6000", "--until-clear", "--json"))
    (pair,) = data["pairs"]
    assert (pair["answer"], pair["stronger"]) == ("clear", "greedy")
    assert pair["sequence"][0] > 0.5
    assert pair["games"] < 6000


@pytest.mark.wide
def test_it_stops_when_two_are_equal_within_the_margin():
    said = arena("--bots", "easy,greedy", "-n", "6000", "--until-clear", "--margin", "30")
    assert "They are equal within 30 points" in said


def test_nobody_is_named_before_it_is_clear():
    said = arena("--bots", "greedy,uniform", "-n", "6", "--until-clear")
    assert "It is not clear yet who is stronger" in said


def test_deals_are_looked_at_in_their_order():
    deals = deals_of([0.2, 0.9, 0.4, 0.8])
    assert sequential(deals[::-1]) == sequential(deals)


def test_an_interval_is_honest_about_few_and_equal_deals():
    sure = share_of_wins(deals_of([1.0] * 4))
    assert sure.high == 1
    assert sure.low < 0.6
    mixed = share_of_wins(deals_of([0.2, 0.8] * 50))
    assert mixed.low < 0.5 < mixed.high
    assert mixed.high - mixed.low < 0.2


def test_elo_and_quantiles():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(1.0) == math.inf
    times = Counter({"1.0e-03": 3, "2.0e-01": 1})
    assert quantile(times, 0.5) == 0.001
    assert quantile(times, 1.0) == 0.2


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (["greedy"], "at least two"),
        (["greedy", "greedy"], "every bot is named once"),
        (["greedy", "nobody"], "there are: "),
        (["greedy", "search:lots"], "search:2000"),
    ],
)
def test_what_cannot_meet_is_refused(bots, said):
    with pytest.raises(Refused, match=said):
        contests(GAME, 3, {}, bots, 0)


@pytest.mark.wide
def test_on_a_ladder_only_neighbours_meet():
    data = json.loads(arena("--bots", "easy,greedy,uniform", "-n", "6", "--ladder", "--json"))
    assert [pair["bots"] for pair in data["pairs"]] == [["easy", "greedy"], ["greedy", "uniform"]]
    said = arena("--bots", "easy,greedy,uniform", "-n", "60", "--ladder")
    assert "games until that is told" in said
    rungs = said[said.index("the ladder") :].splitlines()
    assert [line.split()[0] for line in rungs[1:4]] == ["easy", "greedy", "uniform"]


def test_games_until_told_are_those_after_which_half_is_just_left_out():
    """And with half as many it is not."""
    shares = [0.75, 0.5, 1.0, 0.5, 0.5, 0.75, 0.5, 0.25] * 50
    found = until_told(deals_of(shares))
    assert found.value % 6 == 0
    deals = round(found.value / 6)
    mean = sum(shares) / len(shares)
    error = 1.959964 * statistics.stdev(shares)
    assert mean - error / math.sqrt(deals) > 0.5 > mean - error / math.sqrt(deals / 2)
    assert found.low < found.value < found.high < math.inf


def test_equals_are_never_told_apart():
    found = until_told(deals_of([0.25, 0.75] * 30))
    assert found.value == found.high == math.inf
    assert found.low < math.inf
    assert all(math.isnan(end) for end in (until_told([]).value, until_told(deals_of([0.4])).low))


def test_whoever_always_wins_is_told_in_one_deal():
    assert until_told(deals_of([1.0] * 30)).value == 6


def test_a_ladder_lets_neighbours_meet_and_an_arena_all():
    def pairs(**how):
        return [
            made.pair for made in contests(GAME, 2, {}, ["easy", "greedy", "uniform"], 0, **how)
        ]

    assert pairs(ladder=True) == [("easy", "greedy"), ("greedy", "uniform")]
    assert pairs() == [("easy", "greedy"), ("easy", "uniform"), ("greedy", "uniform")]


def test_why_an_arena_cannot_be_is_said_in_a_sentence():
    with pytest.raises(Refused, match=r"^every bot is named once, not as in easy,greedy,easy$"):
        contests(GAME, 2, {}, ["easy", "greedy", "easy"], 0)
    with pytest.raises(
        Refused, match=r"^an arena needs at least two bots and two seats, as --bots "
    ):
        contests(GAME, 2, {}, ["easy"], 0)


def test_deals_are_played_in_ranges_without_gaps_and_none_is_too_long():
    setting = Contest(GAME, 2, {}, ("easy", "uniform"), 0)

    def ranges(numbers, most):
        return [[*some] for some in in_pieces(setting, list, stretches(numbers), 1, most=most)]

    assert ranges([1, 2, 3, 4, 5, 7, 8], 3) == [[1, 2, 3], [4, 5], [7, 8]]
    assert ranges([4, 5, 6], 1) == [[4], [5], [6]]
    assert ranges([0, 1], 2) == [[0, 1]]
    assert ranges([], 3) == []
    by_deals = in_pieces(setting, list, [range(5)], 1, most=9, each=4)
    assert [*by_deals] == [[0, 1], [2, 3], [4]]


def test_the_times_of_a_bot_are_those_of_its_own_choices():
    """Who has no memory is not watched: each of its choices among several took their mean."""
    contest = Contest(GAME, 2, {}, ("uniform", "search:5"), 3)
    setting, watch = contest, Watch()
    batch = run(setting, 0, 2 * len(setting.seatings), watch=watch)
    deals = [*arena_of_bots.deals_of(setting, batch, range(2), watch)]
    for who, name in enumerate(contest.pair):
        made = np.where(batch.seating == who, batch.decisions, 0)
        half = len(made) // 2
        own = [int(made[:half].sum()), int(made[half:].sum())]
        assert [sum(deal.times[name].values()) for deal in deals] == own
    (seconds,) = {time for deal in deals for time in deal.times["uniform"]}
    assert 0 < float(seconds) < 0.01, "a random choice takes microseconds"


def test_a_deal_whose_games_do_not_end_is_even_and_unfinished(monkeypatch):
    contest = Contest(GAME, 2, {}, ("uniform", "greedy"), 3)
    whole = simulation.run

    def cut_short(*args, **more):
        batch = whole(*args, **more)
        batch.over[:] = False
        return batch

    monkeypatch.setattr(arena_of_bots, "wins_of", lambda batch: np.zeros((len(batch.over), 2)))
    monkeypatch.setattr(simulation, "run", cut_short)
    (deal,) = arena_of_bots.run(contest, range(1))
    assert (deal.share, deal.unfinished, deal.seats) == (0.5, deal.games, ())
