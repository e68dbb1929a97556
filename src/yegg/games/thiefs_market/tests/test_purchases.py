"""TM-20 … TM-33: the second phase, the end of the round and the refill."""

import pytest

from yegg.games.thiefs_market.state import Phase


def poor(table):
    """Four players without Gold."""
    return table().gold(0, 0, 0, 0)


# --- turns and payment


def test_tm_20_turns_go_clockwise_from_the_marker(table):
    t = table().evening("R", "W", "B*", "G")
    order = []
    while t.phase == Phase.MARKET:
        order.append(t.actor)
        t.play("done")
    assert order == [3, 4, 1, 2]


def test_tm_20_one_card_a_turn_and_nobody_has_to_buy(table):
    t = poor(table).market("tailor", "disgruntled-minion").evening("RRRR*")
    assert t.texts == {"buy tailor", "buy disgruntled-minion", "done"}
    t.play("buy tailor")
    assert t.texts == {"spend red with tailor", "done"}
    assert t.why_not("buy disgruntled-minion").startswith("TM-20: no purchase is left")
    t.play("done")
    assert t.actor == 2
    assert "done" in t.texts


def test_tm_20_only_what_lies_in_the_market(table):
    t = poor(table).market("tailor").give(2, "corrupt-official").evening("WR*")
    assert t.why_not("buy corrupt-official").startswith("TM-20: Corrupt Official is not for sale")
    assert t.why_not("buy crown").startswith("TM-20: Crown is not for sale")


def test_tm_21_dice_of_the_colours_shown_go_to_the_centre(table):
    t = poor(table).market("anthropomorphic-water-buffalo").evening("RRRWWbm*")
    t.play("buy anthropomorphic-water-buffalo")
    assert (t.pile(1), t.state.loose) == ("RWbm*", 3)
    assert (t.cards(1), t.for_sale()) == ({"anthropomorphic-water-buffalo"}, set())


def test_tm_21_bags_and_masks_pay_nothing(table):
    t = poor(table).market("tailor").evening("bbmm*")
    assert t.texts == {"done"}


def test_tm_21_any_gem_may_be_paid_in_gold(table):
    t = poor(table).market("tailor").gold(1).evening("bbmm*").play("buy tailor")
    assert (t.has(1)[0], t.pile(1)) == (0, "bbmm*")


def test_tm_21_also_a_gem_that_one_has(table):
    t = poor(table).market("tailor").gold(3).evening("R*").play("buy tailor")
    assert t.texts == {"gold 0 for red", "gold 1 for red"}
    t.play("gold 1 for red")
    assert (t.pile(1), t.has(1)[0]) == ("R*", 2)


def test_tm_21_colours_in_order_and_enough_gold_for_those_after(table):
    t = poor(table).market("gauntlet-of-evil-intent").gold(2).evening("RB*")  # RBG, no green
    t.play("buy gauntlet-of-evil-intent")
    assert t.texts == {"gold 0 for red", "gold 1 for red"}
    assert t.why_not("gold 2 for red").startswith("TM-21: 0 to 1 Gold")
    assert t.why_not("gold 1 for blue").startswith("TM-21: red is being paid")
    assert t.why_not("done").startswith("TM-21: a card is being paid")
    t.play("gold 1 for red")  # one Gold left, and green needs it: blue is not asked
    assert (t.phase, t.pile(1), t.has(1)[0]) == (Phase.MARKET, "R*", 0)


def test_tm_21_gold_for_the_later_colour_after_dice_for_the_first(table):
    t = poor(table).market("gauntlet-of-evil-intent").gold(2).evening("RB*")
    t.play("buy gauntlet-of-evil-intent | gold 0 for red")
    assert t.texts == {"gold 0 for blue", "gold 1 for blue"}
    t.play("gold 0 for blue")
    assert (t.pile(1), t.has(1)[0]) == ("*", 1)


def test_tm_21_two_of_a_colour_by_one_die_and_one_gold(table):
    t = poor(table).market("fence").gold(2).evening("W*").play("buy fence")
    assert t.texts == {"gold 1 for white", "gold 2 for white"}
    t.play("gold 1 for white")
    assert (t.pile(1), t.has(1)[0]) == ("*", 1)


def test_tm_21_no_question_where_only_one_number_is_possible(table):
    t = poor(table).market("fence").gold(1).evening("W*").play("buy fence")
    assert (t.phase, t.has(1)[0]) == (Phase.MARKET, 0)
    t = poor(table).market("fence").evening("WWW*").play("buy fence")
    assert t.pile(1) == "W*"


