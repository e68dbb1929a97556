"""TM-70 and TM-72: cards that come free, and copies."""

import pytest

from yegg.games.thiefs_market.table import Phase

# --- TM-70: Unlabeled Potion


def potion(shop, letter="B", left=5):
    return shop(letter, "unlabeled-potion", "tailor", left=left)


def test_tm_70_goes_out_and_the_next_card_is_gained_free(shop):
    t = potion(shop).evening("RB*").play("buy unlabeled-potion")
    assert t.actor == "*"
    assert {text.split()[1] for text in t.texts} == {"B"}
    assert "deal B unlabeled-potion" not in t.texts
    t.play("deal B brooch")
    assert t.actor == 1
    assert t.cards(1) == {"brooch"}
    assert t.state.left[1] == 4
    assert t.texts("buy") == set()  # it was the purchase of this turn


def test_tm_70_the_potion_counts_for_the_refill_and_the_card_gained_does_not(shop):
    t = potion(shop).evening("RB*").play("buy unlabeled-potion | deal B brooch").finish_round()
    assert t.state.due == 1
    t.play("deal B bookie")
    assert t.phase == Phase.ROLL
    assert t.state.left[1] == 3


def test_tm_70_from_the_deck_being_dealt_from(shop):
    t = potion(shop, "C").evening("RB*").play("buy unlabeled-potion")
    assert {text.split()[1] for text in t.texts} == {"C"}
    t.play("deal C crown").finish_round()
    assert t.phase == Phase.ROLL  # a card of an older deck is not replaced


def test_tm_70_an_empty_deck_gives_nothing(shop):
    t = potion(shop, left=0).evening("RB*").play("buy unlabeled-potion")
    assert t.phase == Phase.MARKET
    assert t.cards(1) == set()


def test_tm_70_the_last_card_of_c_may_be_gained_so(shop):
    t = potion(shop, "C", left=1).evening("RB*").play("buy unlabeled-potion | deal C crown")
    t.finish_round()
    assert t.phase == Phase.ROLL
    assert t.state.left[2] == 0


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
    assert t.texts("buy") == {"buy tailor"}  # the extra purchase, for a green in the pile
    t = potion(shop, "C").evening("RBG*").play("buy unlabeled-potion | deal C insurance-racket")
    assert t.texts("buy") == {"buy tailor"}  # with its discount


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
    assert t.card_points(1) == 6
    assert t.cards(1) == {"fence", "mimetic-stew"}
    assert t.cards(2) == {"crown"}


def test_tm_72_it_is_recorded_even_when_there_is_only_one(shop):
    t = stew(shop).give(3, "bookie").evening("BG*").play("buy mimetic-stew")
    assert t.texts == {"copy bookie of 3"}


def test_tm_72_no_card_elsewhere_it_does_nothing(shop):
    t = stew(shop).give(1, "glamer").evening("BG*").play("buy mimetic-stew")
    assert t.phase == Phase.MARKET
    assert t.card_points(1) == 0
    assert t.texts("turn") == set()


def test_tm_72_the_effect_is_copied(shop):
    t = stew(shop).give(2, "glamer").evening("BBG*").play("buy mimetic-stew | copy glamer of 2")
    assert t.texts("turn") == {
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
    assert t.texts("buy") == {"buy tailor", "buy fence"}
    t = stew(shop).give(2, "executive-assistant").evening("BGR*")
    t.play("buy mimetic-stew | copy executive-assistant of 2")
    assert t.texts("buy") == {"buy tailor"}


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
