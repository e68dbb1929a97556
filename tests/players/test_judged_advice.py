"""The chances beside choices are told by what a game has learned, plain and compiled alike."""

import sys

import numpy as np
import pytest

from yegg import games
from yegg.engine import Game, Match, kernels
from yegg.players.thinking import evaluation, knowledge
from yegg.players.thinking.evaluation import prospects
from yegg.players.thinking.plan import Plan
from yegg.players.value_net import value_function
from yegg.players.value_net.value_function import size

LEARNED = [
    name for name in games.names() if (games.find(name).folder / value_function.WEIGHTS).exists()
]


@pytest.fixture(params=LEARNED)
def match(request):
    game = games.find(request.param)
    return Match(game, game.usual, seed=5, how="plain").to_decision()


@pytest.fixture
def plain(monkeypatch):
    """Nothing is compiled, and futures end with the turn, for plain ones are slow."""
    made = Game.engine

    def linked(game, *parts, **_):
        return made(game, *parts, how="plain")

    def begin():
        monkeypatch.setattr(Game, "engine", linked)

    monkeypatch.setattr(evaluation, "TURNS", 0)
    return begin


def weighed(match):
    """What a future of each choice says."""
    view, seat, choices = match.known_to(match.actor), match.actor, match.choices
    with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
        return evaluation.weigh(match.game, view, seat, choices, Plan(len(choices)), 3)


def glanced(match):
    return evaluation.glance(match.game, match.known_to(match.actor), match.actor, match.choices)


@pytest.mark.wide
def test_a_judge_that_knows_nothing_thinks_all_choices_equal(match, plain, monkeypatch):
    """Lore would not: so it is the judge who tells the chances, thinking and at first sight."""
    plain()
    game, used = match.game, value_function.judge(match.game)[0]
    assert np.ptp(glanced(match).values) > 0
    monkeypatch.setitem(sys.modules, used.__name__, used)  # so that it is used again afterwards
    weights = np.zeros(size(value_function.senses(game).SENSES, 1), np.float32)
    ignorant = value_function.made_of(game, weights, 1), value_function.senses(game)
    monkeypatch.setattr(knowledge, "judge", lambda _: ignorant)
    for found in (glanced(match), weighed(match)):
        assert found.values == pytest.approx(1 / len(match.scores))
        assert found.worth == pytest.approx(1 / len(match.scores))


@pytest.mark.wide
def test_futures_say_the_same_plain_and_compiled(match, plain):
    compiled = weighed(match)
    assert np.ptp(compiled.values) > 0
    plain()
    assert weighed(match).values == pytest.approx(compiled.values, abs=1e-5)


@pytest.mark.wide
@pytest.mark.parametrize("name", ["magnate", "thiefs-market"])
def test_at_first_sight_it_says_what_the_compiled_judge_does(name):
    """Magnate: the other's hand is dealt before; the curve judges where no chance acts."""
    game, compared = games.find(name), 0
    match = Match(game, game.usual, seed=5, how="plain").to_decision()
    values, curve = glanced(match).values, prospects(game, len(match.scores))
    run, out = knowledge.engine(game).kernel, np.zeros(game.choices, np.int32)
    for choice, value in zip(match.choices, values, strict=True):
        states = match.known_to(match.actor)
        run(kernels.settle)(states, np.zeros(1, np.uint64), out)
        run(kernels.make)(states, choice)
        if game.rules.actor(states[0]) >= 0:
            assert curve(states, 0)[match.actor] == pytest.approx(value, abs=1e-5)
            compared += 1
    assert compared > 1
