"""TM-60 … TM-73: what the cards do."""

import pytest

from yegg.games.thiefs_market.table import Phase

GEMS = {"R": "red", "W": "white", "B": "blue", "G": "green"}


def owner(table, *slugs, players=4):
    """Seat 1 has these cards and nobody has Gold."""
    return table(players, promos="yes").market().gold(0, 0, 0, 0, 0).give(1, *slugs)


# --- TM-60, TM-61, TM-62: abilities


@pytest.mark.parametrize(
    ("slug", "die"),
    [
        ("alchemical-lab", "R"),
        ("deceptive-bits-of-colored-glass", "W"),
        ("glamer", "B"),
        ("philosophers-stone", "G"),
    ],
)
def test_tm_60_a_gem_to_one_of_the_other_three(table, slug, die):
    t = owner(table, slug).evening("RWBGbm*")
    others = [gem for letter, gem in GEMS.items() if letter != die]
    assert t.texts("turn") == {f"turn {GEMS[die]} to {gem} with {slug}" for gem in others}
    t.play(f"turn {GEMS[die]} to {others[-1]} with {slug}")
    assert t.pile(1).count(die) == 0
    assert t.state.pile[0].tolist()["RWBG".index(others[-1][0].upper())] == 2
    assert t.texts("turn") == set()
    assert owner(table, slug).evening("RWBGbm*".replace(die, "")).texts("turn") == set()


@pytest.mark.parametrize(
    ("slug", "die"),
    [("bondsman", "R"), ("fence", "W"), ("bookie", "B"), ("pawnbroker", "G")],
)
def test_tm_60_a_gem_to_its_bag(table, slug, die):
    t = owner(table, slug).evening(die * 2 + "*")
    assert t.texts("turn") == {f"turn {GEMS[die]} to bag with {slug}"}
    t.play(f"turn {GEMS[die]} to bag with {slug}")
    assert t.pile(1) == die + "b*"
    t.finish_round()
    assert t.has(1) == (1, 0)
    assert owner(table, slug).evening("RWBG*".replace(die, "")).texts("turn") == set()


def test_tm_60_a_bag_to_any_of_the_four_gems(table):
    t = owner(table, "legitimate-jeweller").evening("bb*")
    jeweller = "with legitimate-jeweller"
    assert t.texts("turn") == {f"turn bag to {gem} {jeweller}" for gem in GEMS.values()}
    t.play(f"turn bag to green {jeweller}").finish_round()
    assert t.has(1) == (1, 0)


def test_tm_60_what_cannot_be_turned_says_why(table):
    t = owner(table, "alchemical-lab", "bookie").evening("RW*")
    assert "TM-60" in t.why_not("turn red to bag with alchemical-lab")
    assert "TM-60" in t.why_not("turn white to red with alchemical-lab")
    assert t.why_not("turn blue to bag with bookie").startswith("TM-60: no blue is in the pile")
    assert "TM-60" in t.why_not("exchange with bookie")


@pytest.mark.parametrize(
    ("slug", "die", "name"),
    [
        ("tailor", "R", "red"),
        ("local-celebrity", "W", "white"),
        ("coercion-coordinator", "B", "blue"),
        ("public-relations-expert", "G", "green"),
    ],
)
def test_tm_61_a_gem_for_an_infamy(table, slug, die, name):
    t = owner(table, slug).evening(die * 2 + "b*").play(f"spend {name} with {slug}")
    assert t.pile(1) == die + "b*"
    assert t.has(1) == (0, 1)
    assert t.state.loose == 1
    assert t.texts("spend") == set()
    assert t.why_not(f"spend {name} with {slug}").startswith("TM-22")
    assert owner(table, slug).evening("bm*").texts("spend") == set()


def test_tm_61_a_mask_for_a_gold(table):
    t = owner(table, "gauntlet-of-evil-intent").market("tailor").evening("mm*")
    t.play("spend mask with gauntlet-of-evil-intent | buy tailor")  # at once, with that Gold
    assert t.cards(1) == {"gauntlet-of-evil-intent", "tailor"}
    assert t.has(1) == (0, 0)
    t.finish_round()
    assert t.has(1) == (0, 1)


