"""TM-70 and TM-72: cards that come free, and copies."""

import pytest

from yegg.games.thiefs_market.cards import SLUGS
from yegg.games.thiefs_market.state import Phase, Place

# --- TM-70: Unlabeled Potion


def potion(shop, letter="B", left=5):
    return shop(letter, "unlabeled-potion", "tailor", left=left)


def test_tm_70_goes_out_and_the_next_card_is_gained_free(shop):
    t = potion(shop).evening("RB*").play("buy unlabeled-potion")
    assert t.actor == "*"
    assert {text.split()[1] for text in t.texts} == {"B"}
    assert "deal B unlabeled-potion" not in t.texts
    t.play("deal B brooch")
    assert (t.actor, t.cards(1), t.state.left[1]) == (1, {"brooch"}, 4)
    assert t.beginning("buy") == set()  # it was the purchase of this turn


def test_tm_70_the_potion_counts_for_the_refill_and_the_card_gained_does_not(shop):
    t = potion(shop).evening("RB*").play("buy unlabeled-potion | deal B brooch").finish_round()
    assert t.state.due == 1
    t.play("deal B bookie")
    assert (t.phase, t.state.left[1]) == (Phase.ROLL, 3)


def test_tm_70_from_the_deck_being_dealt_from(shop):
    t = potion(shop, "C").evening("RB*").play("buy unlabeled-potion")
    assert {text.split()[1] for text in t.texts} == {"C"}
    t.play("deal C crown").finish_round()
    assert t.phase == Phase.ROLL  # a card of an older deck is not replaced


def test_tm_70_of_the_next_deck_when_the_current_one_is_empty(shop):
    t = potion(shop, left=0).evening("RB*").play("buy unlabeled-potion")
    assert t.phase == Phase.FREE
    assert {text.split()[1] for text in t.texts} == {"C"}
    assert len(t.texts) == 15  # all of C, for nobody knows which were removed
    assert t.why_not("deal B brooch").startswith("TM-70: the free card comes from C now")
    t.play("deal C crown")
    assert (t.cards(1), t.state.left.tolist()) == ({"crown"}, [0, 0, 10])


def test_tm_70_a_card_of_the_next_deck_opens_no_row(shop):
    t = potion(shop, left=0).evening("RB*").play("buy unlabeled-potion | deal C crown")
    assert (t.state.deck, t.for_sale()) == (1, {"tailor"})
    # the potion itself was a card of B, and B cannot replace it: TM-32 opens the row
    t.finish_round()
    assert (t.phase, t.state.deck, t.state.due) == (Phase.DEAL, 2, 5)
    for _ in range(5):
        assert {text.split()[1] for text in t.texts} == {"C"}
        t.play(min(t.texts))
    assert (t.state.left.tolist(), t.phase) == ([0, 0, 11 - 1 - 5], Phase.ROLL)


def test_tm_70_from_b_while_a_is_empty_and_no_refill_is_due(shop):
    t = shop("A", "unlabeled-potion", "tailor", left=0).evening("RB*")
    t.play("buy unlabeled-potion")
    assert {text.split()[1] for text in t.texts} == {"B"}
    t.play("deal B brooch").finish_round()
    assert t.phase == Phase.ROLL  # nothing was bought of A, so nothing is due
    assert (t.state.deck, t.state.left.tolist()) == (0, [0, 11, 11])


def test_tm_70_the_five_of_tm_32_come_from_a_deck_one_card_smaller(shop):
    t = shop("A", "unlabeled-potion", "tailor", left=0).evening("RB*", "R")
    t.play("buy unlabeled-potion | deal B brooch | done | buy tailor").finish_round()
    dealt = 0
    while t.phase == Phase.DEAL:
        assert {text.split()[1] for text in t.texts} == {"B"}
        t.play(min(t.texts))
        dealt += 1
    assert dealt == 5
    assert t.state.left.tolist() == [0, 12 - 1 - 5, 11]


def test_tm_70_past_two_empty_decks(shop):
    """No deck of ours can come to that; one of few cards and several potions can."""
    t = shop("A", "unlabeled-potion", left=0)
    t.state.left[1] = 0
    t.evening("RB*").play("buy unlabeled-potion")
    assert {text.split()[1] for text in t.texts} == {"C"}


def test_tm_70_nothing_only_when_c_is_empty(shop):
    t = potion(shop, "C", left=0).evening("RB*").play("buy unlabeled-potion")
    assert (t.phase, t.cards(1)) == (Phase.MARKET, set())
    assert t.state.where[SLUGS.index("unlabeled-potion")] == Place.GONE


