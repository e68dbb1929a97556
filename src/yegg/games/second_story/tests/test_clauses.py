"""Every clause of RULES.md, told in the record's words."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from yegg.engine import CHANCE, NOBODY, Match, NotLegal, NotUnderstood
from yegg.games import find
from yegg.games.second_story.rules import Phase, State, score, standing
from yegg.parts.decktet import KIND, NAMES, SLUGS, SUIT_NAMES, Kind
from yegg.parts.pile import add, remove

GAME = find("second-story")


def begin(players=3, **options):
    return Match(GAME, players, options, how="plain")


def go(match, *texts):
    """Play events by their texts; chance's verbs may be left out: a card or a number."""
    for event in texts:
        verb = "roll " if isinstance(event, int) else "flip " if event in SLUGS else ""
        match.play(match.hear(f"{verb}{event}"))
    return match


def legal(match):
    return sorted(match.texts())


def chips(row):
    return {SUIT_NAMES[i]: int(n) for i, n in enumerate(row) if n}


def before_player(match):
    return {SLUGS[card] for card in match.state.tonight[: match.state.turned]}


def lay(match, bank=None, lair=None, bag=None):
    """Set chips by suit name, to reach strange positions quickly."""
    s = match.state
    for row, given in ((s.bank, bank), (s.bag, bag), (s.lair[s.turn], lair)):
        for suit, n in (given or {}).items():
            row[SUIT_NAMES.index(suit)] = n
    match._refresh()
    return match


# --- set-up -------------------------------------------------------------------------------------


def test_ss_1_the_basic_deck_and_what_options_add():
    def deck(**options):
        return Counter(Kind(KIND[SLUGS.index(t[5:])]) for t in begin(**options).texts())

    assert deck() == {Kind.ACE: 6, Kind.NUMBER: 24, Kind.CROWN: 6}
    assert deck(excuse="yes")[Kind.EXCUSE] == 1
    assert deck(pawns="yes")[Kind.PAWN] == 4
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


# --- a turn -------------------------------------------------------------------------------------


def test_ss_10_cards_lie_before_the_player_until_the_turn_ends():
    match = go(begin(), "the-origin", "quick", 2, 1, "take waves", "continue", "the-desert")
    assert before_player(match) == {"the-origin", "the-desert"}
    go(match, "thorough", 1)
    assert match.state.discards == 2
    assert "flip the-origin" not in match.texts()


def exhaust(match, *keep):
    """Burgle in vain until only the cards ``keep`` are left in the draw pile."""
    while match.state.face_down > len(keep) or match.state.phase != Phase.FLIP:
        texts = match.texts()
        dull = [t for t in ("flee", "stop", "thorough", "one-flat", "roll 1") if t in texts]
        go(match, *dull[:1] or [next(t for t in texts if t[5:] not in keep)])
    return match


def test_ss_11_the_discards_become_the_pile_when_a_card_is_needed():
    match = go(exhaust(begin(2), "the-mill"), "the-mill")
    assert match.state.face_down == 0
    turned = 36 - match.state.discards
    go(match, "thorough", 10)
    assert match.state.face_down == 0, "nothing is shuffled before a card is needed"
    go(match, "continue")
    assert len(match.texts()) == 36 - turned
    assert "flip the-mill" not in match.texts(), "it lies before the player"


def test_ss_11_a_turn_that_ends_first_adds_its_cards():
    match = go(exhaust(begin(2), "the-mill"), "the-mill", "thorough", 1)
    assert len(match.texts()) == 36
    assert "flip the-mill" in match.texts()


def test_ss_11_an_excuse_in_a_lair_is_not_shuffled():
    match = go(begin(2, excuse="yes"), "the-excuse", "the-origin", "thorough", 10, "stop")
    assert match.state.owner == 1
    go(exhaust(match, "the-pact"), "the-pact", "thorough", 1)
    assert len(match.texts()) == 36
    assert "flip the-excuse" not in match.texts()


def all_face_up(*last, **options):
    """A first turn in which every card but ``last`` lies face up."""
    match = begin(2, **options)
    s = match.state
    for card in s.pile[: s.face_down].tolist():
        if SLUGS[card] not in last:
            remove(s.pile, s.face_down, card)
            s.face_down -= 1
            add(s.tonight, s.turned, card)
            s.turned += 1
    match._refresh()
    return match