def test_tm_62_any_number_of_gold_for_two_infamy_each(table):
    t = owner(table, "exit-strategy").gold(3).evening("b*")
    for left in (2, 1, 0):
        t.play("exchange with exit-strategy")
        assert t.has(1) == (left, 2 * (3 - left))
    assert t.texts() == {"done"}
    assert t.why_not("exchange with exit-strategy").startswith("TM-62: no Gold")


def test_tm_62_bought_and_used_in_one_turn(table):
    t = owner(table).market("exit-strategy").gold(1).evening("RWG*").play("buy exit-strategy")
    t.play("gold 0 for red | gold 0 for white | gold 0 for green | exchange with exit-strategy")
    assert t.has(1) == (0, 2)


def test_tm_62_only_in_ones_own_turn(table):
    t = owner(table, "exit-strategy").gold(1, 3).evening("b", "b*")
    assert t.actor == 2
    assert t.texts() == {"done"}


# --- TM-63: extra purchases


@pytest.mark.parametrize(
    ("slug", "die"),
    [
        ("disgruntled-minion", "R"),
        ("corrupt-official", "W"),
        ("guy-in-a-trenchcoat", "B"),
        ("executive-assistant", "G"),
    ],
)
def test_tm_63_one_more_in_a_round_with_such_a_die(table, slug, die):
    assert owner(table, slug).evening(die * 3 + "*").state.buys == 2
    assert owner(table, slug).evening("RWBGbm*".replace(die, "")).state.buys == 1


def test_tm_63_as_the_pile_was_at_the_end_of_phase_1(table):
    t = owner(table, "disgruntled-minion", "tailor", "alchemical-lab").market(
        "fence", "corrupt-official"
    )
    t.evening("RWWW*").play("spend red with tailor | buy fence | buy corrupt-official")
    t = owner(table, "corrupt-official", "alchemical-lab").evening("RR*")
    assert t.play("turn red to white with alchemical-lab").state.buys == 1


def test_tm_63_before_the_new_roll_of_tm_66(table):
    t = owner(table, "lucky-animal-appendage", "disgruntled-minion", "corrupt-official")
    t.evening("R*").play("reroll red | roll white")
    assert t.pile(1) == "W*"
    assert t.state.buys == 2  # for the red that was there, not for the white


def test_tm_63_also_in_the_turn_in_which_it_is_gained(table):
    t = owner(table).market("disgruntled-minion", "tailor", "fence").evening("RRWW*")
    t.play("buy disgruntled-minion | buy tailor")
    assert t.texts("buy") == set()
    t = owner(table).market("corrupt-official", "tailor").gold(1).evening("RR*")
    t.play("buy corrupt-official")  # no white at the end of phase 1
    assert t.texts("buy") == set()


def test_tm_63_several_add_up(table):
    t = owner(table, "disgruntled-minion", "corrupt-official", "insurance-racket")
    assert t.evening("RW*").state.buys == 4


# --- TM-64, TM-65


@pytest.mark.parametrize(
    ("slug", "die", "cheap"),
    [
        ("anthropomorphic-water-buffalo", "R", "tailor"),
        ("easily-impressed-noble", "W", "corrupt-official"),
        ("rumor-monger", "G", "public-relations-expert"),
        ("sticky-fingered-dockhand", "B", "coercion-coordinator"),
    ],
)
def test_tm_64_an_infamy_for_each_card_with_the_colour(table, slug, die, cheap):
    t = owner(table, slug).market(cheap, "necklace", "glamer").evening(die * 2 + "*")
    t.play(f"buy {cheap}")
    assert t.has(1) == (0, 1)
    other = "necklace" if die != "W" else "glamer"  # two of another colour
    t = owner(table, slug).market("necklace", "glamer").gold(2).evening("b*").play(f"buy {other}")
    assert t.has(1) == (0, 0)


@pytest.mark.parametrize(
    ("slug", "cost"),
    [
        ("anthropomorphic-water-buffalo", "RRW"),
        ("easily-impressed-noble", "WWG"),
        ("rumor-monger", "WGG"),
        ("sticky-fingered-dockhand", "BBG"),
    ],
)
def test_tm_64_itself_included_and_once_however_many(table, slug, cost):
    t = owner(table).market(slug).evening(cost + "*").play(f"buy {slug}")
    assert t.has(1) == (0, 1)


def test_tm_64_the_printed_cost_counts_however_it_is_paid(table):
    t = owner(table, "anthropomorphic-water-buffalo", "insurance-racket").market("tailor")
    t.evening("b*").play("buy tailor")  # its only gem is waived
    assert t.has(1) == (0, 1)
    t = owner(table, "anthropomorphic-water-buffalo").market("tailor").gold(1).evening("b*")
    assert t.play("buy tailor").has(1) == (0, 1)


