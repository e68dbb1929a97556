"""What a forfeit brings: nothing to any seat of its bot, in shares, Elo, intervals and files."""

import json

import numpy as np
import pytest

import yegg
from yegg import games
from yegg.lab import arena
from yegg.lab.arena_report import FORFEIT, record, recorded, sequential
from yegg.lab.batch import Batch

GAME = games.find("second-story")
MOST = 60  # decisions that Offended makes; some games have more


class Illegal(yegg.Player):
    """Answers what is never a choice."""

    def choose(self, view):
        return 999


class Offended(yegg.Player):
    """Takes the last choice, and gives up in a long game."""

    made = 0

    def choose(self, view):
        self.made += 1
        return 999 if self.made == MOST else view.choices[-1]


@pytest.mark.parametrize("order", [[Illegal, "uniform"], ["uniform", Illegal]])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_who_always_forfeits_wins_nothing_however_many_seats_it_has(players, order):
    (pair,) = yegg.arena("second-story", order, games=12, players=players).pairs
    assert pair.data["forfeits"] == {"illegal": pair.data["games"], "uniform": 0}
    assert pair.data["win_share"] == {"illegal": 0, "uniform": 1}, "its own clones were paid"
    assert pair.data["elo"] is None
    assert pair.data["interval"]["illegal"][0] == 0
    assert pair.data["seats_alike"] is None, "a forfeit says nothing of seats"


def batch_of(seating, standings, failed):
    """A batch of which only this counts."""
    none = np.zeros((len(seating), 0), np.int32)
    seating, standings, failed = (np.array(one) for one in (seating, standings, failed))
    over = ~failed.any(axis=1)
    about = seating, np.zeros(len(seating)), over, standings, standings, none, none, none, none
    return Batch(*about, failed, {}, none)


def test_wins_are_counted_by_bot_ties_and_sides_without_a_player_too():
    batch = batch_of(
        [[0, 1, 1], [0, 1, 1], [1, 0, 0], [0, 1, 1], [0, 1, 1]],
        [[3, 1, 1, 0], [3, 3, 3, 0], [0, 9, 9, 0], [0, 9, 9, 0], [1, 1, 0, 9]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 0, 0]],
    )
    won = arena.wins_of(batch).tolist()
    assert won[0] == [1, 0]
    assert won[1] == pytest.approx([1 / 3, 2 / 3])
    assert won[2:] == [[0, 1], [0, 1], [0, 0]]


def contest_of(bots, players):
    yegg.arena("second-story", list(bots), games=1, players=2)  # makes them known
    names = [one if isinstance(one, str) else one.__name__.lower() for one in bots]
    return arena.contests(GAME, players, {}, names, 0)[0]


def test_deals_of_forfeits_tell_nothing_of_seats_and_others_do():
    deals = [*arena.run(contest_of([Offended, "uniform"], 2), range(12))]
    assert {bool(deal.forfeits) for deal in deals} == {True, False}
    for deal in deals:
        assert bool(deal.seats) == (not deal.forfeits)


def test_until_clear_sees_that_who_forfeits_loses():
    deals = [*arena.run(contest_of([Illegal, "uniform"], 5), range(30))]
    assert {deal.share for deal in deals} == {0.0}
    assert sequential(deals).answer(0.5, 0.03) == "clear"


@pytest.mark.parametrize("players", [2, 3])
def test_forfeits_in_older_results_are_played_again_where_they_paid(tmp_path, players):
    contest, file = contest_of([Illegal, "uniform"], players), tmp_path / "results.jsonl"
    first, second, fair = arena.run(contest, range(3))
    first.share, fair.forfeits = 0.25, {}
    for deal in (first, second, fair):
        record(file, contest, deal)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    older = {key: value for key, value in lines[0].items() if key != FORFEIT}
    older["seats"] = [1 / players] * players
    file.write_text("".join(json.dumps(line) + "\n" for line in (older, *lines[1:])))
    found = recorded(file, contest)
    assert [deal.number for deal in found] == ([0, 1, 2] if players == 2 else [1, 2])
    assert not any(deal.seats for deal in found)
    record(file, contest, next(arena.run(contest, range(1))))
    assert sorted(deal.share for deal in recorded(file, contest)) == [0, 0, 0]
