"""Chances are told by the policy net where it covers the game, and by lore elsewhere."""

import candid
import numpy as np
import pytest

from yegg import games
from yegg.coach.advice import advise, first_sight, judge_of, thought
from yegg.coach.review import review
from yegg.engine import Game, Match, kernels
from yegg.engine.dice import seeds
from yegg.engine.verbs import win_share
from yegg.observations.layout import layout
from yegg.players.policy_net import policy_function, weights
from yegg.players.thinking import evaluation, knowledge
from yegg.players.thinking.foresight import foresee, foresight
from yegg.players.thinking.plan import Plan

NAMES = games.names()
UNITS = 5


@pytest.fixture
def learns(tmp_path, monkeypatch):
    """Gives a game a net of so great random weights; by default it covers all settings."""
    monkeypatch.setattr(policy_function, "path_of", lambda game: tmp_path / f"{game.package}.npz")
    policy_function.learned.cache_clear()

    def learn(game, size=0.1, covers=None):
        dice, shapes = np.random.default_rng(1), weights.shapes(game, UNITS)
        net = {name: np.float32(dice.normal(0, size, shape)) for name, shape in shapes.items()}
        told = {"covers": covers or [[n, "any"] for n in layout(game).settings]}
        about = weights.identity(game, UNITS) | told
        weights.save(tmp_path / f"{game.package}.npz", about, weights.PolicyWeights(**net))
        policy_function.learned.cache_clear()
        return game

    yield learn
    policy_function.learned.cache_clear()


@pytest.fixture
def plain(monkeypatch):
    """No judge is compiled.  Other kernels are: settings keep theirs for the tests that follow."""
    made = Game.engine

    def judging(game, *parts, how="compiled"):
        return made(game, *parts, how="plain" if "lore" in parts else how)

    monkeypatch.setattr(Game, "engine", judging)


def decision(game, players=None, options=None):
    return Match(game, players or game.usual, options, seed=5, how="plain").to_decision()


def weighed(match, futures=1):
    view, seat, choices = match.known_to(match.actor), match.actor, match.choices
    with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
        return evaluation.weigh(match.game, view, seat, choices, Plan(futures * len(choices)), 3)


def glanced(match):
    return evaluation.glance(match.game, match.known_to(match.actor), match.actor, match.choices)


@pytest.mark.wide(but=["magnate"])
@pytest.mark.parametrize("name", NAMES)
def test_a_net_that_knows_nothing_thinks_all_choices_equal(name, learns, plain):
    """Lore would not: so it is the net who tells the chances, thinking and at first sight."""
    match = decision(games.find(name))
    learns(match.game, 0.0)
    assert glanced(match).values == pytest.approx(1 / len(match.scores))
    assert np.ptp(weighed(match).values) < 1e-9
    learns(match.game)
    assert np.ptp(glanced(match).values) > 0


@pytest.mark.wide
@pytest.mark.parametrize("name", NAMES)
def test_futures_say_the_same_plain_and_compiled(name, learns, request):
    match = decision(learns(games.find(name)))
    compiled = weighed(match)
    assert np.ptp(compiled.values) > 0
    request.getfixturevalue("plain")
    assert weighed(match).values == pytest.approx(compiled.values, abs=1e-5)


def ask(views, seat, shares):
    """A kernel: what a seat expects by the net."""
    shares[0] = win_share(views[0], seat)


@pytest.mark.parametrize("name", NAMES)
def test_at_first_sight_it_says_what_the_net_does(name, learns, plain):
    match = decision(learns(games.find(name)))
    values, share = glanced(match).values, np.zeros(1)
    assert np.ptp(values) > 0
    run, out = knowledge.reasoned(match.game).kernel, np.zeros(match.game.choices, np.int32)
    for choice, value in zip(match.choices, values, strict=True):
        states = match.known_to(match.actor)
        with np.errstate(over="ignore"):
            run(kernels.settle)(states, np.zeros(1, np.uint64), out)
            run(kernels.make)(states, choice)
            run(kernels.veil)(states, match.actor)
            run(ask)(states, match.actor, share)
        assert value == pytest.approx(share[0], abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_is_believed_where_it_decides_and_nowhere_else(name):
    """Elsewhere this one expects nothing, and the shares would not be even."""
    game, compared = games.find(name), 0
    run = game.engine(candid, "lore", how="plain").kernel(foresee)
    for seed in range(4):
        match, on = (
            Match(game, game.usual, seed=seed, how="plain"),
            foresight(game.state.dtype, game.choices),
        )
        total, sides = np.zeros(len(match.scores)), len(match.scores)
        with np.errstate(over="ignore"):
            run(match.states, on, 1, seeds(seed, 0, 1, 1)[0, 0], total)
        assert total.sum() == pytest.approx(1)
        if game.rules.actor(on.room[0]) >= 0:
            compared += 1
            assert total == pytest.approx(np.full(sides, 1 / sides))
    assert compared


@pytest.mark.parametrize(
    ("name", "without"),
    [("second-story", "tree"), ("thiefs-market", "futures"), ("secrets", "secret")],
)
def test_what_the_net_does_not_cover_is_thought_about_without_it(name, without, learns):
    game = learns(games.find(name), covers=[[3, {}]])
    for players, how, judge in ((3, "futures", "policy"), (4, without, "lore")):
        match = decision(game, players)
        assert thought(match).way == how
        assert judge_of(match) == judge
        assert first_sight(match).judge == judge


@pytest.mark.wide
def test_advice_and_review_say_who_judged(learns):
    match = decision(learns(games.find("second-story"), covers=[[3, {}]]))
    assert advise(match, Plan(iterations=4)).judge == "policy"
    assert review(match, Plan(iterations=4)).judge == "policy"
