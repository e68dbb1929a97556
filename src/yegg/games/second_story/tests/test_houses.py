"""Crowns, Aces, an empty bank, the Excuse and tenements."""

import pytest

from yegg.engine import CHANCE, NotLegal

from .burgling import all_face_up, before_player, begin, chips, exhaust, go, lay, legal

# --- Crowns ------------------------------------------------------------------------------------


def test_ss_20_a_crown_is_two_dice_and_a_ten_for_one_chip():
    match = go(begin(), "the-sea")
    assert match.actor == CHANCE
    go(match, 9, 10)
    assert chips(match.state.bag) == {"waves": 1}
    assert legal(match) == ["continue", "stop"]
    assert go(begin(), "the-sea", 9, 9).state.turn == 1


def test_ss_23_second_chances_last_as_long_as_chips_of_the_suit():
    match = go(lay(begin(), lair={"waves": 2}), "the-sea", 9, 1)
    assert legal(match) == ["flee", "risk"]
    go(match, "risk", 3, 4)
    assert (chips(match.state.lair[0]), chips(match.state.bag)) == ({"waves": 1}, {"waves": 1})
    go(match, "risk", 9, 9)
    assert match.state.turn == 1, "no chip is left to risk: failure follows by itself"


def test_ss_23_other_suits_and_other_houses_give_no_second_chance():
    assert go(lay(begin(), lair={"suns": 5}), "the-sea", 9, 1).state.turn == 1
    assert go(lay(begin(), lair={"suns": 5}), "the-castle", "quick", 6, 1).state.turn == 1


def test_ss_23_accepting_the_failure_keeps_the_lair():
    match = go(lay(begin(), lair={"waves": 2}), "the-sea", 9, 1, "flee")
    assert chips(match.state.lair[0]) == {"waves": 2}
    assert match.state.turn == 1


def test_ss_24_risked_chips_are_lost_or_stay_in_the_bag():
    failed = go(lay(begin(), lair={"waves": 2}, bank={"waves": 8}), "the-sea", 1, 1, "risk", 2, 2)
    go(failed, "flee")
    assert (chips(failed.state.lair[0]), failed.state.bank[2]) == ({"waves": 1}, 9)
    made = go(lay(begin(), lair={"waves": 2}, bank={"waves": 8}), "the-sea", 1, 1, "risk", 10, 2)
    assert chips(made.state.bag) == {"waves": 2}
    assert legal(made) == ["continue", "stop"]


# --- Aces --------------------------------------------------------------------------------------


def test_ss_30_an_ace_gives_a_chip_or_takes_one_back():
    match = go(begin(), "ace-of-moons")
    assert chips(match.state.bag) == {"moons": 1}
    match = go(begin(), "the-author", "thorough", 9, "continue", "ace-of-moons")
    assert chips(match.state.bag) == {"knots": 1}
    assert match.state.bank[0] == 10


def test_ss_31_another_card_is_turned_up_at_once():
    match = go(begin(), "ace-of-moons", "ace-of-suns")
    assert match.actor == CHANCE
    assert len(match.texts) == 34


# --- empty bank --------------------------------------------------------------------------------


def test_ss_35_a_suit_that_is_gone_gives_nothing_but_must_be_rolled_for():
    match = go(lay(begin(), bank={"waves": 0, "leaves": 0}), "the-mill")
    assert legal(match) == ["quick", "thorough"]
    assert go(match, "thorough", 7).state.turn == 1
    match = go(lay(begin(), bank={"waves": 0}), "the-mill", "thorough", 8)
    assert chips(match.state.bag) == {"leaves": 1}
    match = go(lay(begin(), bank={"moons": 0}), "ace-of-moons")
    assert match.state.bag.sum() == 0
    match = go(lay(begin(), bank={"waves": 0}), "the-sea", 10, 1)
    assert (match.state.bag.sum(), legal(match)) == (0, ["continue", "stop"])


