"""TM-64 … TM-69: effects that come by themselves, luck and the discount."""

import pytest

from yegg.games.thiefs_market.state import Phase

GEMS = {"R": "red", "W": "white", "B": "blue", "G": "green"}


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
def test_tm_64_an_infamy_for_each_card_with_the_colour(owner, slug, die, cheap):
    t = owner(slug).market(cheap, "necklace", "glamer").evening(die * 2 + "*")
    t.play(f"buy {cheap}")
    assert t.has(1) == (0, 1)
    other = "necklace" if die != "W" else "glamer"  # two of another colour
    t = owner(slug).market("necklace", "glamer").gold(2).evening("b*").play(f"buy {other}")
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
def test_tm_64_itself_included_and_once_however_many(owner, slug, cost):
    t = owner().market(slug).evening(cost + "*").play(f"buy {slug}")
    assert t.has(1) == (0, 1)


def test_tm_64_the_printed_cost_counts_however_it_is_paid(owner):
    t = owner("anthropomorphic-water-buffalo", "insurance-racket").market("tailor")
    t.evening("b*").play("buy tailor")  # its only gem is waived
    assert t.has(1) == (0, 1)
    t = owner("anthropomorphic-water-buffalo").market("tailor").gold(1).evening("b*")
    assert t.play("buy tailor").has(1) == (0, 1)


def test_tm_64_two_such_cards_both_count(owner):
    t = owner("anthropomorphic-water-buffalo", "rumor-monger").market("brooch")
    assert t.evening("RG*").play("buy brooch").has(1) == (0, 2)


@pytest.mark.parametrize(("slug", "cost"), [("big-haul", "BG"), ("the-heist", "WG")])
def test_tm_65_infamy_for_every_object_the_marker_too(owner, slug, cost):
    t = owner().market(slug).evening(cost + "bbm*").play(f"buy {slug}")
    assert t.has(1) == (0, 6)
    t = owner().market(slug).evening("*", cost + "bm").play(f"done | buy {slug}")
    assert t.has(2) == (0, 4)


def test_tm_65_dice_spent_before_it_count(owner):
    t = owner("tailor").market("big-haul").evening("RBG*")
    t.play("spend red with tailor | buy big-haul")
    assert t.has(1) == (0, 1 + 4)


def test_tm_65_only_on_gaining(owner):
    t = owner("big-haul").evening("RRR*").finish_round()
    assert t.has(1) == (0, 0)


# --- TM-66: Lucky Animal Appendage


def test_tm_66_dice_of_a_stolen_pile_are_not_rolled_again(owner):
    t = owner("lucky-animal-appendage").split("RW", "BBm*", turn=2)
    t.play("steal 1 | return blue | return mask | return marker | done")
    assert (t.centre, t.actor) == ("RWBm*", 3)


def test_tm_66_only_when_the_owners_pile_is_stolen(owner):
    t = owner("lucky-animal-appendage").split("RW", "", "BB*", turn=1)
    t.play("steal 2 | return blue | done")
    assert t.state.loose == 1
    t.play("roll green")
    assert t.actor == 2


def test_tm_66_the_same_dice_in_the_thiefs_pile_have_no_such_luck(owner):
    t = owner("lucky-animal-appendage").split("RW", "BBB*", turn=2)
    t.play("steal 1 | return blue | done")
    assert (t.state.loose, t.actor) == (0, 3)
    t.play("steal 2 | return blue | done")
    assert t.state.loose == 1


def test_tm_66_just_before_phase_2_the_owner_keeps_or_rolls_one_die_again(owner):
    t = owner("lucky-animal-appendage").evening("RRm", "W*")
    assert (t.actor, t.texts) == (1, {"keep", "reroll red", "reroll mask"})
    assert t.why_not("reroll blue").startswith("TM-66: no blue")
    t.play("reroll red")
    assert (t.actor, t.pile(1)) == ("*", "Rm")
    assert len(t.texts) == 6
    t.play("roll green")
    assert t.pile(1) == "RGm"
    assert (t.phase, t.actor) == (Phase.MARKET, 2)


def test_tm_66_keep(owner):
    t = owner("lucky-animal-appendage").evening("RRm", "W*").play("keep")
    assert t.pile(1) == "RRm"
    assert (t.phase, t.actor) == (Phase.MARKET, 2)


def test_tm_66_a_pile_without_a_die_is_not_asked(owner):
    t = owner("lucky-animal-appendage").evening("*", "RR")
    assert t.phase == Phase.MARKET


def test_tm_66_every_round(owner):
    t = owner("lucky-animal-appendage").evening("R*").play("keep").finish_round().evening("RW*")
    assert t.texts == {"keep", "reroll red", "reroll white"}


def test_tm_66_owners_clockwise_from_the_marker(owner):
    t = owner("lucky-animal-appendage", "mimetic-stew").give(3, "mimetic-stew")
    t.state.acts_as[t.state.where.tolist().index(4 + 2)] = t.state.where.tolist().index(4)
    t.evening("R", "W", "B", "G*")
    assert t.actor == 1
    t.play("keep")
    assert t.actor == 3
    t.play("reroll blue | roll mask")
    assert (t.pile(3), t.actor) == ("m", 4)
    t.finish_round().evening("R", "W*", "B")
    assert t.actor == 3