def test_tm_70_the_last_card_of_c_then_tm_33(shop):
    t = shop("C", "unlabeled-potion", "fur-coat", left=1).evening("RB*", "RB")
    t.play("buy unlabeled-potion | deal C crown | done | buy fur-coat").finish_round()
    assert t.match.over  # the coat cannot be replaced


def test_tm_70_a_potion_that_comes_free_is_no_bought_one(shop):
    """Only in decks with several: gained and not bought, it stays and draws nothing."""
    t = shop("B", "tailor", left=5).evening("RB*")
    s = t.state
    s.phase, s.turn = Phase.FREE, 0
    t.edited().play("deal B unlabeled-potion")
    assert (t.phase, t.cards(1), t.state.left[1]) == (Phase.MARKET, {"unlabeled-potion"}, 4)


def test_tm_70_a_bought_copy_of_it_goes_out_too(shop):
    t = stew(shop).give(2, "unlabeled-potion").evening("BG*")
    t.play("buy mimetic-stew | copy unlabeled-potion of 2 | deal C crown")
    assert t.cards(1) == {"crown"}


def test_tm_32_tm_33_the_game_ends_when_c_is_too_small_for_its_row(shop):
    """TM-70 may leave fewer than five in C, if a deck of its own has so few."""
    t = potion(shop, left=0)
    t.state.left[2] = 5
    t.evening("RB*").play("buy unlabeled-potion | deal C crown").finish_round()
    assert t.match.over
    assert t.for_sale() == {"tailor"}


def test_tm_70_the_last_card_of_c_may_be_gained_so(shop):
    t = potion(shop, "C", left=1).evening("RB*").play("buy unlabeled-potion | deal C crown")
    t.finish_round()
    assert (t.phase, t.state.left[2]) == (Phase.ROLL, 0)


def test_tm_70_the_potion_is_bought_and_the_card_gained_is_not(shop):
    t = potion(shop).give(1, "anthropomorphic-water-buffalo").evening("RB*")
    t.play("buy unlabeled-potion")
    assert t.has(1) == (0, 1)  # TM-64 for the potion's red
    t.play("deal B executive-assistant")  # red and green
    assert t.has(1) == (0, 1)


def test_tm_70_a_buyer_of_red_that_comes_free_does_not_count_itself(shop):
    t = potion(shop).evening("RB*").play("buy unlabeled-potion")
    assert t.play("deal B anthropomorphic-water-buffalo").has(1) == (0, 0)


def test_tm_70_tm_65_applies_to_the_card_gained(shop):
    t = potion(shop, "C").evening("RBmm*").play("buy unlabeled-potion | deal C the-heist")
    assert t.has(1) == (0, 5)


def test_tm_70_a_card_gained_works_at_once(shop):
    t = potion(shop).evening("RRBG*").play("buy unlabeled-potion | deal B executive-assistant")
    assert t.beginning("buy") == {"buy tailor"}  # the extra purchase, for a green in the pile
    t = potion(shop, "C").evening("RBG*").play("buy unlabeled-potion | deal C insurance-racket")
    assert t.beginning("buy") == {"buy tailor"}  # with its discount


def test_tm_70_it_is_gone_for_good(shop):
    t = potion(shop).evening("RB*").play("buy unlabeled-potion | deal B brooch").finish_round()
    assert "deal B unlabeled-potion" not in t.texts
    assert t.card_points(1) == 3


# --- TM-72: promos


def stew(shop):
    return shop("C", "mimetic-stew", "tailor", "fence")


def test_tm_72_copy_every_card_of_every_other_player(shop):
    t = stew(shop).give(1, "fence").give(2, "crown").give(4, "bookie", "glamer").evening("BG*")
    t.play("buy mimetic-stew")
    assert t.texts == {
        "copy crown of 2",
        "copy bookie of 4",
        "copy glamer of 4",
    }
    assert t.why_not("copy fence of 1").startswith("TM-72")
    t.play("copy crown of 2")
    assert (t.card_points(1), t.cards(1)) == (6, {"fence", "mimetic-stew"})
    assert t.cards(2) == {"crown"}


def test_tm_72_it_is_recorded_even_when_there_is_only_one(shop):
    t = stew(shop).give(3, "bookie").evening("BG*").play("buy mimetic-stew")
    assert t.texts == {"copy bookie of 3"}