def test_tm_21_a_refusal_names_what_is_missing_by_colour(table):
    t = poor(table).market("anthropomorphic-water-buffalo").gold(1).evening("R*")
    assert t.texts == {"done"}
    said = t.why_not("buy anthropomorphic-water-buffalo")
    assert "TM-21" in said
    assert "costs 2 red and 1 white" in said
    assert "you lack 1 red and 1 white and have only 1 Gold: 1 short" in said


def test_tm_22_abilities_before_and_after_a_purchase(table):
    t = poor(table).market("corrupt-official").give(1, "alchemical-lab", "tailor")
    t.evening("RR*")
    assert "buy corrupt-official" not in t.texts
    t.play("turn red to white with alchemical-lab | buy corrupt-official | spend red with tailor")
    assert (t.has(1), t.pile(1)) == ((0, 1), "*")


def test_tm_22_a_card_bought_this_turn_may_be_used_at_once(table):
    t = poor(table).market("tailor").evening("RR*").play("buy tailor | spend red with tailor")
    assert t.has(1) == (0, 1)


def test_tm_22_once_a_round_for_each_card(table):
    t = table().give(1, "alchemical-lab", "bondsman").evening("RRR*")
    t.play("turn red to white with alchemical-lab")
    assert t.beginning("turn") == {"turn red to bag with bondsman"}
    said = t.why_not("turn red to white with alchemical-lab")
    assert said.startswith("TM-22: Alchemical Lab has been used this round")
    t.play("turn red to bag with bondsman").finish_round()
    t.split("", "RR*", "b", "b", "b").evening("RR*")
    assert t.beginning("turn red to bag") == {"turn red to bag with bondsman"}


def test_tm_22_only_ones_own_cards(table):
    t = table().give(2, "tailor").evening("RR*", "RR")
    assert t.texts == {"done"}
    assert t.why_not("spend red with tailor").startswith("TM-22: Tailor is not a card of this")
    assert "spend red with tailor" in t.play("done").texts


def test_tm_23_extra_purchases_are_made_in_the_same_turn(table):
    t = table().give(1, "disgruntled-minion").market("tailor", "corrupt-official", "fence")
    t.gold(0).evening("RWWW*").play("buy tailor")
    assert t.beginning("buy") == {"buy corrupt-official", "buy fence"}
    t.play("buy corrupt-official")
    assert t.actor == 1
    # with the white of its own pile, the official adds one more (TM-63)
    t.play("buy fence")
    assert t.cards(1) == {"disgruntled-minion", "tailor", "corrupt-official", "fence"}
    assert t.beginning("buy") == set()


def test_tm_24_a_stolen_pile_leaves_the_cards_where_they_are(table):
    t = table().give(1, "tailor", "fence").split("RW", "BB*", turn=2)
    t.play("steal 1 | return blue | done | roll red | take red | done | take red | done | take-all")
    t.finish_round()
    assert (t.cards(1), t.cards(2)) == ({"tailor", "fence"}, set())


# --- the end of the round


def test_tm_30_bags_are_gold_and_masks_infamy(table):
    t = table().gold(0, 1, 2, 3).infamy(5).evening("bb", "mm*", "RWBG", "bm").finish_round()
    assert [t.has(seat) for seat in (1, 2, 3, 4)] == [(2, 5), (1, 2), (2, 0), (4, 1)]


def test_tm_30_what_was_turned_or_spent_before_does_not_count(table):
    t = table().give(1, "gauntlet-of-evil-intent", "legitimate-jeweller").gold(0).evening("bbmm*")
    t.play("spend mask with gauntlet-of-evil-intent | turn bag to red with legitimate-jeweller")
    t.finish_round()
    assert t.has(1) == (2, 1)


def test_tm_30_all_dice_and_the_marker_are_in_the_centre_again(table):
    t = poor(table).market("tailor").evening("Rb", "WWm*", "BG", "b").finish_round()
    assert t.actor == "*"
    assert t.state.loose == t.state.dice == 8
    assert t.centre == "*"
    t.play(*["roll green"] * 8)
    assert (t.centre, t.actor) == ("G" * 8 + "*", 2)


def test_tm_30_gems_left_are_worth_nothing(table):
    t = table().gold(1).evening("RWBG*").finish_round()
    assert t.has(1) == (1, 0)


def refilled(t, *dealt):
    """The end of a round in which these cards are dealt, in this order."""
    t.finish_round()
    for letter in dealt:
        assert {text.split()[1] for text in t.beginning("deal")} == {letter}
        t.match.play(t.match.choices[0])
    assert t.beginning("deal") == set()
    return t