def test_ss_36_one_suit_left_is_taken_without_a_question_none_counts_as_robbed():
    match = go(lay(begin(), bank={"waves": 0}), "the-mill", "quick", 8, 1)
    assert (chips(match.state.bag), legal(match)) == ({"leaves": 1}, ["continue", "stop"])
    match = go(lay(begin(), bank={"waves": 0, "leaves": 0}), "the-mill", "quick", 8, 1)
    assert (match.state.bag.sum(), legal(match)) == (0, ["continue", "stop"])
    match = go(begin(), "the-mill", "quick", 8, 1)
    with pytest.raises(NotLegal, match="SS-36"):
        go(match, "stop")


# --- the Excuse --------------------------------------------------------------------------------


def test_ss_40_another_card_is_turned_up_at_once():
    match = go(begin(excuse="yes"), "the-excuse")
    assert match.actor == CHANCE
    assert len(match.texts) == 36


def test_ss_41_stopping_brings_it_home_failing_discards_it():
    home = go(begin(excuse="yes"), "the-excuse", "the-mill", "thorough", 8, "stop")
    assert home.state.owner == 1
    lost = go(begin(excuse="yes"), "the-excuse", "the-mill", "thorough", 7)
    assert (lost.state.owner, lost.state.discards) == (0, 2)


def with_excuse(*texts, **options):
    """Seat 1 of two has the Excuse in the lair and is to turn up a card."""
    match = begin(2, excuse="yes", **options)
    go(match, "the-excuse", "the-mill", "thorough", 8, "stop", "the-pact", "thorough", 1)
    return go(match, *texts)


def test_ss_42_it_rerolls_the_same_die_or_dice_and_is_discarded_at_once():
    match = with_excuse("the-cave", "thorough", 6)
    assert legal(match) == ["excuse", "flee"]
    discards = match.state.discards
    go(match, "excuse")
    assert (match.state.owner, match.state.discards) == (0, discards + 1)
    assert before_player(match) == {"the-cave"}
    go(match, 7)
    assert chips(match.state.bag) == {"waves": 1, "wyrms": 1}
    go(match, "stop")
    assert match.state.owner == 0, "used, it does not go home again"
    assert match.state.discards == discards + 2
    match = with_excuse("the-cave", "quick", 6, 1, "excuse", 1, 7)
    assert legal(match) == ["take waves", "take wyrms"]


def used_and_shuffled(*texts):
    """The Excuse was used at the last card of the pile, and another card is needed."""
    match = exhaust(with_excuse("the-author", "thorough", 2, "continue"), "the-cave")
    assert match.state.turn == 0, "seat 1, whose lair has the Excuse, turns up the last card"
    go(match, "the-cave", "thorough", 6, "excuse", 7, "continue")
    return go(match, *texts)


def test_ss_42_a_shuffle_later_in_the_same_turn_takes_it_in():
    match = used_and_shuffled()
    assert "flip the-excuse" in match.texts
    assert "flip the-cave" not in match.texts, "it still lies before the player"
    assert len(match.texts) == 36
    assert match.state.discards == 0


def test_ss_42_turned_up_again_it_goes_home_again_and_can_be_used_on_a_later_turn():
    match = used_and_shuffled("the-excuse")
    assert match.actor == CHANCE, "SS-40: another card is turned up at once"
    assert before_player(match) == {"the-cave", "the-excuse"}
    go(match, "the-mill", "thorough", 8, "stop")
    assert match.state.owner == 1
    go(match, "the-pact", "thorough", 1, "the-castle", "thorough", 1)
    assert legal(match) == ["excuse", "flee"]


def test_ss_43_turned_up_again_it_cannot_be_used_again_the_same_turn():
    match = used_and_shuffled("the-excuse", "the-castle", "thorough", 1)
    assert match.state.turn == 1, "failure follows by itself"
    assert match.state.owner == 0
    assert match.state.discards == 3, "SS-41: a failed turn discards it with the other cards"


