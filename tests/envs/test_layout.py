"""One net's columns and actions for all settings of a game, plain and compiled."""

import random

import numpy as np
import pytest

from yegg import games
from yegg.engine.words import words
from yegg.envs.single import Single
from yegg.observations import encode
from yegg.observations.layout import layout
from yegg.observations.setting import setting

WHOLE = 2**31 - 1


@pytest.fixture(params=games.names())
def laid_out(request):
    return layout(games.find(request.param))


def played(one, seed, most=60):
    """Positions of a random game in which an agent is asked."""
    env, dice = Single(one, observe="float32", seed=seed), random.Random(seed)
    for _ in range(most):
        if env.over:
            return
        yield env
        env.act(int(dice.choice(np.flatnonzero(env.masks[0]))))


def seen(plan, shown, more, counts, state, row, scale):
    """A view as the net's columns, by the plain twin."""
    x = np.zeros(scale.size, np.float32)
    with np.errstate(over="ignore"):
        encode.encode(words(state), plan, row, scale, WHOLE, x)
        if counts:
            extra = np.zeros(1, shown)
            counts.more(state, row, extra[0])
            encode.encode(words(extra[0]), more, row, scale, WHOLE, x)
    return x[:-1]


def test_a_view_becomes_the_columns_of_its_setting_at_their_places(laid_out):
    tables = laid_out.tables()
    for players, one in laid_out.settings.items():
        for env in played(one, seed=players):
            view, seat = env.states.copy(), env.seat
            if one.game.secret:
                one.game.rules.hide(view[0], seat)
            row = tables.first[one.sides] + seat
            extra = one.extra, tables.more, one.counts
            found = seen(tables.plan, *extra, view[0], row, tables.scale)
            wanted = np.zeros(len(laid_out.columns), np.float32)
            wanted[laid_out.columns_of(one)] = env.observe(seat)
            assert found.tolist() == wanted.tolist()


def test_what_does_not_change_says_how_many_play_and_by_which_options(laid_out):
    game = laid_out.game
    for players, one in laid_out.settings.items():
        told = {laid_out.columns[at] for at in laid_out.constants_of(one)}
        assert f"players={players}" in told
        assert len(told) == 1 + len(game.options)
    name, made = next(iter(game.options.items()))
    for value in made.values:
        if game.objection(game.usual, game.defaults(game.usual) | {name: value}) is None:
            one = setting(game, game.usual, **{name.replace("-", "_"): value})
            told = [laid_out.columns[at] for at in laid_out.constants_of(one)]
            assert f"{name}={value}" in told


def test_an_action_means_the_same_to_every_seat_and_however_many_play(laid_out):
    tables = laid_out.tables()
    for players, one in laid_out.settings.items():
        actions = laid_out.actions_of(one)
        assert len(set(actions)) == one.choices.shape[1]
        for seat in range(players):
            assert tables.actions[players, seat][one.choices[seat]].tolist() == actions.tolist()