def test_tm_31_one_card_for_every_card_bought(table):
    t = poor(table).market("tailor", "fence", "necklace", "glamer", "corrupt-official")
    t.evening("R*", "WW", "b", "BB").play(
        "buy tailor | done | buy fence | done | done | buy glamer"
    )
    refilled(t, "A", "A", "A")
    assert len(t.for_sale()) == 5
    assert {"necklace", "corrupt-official"} < t.for_sale()
    assert not {"tailor", "fence", "glamer"} & t.for_sale()


def test_tm_31_nothing_bought_nothing_dealt(table):
    t = refilled(poor(table).market("tailor").evening("R*"))
    assert (t.phase, t.for_sale()) == (Phase.ROLL, {"tailor"})


def test_tm_31_cards_of_an_older_deck_are_not_replaced(table):
    t = poor(table).deck("B").market("tailor", "fence", "brooch").evening("R*", "RG")
    t.play("buy tailor | done | buy brooch")
    refilled(t, "B")
    assert "fence" in t.for_sale()
    assert len(t.for_sale()) == 2


def test_tm_32_the_deck_gives_exactly_what_is_due_and_nothing_more(table):
    t = poor(table).deck("A", left=2).market("tailor", "fence", "necklace").evening("R*", "WW")
    t.play("buy tailor | done | buy fence")
    refilled(t, "A", "A")
    assert (t.state.deck, t.state.left[0]) == (0, 0)
    # and in the next round the first card bought brings B
    t.split("", "b", "b", "b", "b").evening("WW*").play("buy necklace")
    refilled(t, *"BBBBB")


def test_tm_32_a_deck_that_cannot_give_all_gives_what_it_has_then_five_of_the_next(table):
    t = poor(table).deck("A", left=1).market("tailor", "fence", "necklace").evening("R*", "WW")
    t.play("buy tailor | done | buy fence")
    refilled(t, *"ABBBBB")
    assert len(t.for_sale()) == 7
    assert (t.state.deck, t.state.left.tolist()) == (1, [0, 7, 11])


def test_tm_32_an_empty_deck_gives_nothing_and_the_next_comes(table):
    t = poor(table).deck("B", left=0).market("brooch", "tailor").evening("RG*")
    t.play("buy brooch")
    refilled(t, *"CCCCC")
    assert t.state.left[2] == 6
    assert "tailor" in t.for_sale()


def test_tm_32_cards_still_owed_by_the_old_deck_are_not_owed_by_the_new(table):
    t = (
        poor(table)
        .deck("A", left=0)
        .market("tailor", "fence", "necklace")
        .evening("R*", "WW", "WW")
    )
    t.play("buy tailor | done | buy fence | done | buy necklace")
    refilled(t, *"BBBBB")
    assert len(t.for_sale()) == 5


def test_tm_33_the_game_ends_when_c_cannot_give_all(table):
    t = poor(table).deck("C", left=1).market("crown", "the-heist").gold(5, 5).evening("bb*", "mm")
    t.play("buy crown | done | buy the-heist").finish_round()
    assert t.match.over
    assert t.for_sale() == set()  # nothing more is dealt
    assert t.has(1) == (5 - 3 + 2, 0)  # TM-30 comes before
    assert t.has(2) == (5 - 2, 2 + 2)


def test_tm_33_it_goes_on_when_c_gives_exactly_what_is_due(table):
    t = poor(table).deck("C", left=2).market("crown", "the-heist").gold(5, 5).evening("bb*", "mm")
    t.play("buy crown | done | buy the-heist")
    refilled(t, "C", "C")
    assert not t.match.over
    assert t.state.left[2] == 0


def test_tm_33_an_empty_c_and_no_purchase_is_not_the_end(table):
    t = poor(table).deck("C", left=0).market("crown", "tailor").evening("R*").play("buy tailor")
    t.finish_round()
    assert t.phase == Phase.ROLL


def test_tm_33_then_nobody_acts(table):
    t = poor(table).deck("C", left=0).market("crown").gold(5).evening("bb*").play("buy crown")
    t.finish_round()
    assert t.match.over
    assert t.match.choices == []
    assert "the game is over" in t.why_not("done")


@pytest.mark.parametrize("letter", ["A", "B", "C"])
def test_tm_33_no_card_is_dealt_twice_or_lost(table, letter):
    t = table(promos="yes").deck(letter)
    there = t.state.left[t.state.deck]
    t.state.due = there
    t.edited()
    seen = set()
    for _ in range(there):
        slug = min(t.beginning("deal"))
        assert slug not in seen
        seen.add(slug)
        t.play(slug)
    assert len(t.for_sale()) == there