def test_ss_12_no_house_left_ends_the_night_as_if_stopped():
    match = go(all_face_up("the-origin"), "the-origin", "thorough", 2)
    assert match.state.turn == 1
    assert chips(match.state.lair[0]) == {"waves": 1, "leaves": 1}
    assert len(match.texts()) == 36


def test_ss_12_holds_after_the_last_ace_and_the_excuse():
    match = go(all_face_up("ace-of-suns"), "ace-of-suns")
    assert (match.state.turn, chips(match.state.lair[0])) == (1, {"suns": 1})
    match = go(all_face_up("the-excuse", excuse="yes"), "the-excuse")
    assert match.state.owner == 1
    assert match.state.turn == 1


def test_ss_12_holds_after_a_choice_of_chips():
    match = go(all_face_up("the-origin"), "the-origin", "quick", 2, 2, "take leaves")
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
    assert robbed.state.bag.sum() == 2
    assert robbed.state.bag.max() == 1
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
    assert len(match.texts()) == 10


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
    assert match.state.bag.sum() == 0
    assert match.state.turn == 1


# --- Crowns -------------------------------------------------------------------------------------


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


# --- Aces ---------------------------------------------------------------------------------------


def test_ss_30_an_ace_gives_a_chip_or_takes_one_back():
    match = go(begin(), "ace-of-moons")
    assert chips(match.state.bag) == {"moons": 1}
    match = go(begin(), "the-author", "thorough", 9, "continue", "ace-of-moons")
    assert chips(match.state.bag) == {"knots": 1}
    assert match.state.bank[0] == 10


def test_ss_31_another_card_is_turned_up_at_once():
    match = go(begin(), "ace-of-moons", "ace-of-suns")
    assert match.actor == CHANCE
    assert len(match.texts()) == 34


# --- empty bank ---------------------------------------------------------------------------------


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


# --- the Excuse ---------------------------------------------------------------------------------


def test_ss_40_another_card_is_turned_up_at_once():
    match = go(begin(excuse="yes"), "the-excuse")
    assert match.actor == CHANCE
    assert len(match.texts()) == 36


def test_ss_41_stopping_brings_it_home_failing_discards_it():
    home = go(begin(excuse="yes"), "the-excuse", "the-mill", "thorough", 8, "stop")
    assert home.state.owner == 1
    lost = go(begin(excuse="yes"), "the-excuse", "the-mill", "thorough", 7)
    assert lost.state.owner == 0
    assert lost.state.discards == 2


def with_excuse(*texts, **options):
    """Seat 1 of two has the Excuse in the lair and is to turn up a card."""
    match = begin(2, excuse="yes", **options)
    go(match, "the-excuse", "the-mill", "thorough", 8, "stop", "the-pact", "thorough", 1)
    return go(match, *texts)


def test_ss_42_it_rerolls_the_same_die_or_dice_and_is_discarded_at_the_turns_end():
    match = with_excuse("the-cave", "thorough", 6)
    assert legal(match) == ["excuse", "flee"]
    go(match, "excuse", 7)
    assert chips(match.state.bag) == {"waves": 1, "wyrms": 1}
    discards = match.state.discards
    go(match, "stop")
    assert match.state.owner == 0, "used, it does not go home again"
    assert match.state.discards == discards + 2
    match = with_excuse("the-cave", "quick", 6, 1, "excuse", 1, 7)
    assert legal(match) == ["take waves", "take wyrms"]


def test_ss_42_it_works_at_crowns_and_tenements_and_only_once():
    assert legal(with_excuse("the-sea", 1, 1, "excuse", 1, 10)) == ["continue", "stop"]
    match = with_excuse("the-watchman", "all-flats", 8, pawns="yes")
    assert legal(match) == ["excuse", "flee"]
    go(match, "excuse", 8)
    assert match.state.turn == 1
    assert match.state.owner == 0


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


# --- tenements ----------------------------------------------------------------------------------

FLATS = [("one-flat", 3, 1), ("several-flats", 6, 2), ("all-flats", 9, 3)]


@pytest.mark.parametrize(("plan", "need", "gain"), FLATS)
@pytest.mark.parametrize("card", ["the-watchman", "the-rite"])
def test_ss_50_flats(card, plan, need, gain):
    match = go(begin(pawns="yes", courts="yes"), card)
    assert legal(match) == ["all-flats", "one-flat", "several-flats"]
    go(match, plan, need)
    while "continue" not in match.texts():
        go(match, next(iter(match.texts())))
    assert match.state.bag.sum() == gain
    assert match.state.bag.max() == 1
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


# --- the last night -----------------------------------------------------------------------------


