"""A turn of Second Story: set-up, cards, jobs, stopping."""

from collections import Counter

import pytest

from yegg.engine import CHANCE, NotLegal, NotUnderstood
from yegg.parts.decktet import KIND, SLUGS, Kind

from .burgling import all_face_up, before_player, begin, chips, exhaust, go, lay, legal

# --- set-up ------------------------------------------------------------------------------------


def test_ss_1_the_basic_deck_and_what_options_add():
    def deck(**options):
        return Counter(Kind(KIND[SLUGS.index(t[5:])]) for t in begin(**options).texts)

    assert deck() == {Kind.ACE: 6, Kind.NUMBER: 24, Kind.CROWN: 6}
    assert (deck(excuse="yes")[Kind.EXCUSE], deck(pawns="yes")[Kind.PAWN]) == (1, 4)
    assert deck(courts="yes")[Kind.COURT] == 4
    assert sum(deck(courts="yes", pawns="yes", excuse="yes").values()) == 45


def test_ss_2_ten_chips_of_each_suit_and_nothing_else():
    for chips_option, count in ((None, 10), ("3", 3), ("20", 20)):
        match = begin(5, **({"chips": chips_option} if chips_option else {}))
        assert match.state.bank.tolist() == [count] * 6
        assert match.state.bag.sum() == match.state.lair.sum() == 0


def test_ss_3_seat_1_begins_then_clockwise():
    match = go(begin(), "the-pact")
    assert match.actor == 0
    for seat in (1, 2, 0):
        go(match, "thorough", 1, SLUGS[6 + seat])
        assert match.actor == seat


# --- a turn ------------------------------------------------------------------------------------


def test_ss_10_cards_lie_before_the_player_until_the_turn_ends():
    match = go(begin(), "the-origin", "quick", 2, 1, "take waves", "continue", "the-desert")
    assert before_player(match) == {"the-origin", "the-desert"}
    go(match, "thorough", 1)
    assert match.state.discards == 2
    assert "flip the-origin" not in match.texts


def test_ss_11_the_discards_become_the_pile_when_a_card_is_needed():
    match = go(exhaust(begin(2), "the-mill"), "the-mill")
    assert match.state.face_down == 0
    turned = 36 - match.state.discards
    go(match, "thorough", 10)
    assert match.state.face_down == 0, "nothing is shuffled before a card is needed"
    go(match, "continue")
    assert len(match.texts) == 36 - turned
    assert "flip the-mill" not in match.texts, "it lies before the player"


def test_ss_11_a_turn_that_ends_first_adds_its_cards():
    match = go(exhaust(begin(2), "the-mill"), "the-mill", "thorough", 1)
    assert len(match.texts) == 36
    assert "flip the-mill" in match.texts


def test_ss_11_an_excuse_in_a_lair_is_not_shuffled():
    match = go(begin(2, excuse="yes"), "the-excuse", "the-origin", "thorough", 10, "stop")
    assert match.state.owner == 1
    go(exhaust(match, "the-pact"), "the-pact", "thorough", 1)
    assert len(match.texts) == 36
    assert "flip the-excuse" not in match.texts


def test_ss_12_no_house_left_ends_the_night_as_if_stopped():
    match = go(all_face_up(begin(2), "the-origin"), "the-origin", "thorough", 2)
    assert match.state.turn == 1
    assert chips(match.state.lair[0]) == {"waves": 1, "leaves": 1}
    assert len(match.texts) == 36


def test_ss_12_holds_after_the_last_ace_and_the_excuse():
    match = go(all_face_up(begin(2), "ace-of-suns"), "ace-of-suns")
    assert (match.state.turn, chips(match.state.lair[0])) == (1, {"suns": 1})
    match = go(all_face_up(begin(2, excuse="yes"), "the-excuse"), "the-excuse")
    assert (match.state.owner, match.state.turn) == (1, 1)


def test_ss_12_holds_after_a_choice_of_chips():
    match = go(all_face_up(begin(2), "the-origin"), "the-origin", "quick", 2, 2, "take leaves")
    assert chips(match.state.lair[0]) == {"leaves": 1}


def test_ss_13_thorough_or_quick_at_a_number_card():
    match = go(begin(), "the-castle")
    assert legal(match) == ["quick", "thorough"]
    assert legal(go(match, "thorough")) == sorted(f"roll {n}" for n in range(1, 11))


def test_ss_14_a_die_shows_one_to_ten_and_ten_always_succeeds():
    match = go(begin(), "the-pact", "thorough", 10)
    assert legal(match) == ["continue", "stop"]
    for face in (0, 11):
        with pytest.raises(NotUnderstood):
            go(go(begin(), "the-pact", "thorough"), f"roll {face}")


@pytest.mark.parametrize(("rank", "house"), [(2, "the-author"), (7, "the-cave"), (9, "the-pact")])
def test_ss_15_thorough_must_reach_the_rank_for_two_chips(rank, house):
    robbed = go(begin(), house, "thorough", rank)
    assert legal(robbed) == ["continue", "stop"]
    assert (robbed.state.bag.sum(), robbed.state.bag.max()) == (2, 1)
    failed = go(begin(), house, "thorough", rank - 1)
    assert failed.state.turn == 1


@pytest.mark.parametrize(("dice", "robbed"), [((7, 1), True), ((1, 7), True), ((6, 6), False)])
def test_ss_16_quick_needs_one_of_two_dice_for_one_chip_of_choice(dice, robbed):
    match = go(begin(), "the-castle", "quick", *dice)
    if robbed:
        assert legal(match) == ["take knots", "take suns"]
        assert chips(go(match, "take knots").state.bag) == {"knots": 1}
        assert match.state.bank.sum() == 59
    else:
        assert match.state.turn == 1


def test_ss_16_both_dice_are_always_rolled():
    match = go(begin(), "the-castle", "quick", 10)
    assert match.actor == CHANCE
    assert len(match.texts) == 10


def test_ss_17_failure_returns_the_bag_and_ends_the_turn():
    match = go(begin(), "the-origin", "thorough", 5, "continue", "the-pact", "thorough", 8)
    assert match.state.bank.tolist() == [10] * 6
    assert match.state.bag.sum() == match.state.lair.sum() == 0
    assert match.state.turn == 1


def test_ss_18_stop_or_continue_even_with_an_empty_bag_and_a_card_must_be_faced():
    match = lay(begin(), bank={"waves": 0, "leaves": 0})
    go(match, "the-origin", "thorough", 9)
    assert match.state.bag.sum() == 0
    assert legal(match) == ["continue", "stop"]
    go(match, "continue", "the-pact")
    with pytest.raises(NotLegal, match="SS-18"):
        go(match, "stop")


def test_ss_19_stopping_brings_the_bag_home():
    match = go(
        begin(), "the-origin", "thorough", 5, "continue", "the-sailor", "thorough", 4, "stop"
    )
    assert chips(match.state.lair[0]) == {"waves": 2, "leaves": 2}
    assert (match.state.bag.sum(), match.state.turn) == (0, 1)