def test_tm_64_two_such_cards_both_count(table):
    t = owner(table, "anthropomorphic-water-buffalo", "rumor-monger").market("brooch")
    assert t.evening("RG*").play("buy brooch").has(1) == (0, 2)


@pytest.mark.parametrize(("slug", "cost"), [("big-haul", "BG"), ("the-heist", "WG")])
def test_tm_65_infamy_for_every_object_the_marker_too(table, slug, cost):
    t = owner(table).market(slug).evening(cost + "bbm*").play(f"buy {slug}")
    assert t.has(1) == (0, 6)
    t = owner(table).market(slug).evening("*", cost + "bm").play(f"done | buy {slug}")
    assert t.has(2) == (0, 4)


def test_tm_65_dice_spent_before_it_count(table):
    t = owner(table, "tailor").market("big-haul").evening("RBG*")
    t.play("spend red with tailor | buy big-haul")
    assert t.has(1) == (0, 1 + 4)


def test_tm_65_only_on_gaining(table):
    t = owner(table, "big-haul").evening("RRR*").finish_round()
    assert t.has(1) == (0, 0)


# --- TM-66: Lucky Animal Appendage


def test_tm_66_dice_of_a_stolen_pile_are_not_rolled_again(table):
    t = owner(table, "lucky-animal-appendage").split("RW", "BBm*", turn=2)
    t.play("steal 1 | return blue | return mask | return marker | done")
    assert t.centre == "RWBm*"
    assert t.actor == 3


def test_tm_66_only_when_the_owners_pile_is_stolen(table):
    t = owner(table, "lucky-animal-appendage").split("RW", "", "BB*", turn=1)
    t.play("steal 2 | return blue | done")
    assert t.state.loose == 1
    t.play("roll green")
    assert t.actor == 2


def test_tm_66_the_same_dice_in_the_thiefs_pile_have_no_such_luck(table):
    t = owner(table, "lucky-animal-appendage").split("RW", "BBB*", turn=2)
    t.play("steal 1 | return blue | done")
    assert (t.state.loose, t.actor) == (0, 3)
    t.play("steal 2 | return blue | done")
    assert t.state.loose == 1


def test_tm_66_just_before_phase_2_the_owner_keeps_or_rolls_one_die_again(table):
    t = owner(table, "lucky-animal-appendage").evening("RRm", "W*")
    assert t.actor == 1
    assert t.texts() == {"keep", "reroll red", "reroll mask"}
    assert t.why_not("reroll blue").startswith("TM-66: no blue")
    t.play("reroll red")
    assert t.actor == "*"
    assert t.pile(1) == "Rm"
    assert len(t.texts()) == 6
    t.play("roll green")
    assert t.pile(1) == "RGm"
    assert (t.phase, t.actor) == (Phase.MARKET, 2)


def test_tm_66_keep(table):
    t = owner(table, "lucky-animal-appendage").evening("RRm", "W*").play("keep")
    assert t.pile(1) == "RRm"
    assert (t.phase, t.actor) == (Phase.MARKET, 2)


def test_tm_66_a_pile_without_a_die_is_not_asked(table):
    t = owner(table, "lucky-animal-appendage").evening("*", "RR")
    assert t.phase == Phase.MARKET


def test_tm_66_every_round(table):
    t = owner(table, "lucky-animal-appendage").evening("R*").play("keep").finish_round()
    t.evening("RW*")
    assert t.texts() == {"keep", "reroll red", "reroll white"}


def test_tm_66_owners_clockwise_from_the_marker(table):
    t = owner(table, "lucky-animal-appendage", "mimetic-stew")
    t.give(3, "mimetic-stew")
    t.state.acts_as[t.state.where.tolist().index(4 + 2)] = t.state.where.tolist().index(4)
    t.evening("R", "W", "B", "G*")
    assert t.actor == 1
    t.play("keep")
    assert t.actor == 3
    t.play("reroll blue | roll mask")
    assert t.pile(3) == "m"
    assert t.actor == 4
    t.finish_round().evening("R", "W*", "B")
    assert t.actor == 3


# --- TM-67, TM-68, TM-69


