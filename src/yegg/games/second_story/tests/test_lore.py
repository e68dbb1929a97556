"""What a sensible burglar does with chips that may be taken or left."""

import pytest

from yegg.games.second_story import lore

from .burgling import begin, go, lay


def liked(match):
    """The choices after which the position looks best to whoever made them."""
    seat, worths = match.actor, {}
    for text in match.texts:
        worths[text] = lore.evaluate(go(match.fork(), text).state, seat)
    best = max(worths.values())
    return {text for text, worth in worths.items() if worth > best - 1e-9}


def test_ss_37_a_chip_that_may_be_left_is_taken():
    for lair in ({}, {"waves": 3}, {"leaves": 2, "waves": 1}):
        match = go(lay(begin(decline="yes"), lair=lair), "the-mill", "quick", 8, 1)
        assert "leave" not in liked(match)
    match = go(lay(begin(decline="yes"), lair={"waves": 3}), "the-mill", "quick", 8, 1)
    assert liked(match) == {"take leaves"}, "variety counts"


@pytest.mark.parametrize("decline", ["yes", "no"])
def test_ss_37_the_first_chip_taken_does_not_cost_the_others(decline):
    match = go(begin(decline=decline, pawns="yes"), "the-watchman", "several-flats", 6)
    assert "take knots" not in liked(match), "no later suit would be left"
    assert "leave" not in liked(match)
    go(lay(match, lair={"wyrms": 1, "moons": 3}), "take wyrms")
    assert liked(match) == {"take knots"}
    match = go(begin(decline="yes", pawns="yes"), "the-watchman", "all-flats", 9)
    assert liked(match) == {"take moons"}, "all three are wanted"


def test_a_quick_job_is_worth_its_chip():
    match = go(begin(), "the-pact", "quick")
    before = lore.prospects(match.state)
    assert lore.prospects(go(match, 9, 1).state) > before
    assert lore.prospects(match.state) == lore.prospects(go(match, "take moons").state)
