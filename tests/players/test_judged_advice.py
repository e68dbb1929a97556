"""The chances beside choices are the same, plain and compiled."""

import numpy as np
import pytest

from yegg import games
from yegg.engine import Game, Match, kernels
from yegg.players.thinking import evaluation, knowledge
from yegg.players.thinking.evaluation import prospects
from yegg.players.thinking.plan import Plan


@pytest.fixture(params=["magnate", "second-story", "thiefs-market"])
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
