"""A seat is shown the same, byte for byte, of games that differ only in what it may not know."""

import itertools
import random

import numpy as np
import pytest
from twins import elsewhere, swapped

from yegg.engine import Match
from yegg.envs.single import Single
from yegg.observations.setting import setting

FEW = [("magnate", {}), ("secrets", {"hidden": "yes", "secrets": 3})]
WIDE = [
    ("magnate", {"courts": "yes"}),
    ("secrets", {}),
    ("secrets", {"hidden": "yes", "posts": "open"}),
]


def some_twins(match, seat):
    """Games that the seat cannot tell from this one."""
    found = (itertools.islice(one(match, seat), 3) for one in (elsewhere, swapped))
    return itertools.chain(*found)


def shown(single, match, seat):
    """What the seat is shown of a match: observation and mask."""
    mask = np.zeros(single.setting.choices.shape[1], np.int8)
    if match.actor == seat:
        mask[single.setting.actions[seat, match.choices]] = 1
    return single.observe_state(match.states, seat).tobytes(), mask.tobytes()


@pytest.mark.parametrize(
    ("name", "options"), [*FEW, *(pytest.param(*one, marks=pytest.mark.wide) for one in WIDE)]
)
def test_what_differs_only_in_secrets_looks_alike(name, options):
    there = setting(name, **options)
    single, dice = Single(there), random.Random(5)
    pairs = told = 0
    while pairs < 50:
        match = Match(there.game, there.players, there.options)
        while not match.over:
            match.play(dice.choice(match.choices))
            if match.over or dice.random() > 0.05:
                continue
            for seat in range(there.players):
                mine = shown(single, match, seat)
                everything = single.observe_state(match.states, seat, hidden=False)
                for twin in some_twins(match, seat):
                    assert shown(single, twin, seat) == mine
                    other = single.observe_state(twin.states, seat, hidden=False)
                    told += other.tobytes() != everything.tobytes()
                    pairs += 1
    assert told > 5  # so there is something to be told apart


def test_a_batch_shows_what_the_seat_that_is_asked_may_know():
    there = setting("magnate")
    single = Single(there, seed=3, observe="float32")
    while not single.over:
        known = single.match().known_to(single.seat)
        assert single.observations[0].tobytes() == single.observe(single.seat).tobytes()
        seen = single.observe_state(known, single.seat, hidden=False)
        assert single.observations[0].tobytes() == seen.tobytes()
        single.step()
