"""Tables of mixed line-ups: who sits where, what is counted, and ratings of known strengths."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import yegg
from yegg import games
from yegg.cli import cli
from yegg.engine import Refused
from yegg.lab import mixed
from yegg.lab.arena_report import first_failures
from yegg.lab.batch import Batch
from yegg.lab.failures import Failure
from yegg.lab.stateful_players import Watch

GAME = games.find("second-story")
NAMES = ["a", "b", "c", "d", "e"]
STRENGTHS = np.array([6.0, 4, 3, 2, 1])


class Raises(yegg.Player):
    def choose(self, view):
        raise RuntimeError("lost")


def table(players, names=NAMES, seed=0):
    return mixed.Circle(GAME, players, {}, names, seed)


@pytest.mark.parametrize(("players", "bots"), [(3, 5), (4, 4), (5, 2), (2, 5)])
def test_every_bot_has_every_seat_once_in_a_deal(players, bots):
    setting = table(players, NAMES[:bots])
    for deal in range(4):
        seating = setting.seated(deal * bots, bots)
        assert seating.shape == (bots, players)
        assert all(sorted(column) == [*range(bots)] for column in seating.T.tolist())


def test_who_sits_where_is_drawn_anew_for_each_deal_and_the_same_in_any_pieces():
    setting = table(3)
    whole = setting.seated(0, 50)
    assert (np.concatenate([setting.seated(0, 7), setting.seated(7, 43)]) == whole).all()
    assert len({deal.tobytes() for deal in np.split(whole, 10)}) == 10
    assert (table(3, seed=1).seated(0, 50) != whole).any()
    met = {tuple(sorted(game)) for game in setting.seated(0, 500).tolist()}
    assert len(met) == 10, "all line-ups of three of five"


def batch(setting, winners, failed=None):
    """Games that these seats won."""
    many, players = len(winners), setting.players
    nothing = np.zeros((many, players), np.int32)
    standings = np.zeros((many, players), np.int64)
    for game, seats in enumerate(winners):
        standings[game, seats] = 1
    fields = dict.fromkeys(Batch.__dataclass_fields__, nothing) | {
        "seating": setting.seated(0, many),
        "over": np.ones(many, bool),
        "standings": standings,
        "failed": nothing if failed is None else failed,
        "failures": {},
    }
    return Batch(**fields)


def simulated(players, deals, seed):
    """Deals in which each seat wins with a chance in proportion to its bot's strength."""
    setting, dice = table(players, seed=seed), np.random.default_rng(seed)
    winners = drawn(STRENGTHS[setting.seated(0, deals * len(NAMES))], dice)
    return [*mixed.tables(setting, batch(setting, winners), range(deals), Watch())]


def drawn(strong, dice):
    """The seat that wins each game, by the strengths of those who sit there."""
    along = strong.cumsum(axis=1)
    return (dice.random((len(strong), 1)) * along[:, -1:] < along).argmax(axis=1)


def truth():
    elo = 400 * np.log10(STRENGTHS)
    return dict(zip(NAMES, elo - elo.mean(), strict=True))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_known_strengths_are_found_again(players):
    found = mixed.rated(NAMES, simulated(players, 2000, 3))
    assert list(found) == NAMES, "the strongest first"
    for name, elo in truth().items():
        assert found[name].value == pytest.approx(elo, abs=18)


def test_two_bots_at_tables_of_three_are_rated_by_seats_and_not_by_how_many_they_have():
    setting, dice = table(3, ["a", "b"]), np.random.default_rng(1)
    winners = drawn(np.array([3.0, 1])[setting.seated(0, 8000)], dice)
    tables = [*mixed.tables(setting, batch(setting, winners), range(4000), Watch())]
    found = mixed.rated(["a", "b"], tables)
    assert found["a"].value - found["b"].value == pytest.approx(400 * np.log10(3), abs=15)


@pytest.mark.wide
def test_the_interval_holds_the_truth_in_19_of_20_arenas():
    arenas, held = 100, np.zeros(len(NAMES))
    for seed in range(arenas):
        found = mixed.rated(NAMES, simulated(3, 60, seed))
        held += [found[name].low <= elo <= found[name].high for name, elo in truth().items()]
    share = held.sum() / arenas / len(NAMES)
    assert 0.9 < share < 0.98, held


