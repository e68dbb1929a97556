"""The rules, a test for each clause."""

import pytest

import yegg


def begun(*events, players=2, **options):
    """A game after some events, in the words of its record."""
    match = yegg.Match("new-game", players=players, options=options)
    for event in events:
        match.play(match.hear(event))
    return match


def test_ng_1_everybody_begins_without_points_and_turns_go_round():
    match = begun()
    assert (match.actor, match.scores) == (0, [0, 0])
    assert begun("roll", "die 1", "roll", "die 1").actor == 0


def test_ng_2_one_may_hold_once_something_is_in_the_pot():
    assert list(begun().texts) == ["roll"]
    assert list(begun("roll", "die 2").texts) == ["roll", "hold"]
    with pytest.raises(yegg.NotLegal, match="NG-2"):
        begun("hold")


def test_ng_3_a_one_empties_the_pot_and_ends_the_turn():
    assert begun("roll", "die 6", "roll", "die 2").state.pot == 8
    match = begun("roll", "die 6", "roll", "die 1")
    assert (match.actor, match.scores, match.state.pot) == (1, [0, 0], 0)


def test_ng_4_the_pot_becomes_points():
    match = begun("roll", "die 6", "roll", "die 2", "hold")
    assert (match.actor, match.scores) == (1, [8, 0])


def test_ng_5_whoever_holds_enough_wins():
    match = begun(*["roll", "die 6"] * 9, "hold", goal="50")
    assert match.over
    assert (match.places, match.scores) == ([1, 2], [54, 0])
