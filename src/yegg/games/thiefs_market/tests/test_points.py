"""TM-71 … TM-73: what cards are worth at the end."""

import pytest

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
def test_tm_71_buildings(owner, slugs, points):
    assert owner(*slugs).card_points(1) == points


def test_tm_71_buildings_of_others_do_not_count(owner):
    assert owner("nearby-safehouse").give(2, "fortified-safehouse").card_points(1) == 1


@pytest.mark.parametrize(
    ("slugs", "points"),
    [
        ([], 0),
        (["glamer"], 3),
        (["glamer", "alchemical-lab"], 3),
        (["glamer", "alchemical-lab", "wicked-clutches"], 6),
    ],
)
def test_tm_71_wands_for_every_full_two_its_own_included(owner, slugs, points):
    assert owner("collecting-golem", *slugs).card_points(1) == points


def test_tm_71_per_card_for_every_other(owner):
    assert owner("loyalty-program").card_points(1) == 0
    assert owner("loyalty-program", "tailor", "fence", "glamer").card_points(1) == 3


@pytest.mark.parametrize(("infamy", "points"), [(0, 0), (1, 0), (2, 1), (7, 3)])
def test_tm_71_per_infamy_for_every_full_two(owner, infamy, points):
    t = owner("political-campaign").infamy(infamy)
    assert t.card_points(1) == points


@pytest.mark.parametrize("slug", ["treasure-map-blue", "treasure-map-red"])
def test_tm_71_treasure_is_less_if_another_has_a_compass(owner, slug):
    assert (owner(slug).card_points(1), owner(slug, "island-estate").card_points(1)) == (7, 7)
    assert owner(slug).give(2, "island-estate").card_points(1) == 5
    assert owner(slug).give(2, "wut").card_points(1) == 5


def test_tm_71_two_treasure_maps(owner):
    t = owner("treasure-map-blue", "treasure-map-red")
    assert t.card_points(1) == 14
    t = owner("treasure-map-blue").give(2, "treasure-map-red")
    assert (t.card_points(1), t.card_points(2)) == (5, 5)


def test_tm_72_rival_wands(owner):
    t = owner("purported-curse", "glamer")
    assert t.card_points(1) == 0
    t.give(2, "alchemical-lab", "wut").give(3, "collecting-golem")
    assert t.card_points(1) == 3


def test_tm_72_wut_has_one_of_every_icon_and_no_effect(owner):
    t = owner("wut")
    assert (t.awards()[0][0], t.card_points(1), t.evening("RWBGbm*").texts) == (3, 0, {"done"})


# --- TM-73


def test_tm_73_infamy_of_cards_is_tokens_and_printed_points_are_not(owner):
    t = owner("political-campaign", "crown", "tailor").evening("R*")
    t.play("spend red with tailor")
    assert t.has(1) == (0, 1)
    assert t.card_points(1) == 6  # one token is no full two, and points are no tokens
    t.infamy(2)
    assert t.card_points(1) == 7