def test_shared_wins_and_forfeits_are_counted_by_seat():
    setting = table(3, ["a", "b", "c"])
    seating = setting.seated(0, 3)
    failed = np.zeros((3, 3), np.int32)
    failed[2, 0] = 1
    games = batch(setting, [[0], [0, 1], [0]], failed)
    games.failures = {name: Failure(name, "raised", 2, 1, 0, "", "", "") for name in "abc"}
    (one,) = mixed.tables(setting, games, range(1), Watch())
    wins = np.zeros(3)
    for game, shares in enumerate([(1, 0, 0), (0.5, 0.5, 0), (0, 0.5, 0.5)]):
        wins[seating[game]] += shares
    assert one.share == pytest.approx(wins / 3)
    assert one.won.sum(axis=1) == pytest.approx(2 * wins), "over each of the two others"
    assert one.forfeits == {"abc"[seating[2, 0]]: ["raised"]}
    assert (one.games, one.unfinished) == (3, 0)


def arena(*words):
    done = CliRunner().invoke(cli, ["arena", "second-story", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_the_command_tells_one_rating_for_all_and_who_wins_against_whom(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    words = ["--bots", "uniform,greedy,easy", "--mixed", "-n", "100", "-p", "3", "--seed", "1"]
    data = json.loads(arena(*words, "--json"))
    assert (data["players"], data["deals"], data["games"], data["unfinished"]) == (3, 34, 102, 0)
    assert sorted(one["bot"] for one in data["bots"]) == ["easy", "greedy", "uniform"]
    assert data["bots"][2]["bot"] == "uniform", "the strongest comes first"
    assert sum(one["win_share"] for one in data["bots"]) == pytest.approx(1)
    assert sum(one["elo"] for one in data["bots"]) == pytest.approx(0, abs=1e-6)
    first, second = data["bots"][:2]
    assert first["over"][second["bot"]] == pytest.approx(1 - second["over"][first["bot"]])
    assert set(first["over"]) == {second["bot"], "uniform"}
    for one in data["bots"]:
        assert one["interval"][0] < one["elo"] < one["interval"][1]
        assert one["win_share_interval"][0] < one["win_share"] < one["win_share_interval"][1]
    printed = arena(*words)
    assert max(map(len, printed.splitlines())) <= 80
    for n, one in enumerate(data["bots"], 1):
        ratings, row = [
            line.split() for line in printed.splitlines() if line.startswith(f"{n}  {one['bot']}")
        ]
        assert f"{one['elo']:+.0f}" in ratings
        shares = [one["over"].get(other["bot"]) for other in data["bots"]]
        assert row[2:] == ["-" if share is None else f"{100 * share:.0f}" for share in shares]


def test_the_same_seed_gives_the_same_on_any_number_of_threads():
    words = ["--bots", "greedy,uniform", "--mixed", "-n", "60", "--json"]
    assert arena(*words, "--threads", "1") == arena(*words, "--threads", "2")


def test_a_bot_that_fails_forfeits_and_its_records_are_kept(tmp_path):
    setting = mixed.circle(GAME, 3, {}, ["uniform", yegg.players.enrol(Raises)], 0)
    found = [*mixed.run(setting, range(2))]
    assert sum(len(one.forfeits["raises"]) for one in found) == 4
    assert first_failures(found)["raises"].why == "raised RuntimeError: lost"
    assert mixed.won_of(setting, found)["raises"].value == 0
    arena("--bots", "greedy,uniform", "--mixed", "-n", "4", "--records", str(tmp_path / "games"))
    assert len(list((tmp_path / "games").iterdir())) == 4


def test_what_mixed_tables_cannot_be_is_told():
    for words, why in [
        (["--ladder"], "--ladder is for pairs of bots"),
        (["--until-clear"], "--until-clear is for pairs of bots"),
        (["--results", "r.jsonl"], "--results is for pairs of bots"),
    ]:
        done = CliRunner().invoke(
            cli, ["arena", "magnate", "--bots", "greedy,uniform", "--mixed", *words]
        )
        assert why in done.output
    for names in (["greedy"], ["greedy", "greedy"]):
        with pytest.raises(Refused, match=r"two bots|named once"):
            mixed.circle(GAME, 2, {}, names, 0)


def test_the_setting_can_be_copied_as_others_are():
    assert replace(table(3), lineup=["a", "b"]).seatings.tolist() == [[0, 1, 0], [1, 0, 1]]