def test_tm_67_an_infamy_whenever_the_pile_is_stolen_at_once(table):
    t = owner(table, "wicked-clutches").split("RW", "BBB*", turn=2).play("steal 1")
    assert t.has(1) == (0, 1)
    t.play("return blue | done | roll red")
    assert t.actor == 3
    t.play("steal 2")  # no longer the owner's pile
    assert t.has(1) == (0, 1)
    t.play("return blue | done | roll red | take red | done | take red | done")
    assert t.actor == 2
    t.play("take-all").finish_round()
    assert t.has(1) == (0, 1)


def test_tm_67_every_time(table):
    t = owner(table, "wicked-clutches", players=3).split("WWW*", "BB", turn=2)
    t.play("steal 1 | return blue | done | roll red")
    t.play("take red | take white | take white | done")
    t.play("steal 3 | return red | done | roll bag")
    assert t.has(1) == (0, 1)
    t.play("steal 1")
    assert t.has(1) == (0, 2)


@pytest.mark.parametrize(("pile", "infamy"), [("b*", 1), ("*", 1), ("bbb", 0)])
def test_tm_67_an_infamy_for_the_marker_at_the_end_of_phase_1(table, pile, infamy):
    t = owner(table, "eyepatch-of-command").evening(pile, "R" + "*" * ("*" not in pile))
    assert t.has(1) == (0, infamy)
    assert t.phase == Phase.MARKET


def test_tm_67_not_for_a_marker_that_was_stolen_before(table):
    t = owner(table, "eyepatch-of-command").split("RW", "B*", "b", "b", "", turn=4)
    t.play("steal 1 | return blue | done | roll green | take-all")
    assert t.has(1) == (0, 0)


def test_tm_68_one_more_purchase_each_turn(table):
    t = owner(table, "insurance-racket").market("tailor", "fence", "glamer").evening("WB*")
    t.play("buy tailor | buy fence")
    assert t.cards(1) == {"insurance-racket", "tailor", "fence"}
    assert t.texts("buy") == set()


def test_tm_68_the_turn_of_gaining_included_but_not_its_own_purchase(table):
    t = owner(table).market("insurance-racket", "glamer", "tailor")
    assert t.evening("RWB*").texts("buy") == {"buy tailor"}  # RWG cannot be paid
    t = owner(table).market("insurance-racket", "glamer", "necklace").evening("RWGB*")
    t.play("buy insurance-racket")
    assert t.pile(1) == "B*"
    assert t.texts("buy") == {"buy glamer"}
    t.play("buy glamer")
    assert t.pile(1) == "*"
    assert t.texts("buy") == set()


def test_tm_68_the_buyer_chooses_the_gem(table):
    t = owner(table, "insurance-racket").market("political-campaign").evening("RWBG*")
    t.play("buy political-campaign")
    assert t.texts() == {f"waive {gem}" for gem in GEMS.values()}
    t.play("waive blue")
    assert t.pile(1) == "B*"


def test_tm_68_only_colours_after_which_the_rest_can_be_paid(table):
    t = owner(table, "insurance-racket").market("political-campaign").evening("RWG*")
    t.play("buy political-campaign")  # blue is missing: no question
    assert t.phase == Phase.MARKET
    assert t.pile(1) == "*"
    t = owner(table, "insurance-racket").gold(1).market("political-campaign").evening("RW*")
    t.play("buy political-campaign")
    assert t.texts() == {"waive blue", "waive green"}
    assert t.why_not("waive red").startswith("TM-68: without")
    assert t.why_not("gold 1 for red").startswith("TM-68: a card is being paid")
    t.play("waive green")  # the Gold is for blue then
    assert t.has(1) == (0, 0)
    assert t.pile(1) == "*"


def test_tm_68_first_waive_then_gold(table):
    t = owner(table, "insurance-racket").gold(1).market("fur-coat").evening("RB*")
    t.play("buy fur-coat | waive red")
    assert t.texts() == {"gold 0 for blue", "gold 1 for blue"}
    t.play("gold 1 for blue")
    assert t.pile(1) == "RB*"


def test_tm_68_one_colour_only_is_no_question(table):
    t = owner(table, "insurance-racket").market("fence").evening("WW*").play("buy fence")
    assert t.phase == Phase.MARKET
    assert t.pile(1) == "W*"