def test_ss_12_an_excuse_that_was_used_is_the_last_card_there_is():
    match = all_face_up(with_excuse(), "the-cave")
    go(match, "the-cave", "thorough", 6, "excuse", 7)
    assert legal(match) == ["continue", "stop"], "the Excuse is left in the discard pile"
    go(match, "continue")
    assert legal(match) == ["flip the-excuse"]
    go(match, "the-excuse")
    assert (match.state.turn, match.state.owner) == (1, 1), "no card is left: the night is over"


def test_ss_42_it_works_at_crowns_and_tenements_and_only_once():
    assert legal(with_excuse("the-sea", 1, 1, "excuse", 1, 10)) == ["continue", "stop"]
    match = with_excuse("the-watchman", "all-flats", 8, pawns="yes")
    assert legal(match) == ["excuse", "flee"]
    go(match, "excuse", 8)
    assert (match.state.turn, match.state.owner) == (1, 0)


def test_ss_42_only_the_owner_may_use_it():
    match = with_excuse("the-cave", "thorough", 10, "stop", "the-castle", "thorough", 1)
    assert match.state.turn == 0, "seat 2 has no Excuse: failure follows by itself"


def test_ss_43_excuse_and_second_chance_in_any_order_but_not_in_the_turn_it_comes():
    match = lay(with_excuse(), lair={"suns": 1})
    go(match, "the-bard", 1, 1)
    assert legal(match) == ["excuse", "flee", "risk"]
    assert legal(go(match, "risk", 2, 2)) == ["excuse", "flee"]
    assert legal(go(match, "excuse", 2, 10)) == ["continue", "stop"]
    fresh = go(begin(excuse="yes"), "the-excuse", "the-cave", "thorough", 6)
    assert fresh.state.turn == 1


# --- tenements ---------------------------------------------------------------------------------

FLATS = [("one-flat", 3, 1), ("several-flats", 6, 2), ("all-flats", 9, 3)]


@pytest.mark.parametrize(("plan", "need", "gain"), FLATS)
@pytest.mark.parametrize("card", ["the-watchman", "the-rite"])
def test_ss_50_flats(card, plan, need, gain):
    match = go(begin(pawns="yes", courts="yes"), card)
    assert legal(match) == ["all-flats", "one-flat", "several-flats"]
    go(match, plan, need)
    while "continue" not in match.texts:
        go(match, next(iter(match.texts)))
    assert (match.state.bag.sum(), match.state.bag.max()) == (gain, 1)
    failed = go(begin(pawns="yes", courts="yes"), card, plan, need - 1)
    assert failed.state.turn == 1


def test_ss_50_two_of_three_are_taken_in_suit_order():
    match = go(begin(pawns="yes"), "the-watchman", "several-flats", 6)
    assert legal(match) == ["take moons", "take wyrms"], "the first two of the card's suits"
    assert legal(go(match, "take moons")) == ["take knots", "take wyrms"]
    match = go(begin(pawns="yes"), "the-watchman", "several-flats", 6, "take wyrms")
    assert legal(match) == ["take knots"], "recorded even when only one is left"


def test_ss_51_short_banks_at_tenements():
    def robbed(gone, plan):
        match = lay(begin(pawns="yes"), bank=dict.fromkeys(gone, 0))
        return go(match, "the-watchman", plan, 10)

    assert chips(robbed(["moons"], "several-flats").state.bag) == {"wyrms": 1, "knots": 1}
    assert chips(robbed(["moons", "knots"], "several-flats").state.bag) == {"wyrms": 1}
    assert legal(robbed(["moons"], "one-flat")) == ["take knots", "take wyrms"]
    assert chips(robbed(["moons", "knots"], "one-flat").state.bag) == {"wyrms": 1}
    assert chips(robbed(["moons"], "all-flats").state.bag) == {"wyrms": 1, "knots": 1}
    nothing = robbed(["moons", "wyrms", "knots"], "all-flats")
    assert (nothing.state.bag.sum(), legal(nothing)) == (0, ["continue", "stop"])
    failed = go(begin(pawns="yes"), "the-mill", "thorough", 9, "continue", "the-watchman")
    assert go(failed, "one-flat", 2).state.bank.tolist() == [10] * 6
