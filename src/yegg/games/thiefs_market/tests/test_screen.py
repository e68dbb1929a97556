"""What people see: the table without secrets, in eighty columns, and the odds."""

import io

import pytest
from rich.console import Console

from yegg.games.thiefs_market import odds, screen
from yegg.games.thiefs_market.cards import N_CARDS
from yegg.games.thiefs_market.screen import does

NAMES = ["Morgan", "Siveny", "Shar", "Quill", "Vex"]


def seen(t, seat=-1):
    """The screen of a seat from 0, or a spectator's, without colour."""
    page = io.StringIO()
    Console(file=page, width=80, no_color=True).print(screen.draw(t.state, NAMES, seat))
    return page.getvalue()


def line(page, start):
    return next(row for row in page.splitlines() if row.startswith(start))


def test_tm_6_others_infamy_is_face_down(table):
    t = table().infamy(41, 42, 43, 44).evening("R*")
    for seat in range(4):
        page = seen(t, seat)
        assert str(41 + seat) in line(page, NAMES[seat])
        assert page.count("face down") == 3
        assert not [n for n in (41, 42, 43, 44) if n != 41 + seat and str(n) in page]
    assert seen(t).count("face down") == 4


def test_tm_6_open_by_the_option_and_at_the_end(table):
    t = table(open_infamy="yes").infamy(41, 42).evening("R*")
    assert "face down" not in seen(t, 0)
    t = table().infamy(41, 42).deck("C", left=0).market("crown").gold(3).evening("b*")
    page = seen(t.play("buy crown").finish_round(), 0)
    assert "face down" not in page
    assert "42" in page


def test_centre_and_piles_are_dice_faces(table):
    page = seen(table().split("RRbm*", "WB", turn=2))
    assert "centre: [R] [R] [bag] [mask] marker" in page
    assert "[W] [B]" in line(page, "Morgan")
    assert "turn of Siveny" in page


def test_the_round_and_how_far_the_decks_are_from_the_end(table):
    t = table().deck("B", left=4).split("RR*")
    page = seen(t)
    assert "Round 1 · the split" in page
    assert "cards left: A 0 → B 4 → C 11 → the end, when C cannot refill the market" in page
    t.evening("R*").finish_round()
    assert "Round 2 · the split" in seen(t)


def test_the_market_says_how_far_dice_and_gold_reach(table):
    t = table().market("fence", "tailor", "crown", "glamer").gold(1).evening("RW*")
    page = seen(t, 0)
    assert "dice pay" in line(page, "A  Tailor")
    assert "1 Gold" in line(page, "A  Fence")
    assert "1 short: BB" in line(page, "A  Glamer")
    assert "WBB" in line(page, "C  Crown")
    assert "worth 6" in line(page, "C  Crown")


def test_the_bill_is_shown_before_it_is_paid(table):
    t = table().market("fence").gold(2).evening("W*").play("buy fence")
    page = seen(t, 0)
    assert "Morgan buys Fence, which costs WW; still due WW" in page
    assert "to pay with: [W] and 2 Gold" in page


def test_who_has_cards_and_what_they_do(table):
    t = table(promos="yes").give(1, "tailor", "fur-coat").give(2, "mimetic-stew")
    where = t.state.where.tolist()
    t.state.acts_as[where.index(5)] = where.index(4)
    t.evening("R*").play("spend red with tailor")
    page = seen(t, 0)
    assert "Morgan: Tailor (R → 1 Infamy, used), Fur Coat (worth 4)" in page
    assert "Siveny: Mimetic Stew (as Tailor: R → 1 Infamy)" in page


def test_the_result_tells_where_notoriety_comes_from(table):
    t = table(3).deck("C", left=0).market("crown").gold(3, 1, 1).infamy(0, 7, 1).evening("b*")
    page = seen(t.play("buy crown").finish_round())
    assert "The last deck has run out." in page
    assert page.splitlines()[-3].split() == ["Morgan", "6", "0", "0", "0", "6", "1"]


def test_it_fits_eighty_columns_and_loses_nothing(table):
    slugs = ("tailor", "fence", "anthropomorphic-water-buffalo", "deceptive-bits-of-colored-glass")
    t = table().give(1, *slugs).market("sticky-fingered-dockhand", "crown")
    page = seen(t.evening("RRRWWBGbbmm*"), 0)
    assert max(map(len, page.splitlines())) <= 80
    assert "…" not in page
    assert "marker" in page


@pytest.mark.parametrize("card", range(N_CARDS))
def test_every_card_has_a_few_signs_without_a_gap(card):
    assert "{" not in does(card)
    assert len(does(card)) <= 34


def test_the_odds_of_dice_rolled_again(table):
    t = table().split("RW", "BBm*", turn=2).play("steal 1")
    said = odds.odds(t.state, t.match.hear("return blue"))
    assert said == "then one die is rolled again: 67 % for a gem, 17 % for any one face"
    assert odds.odds(t.state, t.match.hear("return marker")) == ""
    t.play("return blue | return mask")
    assert odds.odds(t.state, t.match.hear("done")).startswith(
        "2 dice are rolled again: 89 % for a gem"
    )


def test_tm_66_the_odds_of_luck(table):
    t = table().market("fence", "tailor").gold(0).give(1, "lucky-animal-appendage").evening("WB*")
    said = odds.odds(t.state, t.match.hear("reroll blue"))
    assert said == "dice and Gold would pay for Fence 17 %, Tailor 17 %"
    assert odds.odds(t.state, t.match.hear("keep")) == ""


def test_tm_70_the_odds_of_the_next_card(table):
    t = table().deck("C").market("unlabeled-potion").gold(0).evening("RB*")
    said = odds.odds(t.state, t.match.hear("buy unlabeled-potion"))
    assert said.startswith("one of C, 7 % each: ")
    assert said.endswith(" or Treasure Map")
    assert "Crown" in said
    assert odds.odds(t.state, t.match.hear("done")) == ""
    assert odds.outlook(t.state, 0) == "11 cards of C are still to come; 14 have not been seen"


def test_tm_70_the_odds_are_of_the_next_deck_where_the_current_one_is_empty(table):
    t = table().deck("B", left=0).market("unlabeled-potion").gold(0).evening("RB*")
    said = odds.odds(t.state, t.match.hear("buy unlabeled-potion"))
    assert said.startswith("one of C, 7 % each: ")
    t = table().deck("C", left=0).market("unlabeled-potion").gold(0).evening("RB*")
    said = odds.odds(t.state, t.match.hear("buy unlabeled-potion"))
    assert said == "nothing comes free: C is empty"