def test_tm_68_two_discounts_are_two_gems_less(table):
    t = owner(table, "mimetic-stew").give(2, "insurance-racket")
    stew = t.state.where.tolist().index(4)
    t.state.acts_as[stew] = t.state.where.tolist().index(5)
    t.give(1, "insurance-racket").market("fur-coat", "tailor", "crown").evening("b*")
    assert t.state.buys == 3
    assert t.texts("buy") == {"buy fur-coat", "buy tailor"}
    t.play("buy fur-coat | waive red | buy tailor")  # the second waiver is blue, no question
    assert t.cards(1) == {"mimetic-stew", "insurance-racket", "fur-coat", "tailor"}


@pytest.mark.parametrize(
    ("slug", "pile", "has"),
    [
        ("imbalanced-scales", "bbb*", (4, 0)),
        ("imbalanced-scales", "b*", (2, 0)),
        ("imbalanced-scales", "m*", (0, 1)),
        ("island-estate", "mmm*", (0, 4)),
        ("island-estate", "m*", (0, 2)),
        ("island-estate", "b*", (1, 0)),
    ],
)
def test_tm_69_one_more_in_all_if_any_is_turned_in(table, slug, pile, has):
    assert owner(table, slug).evening(pile).finish_round().has(1) == has


# --- TM-70: Unlabeled Potion


def potion(table, letter="B", left=5):
    t = table(promos="yes").deck(letter, left=left).market("unlabeled-potion", "tailor")
    return t.gold(0, 0, 0, 0)


def test_tm_70_goes_out_and_the_next_card_is_gained_free(table):
    t = potion(table).evening("RB*").play("buy unlabeled-potion")
    assert t.actor == "*"
    assert {text.split()[1] for text in t.texts()} == {"B"}
    assert "deal B unlabeled-potion" not in t.texts()
    t.play("deal B brooch")
    assert t.actor == 1
    assert t.cards(1) == {"brooch"}
    assert t.state.left[1] == 4
    assert t.texts("buy") == set()  # it was the purchase of this turn


def test_tm_70_the_potion_counts_for_the_refill_and_the_card_gained_does_not(table):
    t = potion(table).evening("RB*").play("buy unlabeled-potion | deal B brooch").finish_round()
    assert t.state.due == 1
    t.play("deal B bookie")
    assert t.phase == Phase.ROLL
    assert t.state.left[1] == 3


def test_tm_70_from_the_deck_being_dealt_from(table):
    t = potion(table, "C").evening("RB*").play("buy unlabeled-potion")
    assert {text.split()[1] for text in t.texts()} == {"C"}
    t.play("deal C crown").finish_round()
    assert t.phase == Phase.ROLL  # a card of an older deck is not replaced


def test_tm_70_an_empty_deck_gives_nothing(table):
    t = potion(table, left=0).evening("RB*").play("buy unlabeled-potion")
    assert t.phase == Phase.MARKET
    assert t.cards(1) == set()


def test_tm_70_the_last_card_of_c_may_be_gained_so(table):
    t = potion(table, "C", left=1).evening("RB*").play("buy unlabeled-potion | deal C crown")
    t.finish_round()
    assert t.phase == Phase.ROLL
    assert t.state.left[2] == 0


def test_tm_70_the_potion_is_bought_and_the_card_gained_is_not(table):
    t = potion(table).give(1, "anthropomorphic-water-buffalo").evening("RB*")
    t.play("buy unlabeled-potion")
    assert t.has(1) == (0, 1)  # TM-64 for the potion's red
    t.play("deal B executive-assistant")  # red and green
    assert t.has(1) == (0, 1)


def test_tm_70_a_buyer_of_red_that_comes_free_does_not_count_itself(table):
    t = potion(table).evening("RB*").play("buy unlabeled-potion")
    assert t.play("deal B anthropomorphic-water-buffalo").has(1) == (0, 0)


def test_tm_70_tm_65_applies_to_the_card_gained(table):
    t = potion(table, "C").evening("RBmm*").play("buy unlabeled-potion | deal C the-heist")
    assert t.has(1) == (0, 5)


def test_tm_70_a_card_gained_works_at_once(table):
    t = potion(table).evening("RRBG*").play("buy unlabeled-potion | deal B executive-assistant")
    assert t.texts("buy") == {"buy tailor"}  # the extra purchase, for a green in the pile
    t = potion(table, "C").evening("RBG*").play("buy unlabeled-potion | deal C insurance-racket")
    assert t.texts("buy") == {"buy tailor"}  # with its discount