def test_ss_60_everybody_gets_one_more_turn_the_one_who_caused_it_last():
    match = go(lay(begin(), bank={"waves": 1}), "the-mill", "thorough", 8, "stop")
    assert match.state.last_turns == 3
    for seat in (1, 2, 0):
        assert match.state.turn == seat
        assert not match.over
        go(match, ["the-pact", "the-cave", "the-castle"][seat], "thorough", 1)
    assert match.over
    assert match.actor == NOBODY


def test_ss_61_only_the_end_of_a_turn_counts_and_it_happens_once():
    match = go(lay(begin(), bank={"waves": 1}), "the-mill", "thorough", 8, "continue")
    go(match, "the-pact", "thorough", 1)
    assert match.state.last_turns == -1, "taken and lost again in the same turn"
    match = go(lay(begin(2), bank={"waves": 1}, lair={"waves": 1}), "the-mill", "thorough", 8)
    go(match, "stop", "the-pact", "thorough", 1)
    assert match.state.last_turns == 1
    go(match, "the-sea", 1, 1, "risk", 1, 1, "flee")
    assert match.state.bank[SUIT_NAMES.index("waves")] == 1, "a chip came back"
    assert match.over, "and did not call it off"


# --- scoring ------------------------------------------------------------------------------------


def result(*lairs):
    s = np.zeros(1, State.dtype)[0]
    s.players = len(lairs)
    for seat, lair in enumerate(lairs):
        s.lair[seat, : len(lair)] = lair
    return [score(s, seat) for seat in range(len(lairs))], [
        standing(s, seat) for seat in range(len(lairs))
    ]


def test_ss_70_the_second_most_numerous_suit_is_the_score():
    assert result([9, 1], [2, 3, 3], [5], [0])[0] == [1, 3, 0, 0]


def test_ss_71_morgan_and_siveny():
    scores, (morgan, siveny) = result([6, 4, 3, 2, 1], [4, 4, 3, 3])
    assert scores == [4, 4]
    assert siveny > morgan


def test_ss_71_every_later_suit_counts_but_never_the_first():
    for place in range(1, 6):
        more, less = [5, 4, 4, 4, 4, 4], [5, 4, 4, 4, 4, 4]
        less[place:] = [3] * (6 - place)
        a, b = result(more, less)[1]
        assert a > b
    a, b = result([20, 4, 3], [4, 4, 3])[1]
    assert a == b


# --- the whole game -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_chips_and_cards_are_conserved(seed):
    dice = random.Random(seed)
    options = {"excuse": "yes", "pawns": "yes", "courts": "yes"} if seed % 2 else {}
    match = begin(2 + seed % 4, **options)
    deck = int(match.state.face_down)
    while not match.over:
        s = match.state
        assert (s.bank + s.bag + s.lair.sum(axis=0)).tolist() == [10] * 6
        assert min(s.bank.min(), s.bag.min(), s.lair.min()) >= 0
        pile, tonight = s.pile[: s.face_down].tolist(), s.tonight[: s.turned].tolist()
        assert pile == sorted(set(pile) - set(tonight))
        assert tonight == sorted(set(tonight))
        assert not s.pile[s.face_down :].any()
        assert not s.tonight[s.turned :].any()
        assert s.face_down + s.turned + s.discards + (s.owner > 0) == deck
        match.play(dice.choice(match.choices))
    assert match.state.phase == Phase.OVER
    assert match.state.bag.sum() == 0


def test_the_odds_of_the_rules_by_counting_dice():
    faces = range(1, 11)
    for rank in range(2, 10):
        assert sum(a >= rank for a in faces) / 10 == pytest.approx((11 - rank) / 10)
        quick = sum(max(pair) >= rank for pair in itertools.product(faces, faces)) / 100
        assert quick == pytest.approx(1 - ((rank - 1) / 10) ** 2)
    house = {2: "the-origin", 5: "the-forest", 9: "the-pact"}
    for rank, slug in house.items():
        won = sum(go(begin(), slug, "thorough", a).state.turn == 0 for a in faces)
        assert won == 11 - rank
    won = sum(go(begin(), "the-sea", a, b).state.turn == 0 for a in faces for b in faces)
    assert won / 100 == 0.19


def test_names_of_cards_are_told_where_a_card_cannot_be_turned_up():
    match = go(begin(), "ace-of-moons")
    with pytest.raises(NotLegal, match=f"SS-11: {NAMES[0]} is not in the draw pile"):
        go(match, "ace-of-moons")
