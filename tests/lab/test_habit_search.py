"""Learned counters: what wins is found, what does not is left, and the end is measured afresh."""

import json

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused
from yegg.lab.experiment.schema import read
from yegg.lab.policies.habit_schema import AVOID, PREFER
from yegg.lab.policies.habit_search import (
    FRESH,
    STEPS,
    as_experiment,
    by_playing,
    contest,
    kinds,
    learn,
)

from .files import written, yegg

WORDS = [f"word {at}" for at in range(20)]


def worth(gains, seed=0):
    """Counters that win a third and what each of their words is worth, and luck by the deal."""
    met = []

    def play(every, deals):
        met.append(deals)
        luck = np.array([np.random.default_rng([seed, deal]).normal(0, 0.2) for deal in deals])
        return [
            1 / 3
            + sum(gains.get(word, 0) for word in bound)
            + luck
            + np.random.default_rng([seed, at, deals[0]]).normal(0, 0.2, len(deals))
            for at, bound in enumerate(every)
        ]

    return play, met


def test_what_wins_is_learned_the_best_first():
    gains = {("word 3", PREFER): 0.1, ("word 11", AVOID): 0.2}
    play, met = worth(gains)
    learned = learn(WORDS, play, 40_000, 3)
    assert learned.bound == (("word 11", AVOID), ("word 3", PREFER))
    assert [step.taken for step in learned.steps] == [True, True, False]
    assert learned.steps[0].gain.low <= 0.2 <= learned.steps[0].gain.high
    assert kinds(learned.bound) == {"prefer": ["word 3"], "avoid": ["word 11"]}
    deals = [deal for some in met for deal in some]
    assert len(deals) == len(set(deals)), "no round and no check meets a deal again"


@pytest.mark.wide
def test_where_nothing_wins_nothing_is_learned_but_seldom():
    learned = [learn(WORDS, worth({}, seed)[0], 4000, 3).bound for seed in range(200)]
    assert sum(map(bool, learned)) / 200 <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / 200)


def test_a_search_plays_about_as_many_games_as_it_may():
    learned = learn(WORDS, worth({(word, PREFER): 0.1 for word in WORDS})[0], 40_000, 3)
    assert len(learned.steps) == STEPS == len(learned.bound)
    assert 0.7 < learned.games / 40_000 < 1.1


def test_patterns_are_what_players_choose_and_mean_the_same_everywhere():
    asked = contest(games.find("second-story"), 3, {}, "uniform", 0)
    patterns = asked.patterns()
    assert {"continue", "stop", "quick", "thorough"} <= set(patterns)
    assert all(asked.habit(((pattern, AVOID),)).ranks for pattern in patterns)


def test_a_counter_sits_on_every_seat_as_often_and_without_words_wins_what_others_do():
    asked = contest(games.find("second-story"), 3, {}, "uniform", 5)
    seating = asked.setting(()).seatings
    assert [(seating[:, seat] == 0).sum() for seat in range(3)] == [1, 1, 1]
    play = by_playing(asked, 1)
    (none,) = play([()], range(40))
    assert len(none) == 40
    # all three play alike, so a deal's three games have the same winners
    assert none == pytest.approx(np.full(40, 1 / 3))


def test_the_same_deals_are_the_same_on_any_number_of_threads():
    asked = contest(games.find("second-story"), 3, {}, "uniform", 5)
    every = [(("quick", AVOID),), (("continue", AVOID), ("flee", PREFER))]
    one, two = (by_playing(asked, threads)(every, range(60)) for threads in (1, 2))
    assert all((a == b).all() for a, b in zip(one, two, strict=True))
    assert not (one[0] == one[1]).all()


def test_what_was_learned_is_a_file_that_an_experiment_reads(tmp_path):
    options = {"chips": "8"}
    asked = contest(games.find("second-story"), 3, options, "uniform", 5)
    bound = (("quick", AVOID), ("flee", PREFER))
    made = read(written(tmp_path, as_experiment(asked, bound, 50).source))
    assert made.habits["counter"].ranks == asked.habit(bound).ranks
    assert made.seed == 5 + FRESH
    assert dict(made.variants[0].options) == options
    assert made.lineups == (("counter", "uniform", "uniform"),)
    (claim,) = made.claims
    assert claim.measure == "share_of_counter"
    assert claim.number == pytest.approx(1 / 3, abs=1e-5)


@pytest.mark.parametrize(
    ("players", "against", "said"),
    [(3, "hard", "thinks ahead"), (3, "nobody", "nobody"), (9, "uniform", "9")],
)
def test_what_cannot_be_is_refused(players, against, said):
    with pytest.raises(Refused, match=said):
        contest(games.find("second-story"), players, {}, against, 0)


@pytest.mark.wide
def test_random_play_is_countered_and_the_counter_wins_on_fresh_deals(tmp_path):
    """Whoever always stops and robs thoroughly beats those who choose by lot."""
    out = tmp_path / "counter"
    asked = "--bots", "uniform", "-n", "300000", "--deals", "1000", "--out", str(out), "--json"
    data = json.loads(yegg("lab", "counter", "second-story", *asked))
    assert {"continue", "quick"} <= set(data["counter"]["avoid"])
    (claim,) = data["claims"]
    assert claim["answer"] == "clear"
    assert claim["difference"]["value"] > 0.1
    assert (out / "experiment.toml").exists()