def test_tm_70_it_is_gone_for_good(table):
    t = potion(table).evening("RB*").play("buy unlabeled-potion | deal B brooch").finish_round()
    assert "deal B unlabeled-potion" not in t.texts()
    assert t.card_points(1) == 3


# --- TM-71: points at the end


@pytest.mark.parametrize(
    ("slugs", "points"),
    [
        (["nearby-safehouse"], 1),
        (["concealed-safehouse"], 2),
        (["fortified-safehouse"], 2),
        (["provisioned-safehouse"], 2),
        (["nearby-safehouse", "fortified-safehouse"], 2 + 4),
        (["concealed-safehouse", "fortified-safehouse", "provisioned-safehouse"], 12),
        (["nearby-safehouse", "wut"], 2),  # an icon is enough
        (["wut"], 0),
    ],
)
def test_tm_71_buildings(table, slugs, points):
    assert owner(table, *slugs).card_points(1) == points


def test_tm_71_buildings_of_others_do_not_count(table):
    assert owner(table, "nearby-safehouse").give(2, "fortified-safehouse").card_points(1) == 1


@pytest.mark.parametrize(
    ("slugs", "points"),
    [
        ([], 0),
        (["glamer"], 3),
        (["glamer", "alchemical-lab"], 3),
        (["glamer", "alchemical-lab", "wicked-clutches"], 6),
    ],
)
def test_tm_71_wands_for_every_full_two_its_own_included(table, slugs, points):
    assert owner(table, "collecting-golem", *slugs).card_points(1) == points


def test_tm_71_per_card_for_every_other(table):
    assert owner(table, "loyalty-program").card_points(1) == 0
    assert owner(table, "loyalty-program", "tailor", "fence", "glamer").card_points(1) == 3


@pytest.mark.parametrize(("infamy", "points"), [(0, 0), (1, 0), (2, 1), (7, 3)])
def test_tm_71_per_infamy_for_every_full_two(table, infamy, points):
    t = owner(table, "political-campaign").infamy(infamy)
    assert t.card_points(1) == points


@pytest.mark.parametrize("slug", ["treasure-map-blue", "treasure-map-red"])
def test_tm_71_treasure_is_less_if_another_has_a_compass(table, slug):
    assert owner(table, slug).card_points(1) == 7
    assert owner(table, slug, "island-estate").card_points(1) == 7
    assert owner(table, slug).give(2, "island-estate").card_points(1) == 5
    assert owner(table, slug).give(2, "wut").card_points(1) == 5


def test_tm_71_two_treasure_maps(table):
    t = owner(table, "treasure-map-blue", "treasure-map-red")
    assert t.card_points(1) == 14
    t = owner(table, "treasure-map-blue").give(2, "treasure-map-red")
    assert (t.card_points(1), t.card_points(2)) == (5, 5)


# --- TM-72: promos


def stew(table):
    t = table(promos="yes").deck("C").market("mimetic-stew", "tailor", "fence")
    return t.gold(0, 0, 0, 0)


def test_tm_72_copy_every_card_of_every_other_player(table):
    t = stew(table).give(1, "fence").give(2, "crown").give(4, "bookie", "glamer").evening("BG*")
    t.play("buy mimetic-stew")
    assert t.texts() == {
        "copy crown of 2",
        "copy bookie of 4",
        "copy glamer of 4",
    }
    assert t.why_not("copy fence of 1").startswith("TM-72")
    t.play("copy crown of 2")
    assert t.card_points(1) == 6
    assert t.cards(1) == {"fence", "mimetic-stew"}
    assert t.cards(2) == {"crown"}


def test_tm_72_it_is_recorded_even_when_there_is_only_one(table):
    t = stew(table).give(3, "bookie").evening("BG*").play("buy mimetic-stew")
    assert t.texts() == {"copy bookie of 3"}


def test_tm_72_no_card_elsewhere_it_does_nothing(table):
    t = stew(table).give(1, "glamer").evening("BG*").play("buy mimetic-stew")
    assert t.phase == Phase.MARKET
    assert t.card_points(1) == 0
    assert t.texts("turn") == set()


