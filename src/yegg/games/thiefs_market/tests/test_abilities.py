"""TM-60 … TM-63: abilities of a turn, and extra purchases."""

import pytest

GEMS = {"R": "red", "W": "white", "B": "blue", "G": "green"}


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
def test_tm_60_a_gem_to_one_of_the_other_three(owner, slug, die):
    t = owner(slug).evening("RWBGbm*")
    others = [gem for letter, gem in GEMS.items() if letter != die]
    assert t.beginning("turn") == {f"turn {GEMS[die]} to {gem} with {slug}" for gem in others}
    t.play(f"turn {GEMS[die]} to {others[-1]} with {slug}")
    assert t.pile(1).count(die) == 0
    assert t.state.pile[0].tolist()["RWBG".index(others[-1][0].upper())] == 2
    assert t.beginning("turn") == set()
    assert owner(slug).evening("RWBGbm*".replace(die, "")).beginning("turn") == set()


@pytest.mark.parametrize(
    ("slug", "die"),
    [("bondsman", "R"), ("fence", "W"), ("bookie", "B"), ("pawnbroker", "G")],
)
def test_tm_60_a_gem_to_its_bag(owner, slug, die):
    t = owner(slug).evening(die * 2 + "*")
    assert t.beginning("turn") == {f"turn {GEMS[die]} to bag with {slug}"}
    t.play(f"turn {GEMS[die]} to bag with {slug}")
    assert t.pile(1) == die + "b*"
    t.finish_round()
    assert t.has(1) == (1, 0)
    assert owner(slug).evening("RWBG*".replace(die, "")).beginning("turn") == set()


def test_tm_60_a_bag_to_any_of_the_four_gems(owner):
    t = owner("legitimate-jeweller").evening("bb*")
    jeweller = "with legitimate-jeweller"
    assert t.beginning("turn") == {f"turn bag to {gem} {jeweller}" for gem in GEMS.values()}
    t.play(f"turn bag to green {jeweller}").finish_round()
    assert t.has(1) == (1, 0)


def test_tm_60_what_cannot_be_turned_says_why(owner):
    t = owner("alchemical-lab", "bookie").evening("RW*")
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
def test_tm_61_a_gem_for_an_infamy(owner, slug, die, name):
    t = owner(slug).evening(die * 2 + "b*").play(f"spend {name} with {slug}")
    assert (t.pile(1), t.has(1)) == (die + "b*", (0, 1))
    assert (t.state.loose, t.beginning("spend")) == (1, set())
    assert t.why_not(f"spend {name} with {slug}").startswith("TM-22")
    assert owner(slug).evening("bm*").beginning("spend") == set()


def test_tm_61_a_mask_for_a_gold(owner):
    t = owner("gauntlet-of-evil-intent").market("tailor").evening("mm*")
    t.play("spend mask with gauntlet-of-evil-intent | buy tailor")  # at once, with that Gold
    assert (t.cards(1), t.has(1)) == ({"gauntlet-of-evil-intent", "tailor"}, (0, 0))
    t.finish_round()
    assert t.has(1) == (0, 1)


def test_tm_62_any_number_of_gold_for_two_infamy_each(owner):
    t = owner("exit-strategy").gold(3).evening("b*")
    for left in (2, 1, 0):
        t.play("exchange with exit-strategy")
        assert t.has(1) == (left, 2 * (3 - left))
    assert t.texts == {"done"}
    assert t.why_not("exchange with exit-strategy").startswith("TM-62: no Gold")


def test_tm_62_bought_and_used_in_one_turn(owner):
    t = owner().market("exit-strategy").gold(1).evening("RWG*").play("buy exit-strategy")
    t.play("gold 0 for red | gold 0 for white | gold 0 for green | exchange with exit-strategy")
    assert t.has(1) == (0, 2)


def test_tm_62_only_in_ones_own_turn(owner):
    t = owner("exit-strategy").gold(1, 3).evening("b", "b*")
    assert (t.actor, t.texts) == (2, {"done"})


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
def test_tm_63_one_more_in_a_round_with_such_a_die(owner, slug, die):
    assert owner(slug).evening(die * 3 + "*").state.buys == 2
    assert owner(slug).evening("RWBGbm*".replace(die, "")).state.buys == 1


def test_tm_63_as_the_pile_was_at_the_end_of_phase_1(owner):
    t = owner("disgruntled-minion", "tailor", "alchemical-lab").market("fence", "corrupt-official")
    t.evening("RWWW*").play("spend red with tailor | buy fence | buy corrupt-official")
    t = owner("corrupt-official", "alchemical-lab").evening("RR*")
    assert t.play("turn red to white with alchemical-lab").state.buys == 1


def test_tm_63_before_the_new_roll_of_tm_66(owner):
    t = owner("lucky-animal-appendage", "disgruntled-minion", "corrupt-official")
    t.evening("R*").play("reroll red | roll white")
    assert t.pile(1) == "W*"
    assert t.state.buys == 2  # for the red that was there, not for the white


def test_tm_63_also_in_the_turn_in_which_it_is_gained(owner):
    t = owner().market("disgruntled-minion", "tailor", "fence").evening("RRWW*")
    t.play("buy disgruntled-minion | buy tailor")
    assert t.beginning("buy") == set()
    t = owner().market("corrupt-official", "tailor").gold(1).evening("RR*")
    t.play("buy corrupt-official")  # no white at the end of phase 1
    assert t.beginning("buy") == set()


def test_tm_63_several_add_up(owner):
    t = owner("disgruntled-minion", "corrupt-official", "insurance-racket")
    assert t.evening("RW*").state.buys == 4