def test_tm_72_no_card_elsewhere_it_does_nothing(shop):
    t = stew(shop).give(1, "glamer").evening("BG*").play("buy mimetic-stew")
    assert (t.phase, t.card_points(1), t.beginning("turn")) == (Phase.MARKET, 0, set())


def test_tm_72_the_effect_is_copied(shop):
    t = stew(shop).give(2, "glamer").evening("BBG*").play("buy mimetic-stew | copy glamer of 2")
    assert t.beginning("turn") == {
        f"turn blue to {gem} with mimetic-stew" for gem in ("red", "white", "green")
    }
    t.play("turn blue to white with mimetic-stew")
    assert t.pile(1) == "W*"


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("bookie", "turn blue to bag with mimetic-stew"),
        ("coercion-coordinator", "spend blue with mimetic-stew"),
        ("legitimate-jeweller", "turn bag to green with mimetic-stew"),
        ("gauntlet-of-evil-intent", "spend mask with mimetic-stew"),
        ("exit-strategy", "exchange with mimetic-stew"),
    ],
)
def test_tm_72_every_kind_of_use_is_copied(shop, slug, text):
    t = stew(shop).give(2, slug).evening("BBGbm*").gold(1).play("buy mimetic-stew")
    while t.phase == Phase.GOLD:
        t.match.play(t.match.choices[0])
    t.play(f"copy {slug} of 2")
    assert text in t.texts


def test_tm_72_icons_and_cost_stay_its_own(owner, shop):
    t = stew(shop).give(2, "tailor", "sticky-fingered-dockhand").evening("BG*")
    t.play("buy mimetic-stew | copy tailor of 2")
    assert t.awards()[0] == [0, 3, 0, 0]
    t = owner("collecting-golem", "mimetic-stew")
    assert t.card_points(1) == 3  # the stew's wand


def test_tm_72_tm_64_applies_to_its_own_gaining_when_bought(shop):
    for slug, infamy in (
        ("sticky-fingered-dockhand", 1),
        ("rumor-monger", 1),
        ("easily-impressed-noble", 0),
    ):
        t = stew(shop).give(2, slug).evening("BG*").play("buy mimetic-stew", f"copy {slug} of 2")
        assert t.has(1) == (0, infamy), slug  # its cost has blue and green


def test_tm_72_tm_65_applies_to_its_own_gaining(shop):
    t = (
        stew(shop)
        .give(2, "the-heist")
        .evening("BGmm*")
        .play("buy mimetic-stew | copy the-heist of 2")
    )
    assert t.has(1) == (0, 5)


def test_tm_72_extra_purchases_and_discount_are_copied_at_once(shop):
    t = stew(shop).give(2, "insurance-racket").evening("BGW*")
    t.play("buy mimetic-stew | copy insurance-racket of 2")
    assert t.beginning("buy") == {"buy tailor", "buy fence"}
    t = stew(shop).give(2, "executive-assistant").evening("BGR*")
    t.play("buy mimetic-stew | copy executive-assistant of 2")
    assert t.beginning("buy") == {"buy tailor"}


def test_tm_72_gained_free_it_copies_and_tm_64_does_not_apply(shop):
    t = potion(shop).give(2, "sticky-fingered-dockhand").evening("RB*")
    t.play("buy unlabeled-potion | deal B mimetic-stew")
    assert t.texts == {"copy sticky-fingered-dockhand of 2"}
    t.play("copy sticky-fingered-dockhand of 2")
    assert t.has(1) == (0, 0)
    t.finish_round().market("coercion-coordinator").evening("B*")
    t.gold(0).play("buy coercion-coordinator")
    assert t.has(1) == (0, 1)  # but to what is bought later


def test_tm_72_a_copy_of_the_treasure_keeps_its_wand_and_loses_two(shop):
    t = stew(shop).give(2, "treasure-map-red").evening("BG*")
    t.play("buy mimetic-stew | copy treasure-map-red of 2")
    assert t.card_points(1) == 5  # seat 2 has a compass
    assert t.card_points(2) == 7  # the stew has none


def test_tm_72_big_piles(owner):
    assert owner("narrow-alleyway").evening("R", "WWWW*").has(1) == (0, 2)
    assert owner("narrow-alleyway").evening("R*", "WWWWW", "bbbbb").has(1) == (0, 2)
    assert owner("narrow-alleyway").evening("R*", "WWWW").has(1) == (0, 0)
    assert owner("narrow-alleyway").evening("RRRRRR*", "WWWW").has(1) == (0, 0)