def test_tm_72_the_effect_is_copied(table):
    t = stew(table).give(2, "glamer").evening("BBG*").play("buy mimetic-stew | copy glamer of 2")
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
def test_tm_72_every_kind_of_use_is_copied(table, slug, text):
    t = stew(table).give(2, slug).evening("BBGbm*").gold(1).play("buy mimetic-stew")
    while t.phase == Phase.GOLD:
        t.match.play(t.match.choices[0])
    t.play(f"copy {slug} of 2")
    assert text in t.texts()


def test_tm_72_icons_and_cost_stay_its_own(table):
    t = stew(table).give(2, "tailor", "sticky-fingered-dockhand").evening("BG*")
    t.play("buy mimetic-stew | copy tailor of 2")
    assert t.awards()[0] == [0, 3, 0, 0]
    t = owner(table, "collecting-golem", "mimetic-stew")
    assert t.card_points(1) == 3  # the stew's wand


def test_tm_72_tm_64_applies_to_its_own_gaining_when_bought(table):
    for slug, infamy in (
        ("sticky-fingered-dockhand", 1),
        ("rumor-monger", 1),
        ("easily-impressed-noble", 0),
    ):
        t = stew(table).give(2, slug).evening("BG*").play("buy mimetic-stew", f"copy {slug} of 2")
        assert t.has(1) == (0, infamy), slug  # its cost has blue and green


def test_tm_72_tm_65_applies_to_its_own_gaining(table):
    t = (
        stew(table)
        .give(2, "the-heist")
        .evening("BGmm*")
        .play("buy mimetic-stew | copy the-heist of 2")
    )
    assert t.has(1) == (0, 5)


def test_tm_72_extra_purchases_and_discount_are_copied_at_once(table):
    t = stew(table).give(2, "insurance-racket").evening("BGW*")
    t.play("buy mimetic-stew | copy insurance-racket of 2")
    assert t.texts("buy") == {"buy tailor", "buy fence"}
    t = stew(table).give(2, "executive-assistant").evening("BGR*")
    t.play("buy mimetic-stew | copy executive-assistant of 2")
    assert t.texts("buy") == {"buy tailor"}


def test_tm_72_gained_free_it_copies_and_tm_64_does_not_apply(table):
    t = potion(table).give(2, "sticky-fingered-dockhand").evening("RB*")
    t.play("buy unlabeled-potion | deal B mimetic-stew")
    assert t.texts() == {"copy sticky-fingered-dockhand of 2"}
    t.play("copy sticky-fingered-dockhand of 2")
    assert t.has(1) == (0, 0)
    t.finish_round().market("coercion-coordinator").evening("B*")
    t.gold(0).play("buy coercion-coordinator")
    assert t.has(1) == (0, 1)  # but to what is bought later


def test_tm_72_a_copy_of_the_treasure_keeps_its_wand_and_loses_two(table):
    t = stew(table).give(2, "treasure-map-red").evening("BG*")
    t.play("buy mimetic-stew | copy treasure-map-red of 2")
    assert t.card_points(1) == 5  # seat 2 has a compass
    assert t.card_points(2) == 7  # the stew has none


def test_tm_72_big_piles(table):
    assert owner(table, "narrow-alleyway").evening("R", "WWWW*").has(1) == (0, 2)
    assert owner(table, "narrow-alleyway").evening("R*", "WWWWW", "bbbbb").has(1) == (0, 2)
    assert owner(table, "narrow-alleyway").evening("R*", "WWWW").has(1) == (0, 0)
    assert owner(table, "narrow-alleyway").evening("RRRRRR*", "WWWW").has(1) == (0, 0)


def test_tm_72_rival_wands(table):
    t = owner(table, "purported-curse", "glamer")
    assert t.card_points(1) == 0
    t.give(2, "alchemical-lab", "wut").give(3, "collecting-golem")
    assert t.card_points(1) == 3


def test_tm_72_wut_has_one_of_every_icon_and_no_effect(table):
    t = owner(table, "wut")
    assert t.awards()[0][0] == 3
    assert t.card_points(1) == 0
    assert t.evening("RWBGbm*").texts() == {"done"}


# --- TM-73


def test_tm_73_infamy_of_cards_is_tokens_and_printed_points_are_not(table):
    t = owner(table, "political-campaign", "crown", "tailor").evening("R*")
    t.play("spend red with tailor")
    assert t.has(1) == (0, 1)
    assert t.card_points(1) == 6  # one token is no full two, and points are no tokens
    t.infamy(2)
    assert t.card_points(1) == 7