# --- TM-67, TM-68, TM-69


def test_tm_67_an_infamy_whenever_the_pile_is_stolen_at_once(owner):
    t = owner("wicked-clutches").split("RW", "BBB*", turn=2).play("steal 1")
    assert t.has(1) == (0, 1)
    t.play("return blue | done | roll red")
    assert t.actor == 3
    t.play("steal 2")  # no longer the owner's pile
    assert t.has(1) == (0, 1)
    t.play("return blue | done | roll red | take red | done | take red | done")
    assert t.actor == 2
    t.play("take-all").finish_round()
    assert t.has(1) == (0, 1)


def test_tm_67_every_time(owner):
    t = owner("wicked-clutches", players=3).split("WWW*", "BB", turn=2)
    t.play("steal 1 | return blue | done | roll red")
    t.play("take red | take white | take white | done")
    t.play("steal 3 | return red | done | roll bag")
    assert t.has(1) == (0, 1)
    t.play("steal 1")
    assert t.has(1) == (0, 2)


@pytest.mark.parametrize(("pile", "infamy"), [("b*", 1), ("*", 1), ("bbb", 0)])
def test_tm_67_an_infamy_for_the_marker_at_the_end_of_phase_1(owner, pile, infamy):
    t = owner("eyepatch-of-command").evening(pile, "R" + "*" * ("*" not in pile))
    assert (t.has(1), t.phase) == ((0, infamy), Phase.MARKET)


def test_tm_67_not_for_a_marker_that_was_stolen_before(owner):
    t = owner("eyepatch-of-command").split("RW", "B*", "b", "b", "", turn=4)
    t.play("steal 1 | return blue | done | roll green | take-all")
    assert t.has(1) == (0, 0)


def test_tm_68_one_more_purchase_each_turn(owner):
    t = owner("insurance-racket").market("tailor", "fence", "glamer").evening("WB*")
    t.play("buy tailor | buy fence")
    assert (t.cards(1), t.beginning("buy")) == ({"insurance-racket", "tailor", "fence"}, set())


def test_tm_68_the_turn_of_gaining_included_but_not_its_own_purchase(owner):
    t = owner().market("insurance-racket", "glamer", "tailor")
    assert t.evening("RWB*").beginning("buy") == {"buy tailor"}  # RWG cannot be paid
    t = owner().market("insurance-racket", "glamer", "necklace").evening("RWGB*")
    t.play("buy insurance-racket")
    assert (t.pile(1), t.beginning("buy")) == ("B*", {"buy glamer"})
    t.play("buy glamer")
    assert (t.pile(1), t.beginning("buy")) == ("*", set())


def test_tm_68_the_buyer_chooses_the_gem(owner):
    t = owner("insurance-racket").market("political-campaign").evening("RWBG*")
    t.play("buy political-campaign")
    assert t.texts == {f"waive {gem}" for gem in GEMS.values()}
    t.play("waive blue")
    assert t.pile(1) == "B*"


def test_tm_68_only_colours_after_which_the_rest_can_be_paid(owner):
    t = owner("insurance-racket").market("political-campaign").evening("RWG*")
    t.play("buy political-campaign")  # blue is missing: no question
    assert (t.phase, t.pile(1)) == (Phase.MARKET, "*")
    t = owner("insurance-racket").gold(1).market("political-campaign").evening("RW*")
    t.play("buy political-campaign")
    assert t.texts == {"waive blue", "waive green"}
    assert t.why_not("waive red").startswith("TM-68: if a red gem is waived")
    assert t.why_not("gold 1 for red").startswith("TM-68: a card is being paid")
    t.play("waive green")  # the Gold is for blue then
    assert (t.has(1), t.pile(1)) == ((0, 0), "*")


def test_tm_68_first_waive_then_gold(owner):
    t = owner("insurance-racket").gold(1).market("fur-coat").evening("RB*")
    t.play("buy fur-coat | waive red")
    assert t.texts == {"gold 0 for blue", "gold 1 for blue"}
    t.play("gold 1 for blue")
    assert t.pile(1) == "RB*"


def test_tm_68_one_colour_only_is_no_question(owner):
    t = owner("insurance-racket").market("fence").evening("WW*").play("buy fence")
    assert (t.phase, t.pile(1)) == (Phase.MARKET, "W*")


def test_tm_68_two_discounts_are_two_gems_less(owner):
    t = owner("mimetic-stew").give(2, "insurance-racket")
    stew = t.state.where.tolist().index(4)
    t.state.acts_as[stew] = t.state.where.tolist().index(5)
    t.give(1, "insurance-racket").market("fur-coat", "tailor", "crown").evening("b*")
    assert (t.state.buys, t.beginning("buy")) == (3, {"buy fur-coat", "buy tailor"})
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
def test_tm_69_one_more_in_all_if_any_is_turned_in(owner, slug, pile, has):
    assert owner(slug).evening(pile).finish_round().has(1) == has
