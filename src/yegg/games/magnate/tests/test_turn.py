"""Set-up, the order of a turn, dice and income: MG-1 … MG-16."""

import itertools
from collections import Counter

import pytest

from yegg.games.magnate.state import DISTRICT, N_DISTRICTS, Phase, Place
from yegg.parts.decktet import SLUGS, SUIT_NAMES

from .setting import Table

HOMES = ["the-watchman", "the-borderland", "the-excuse", "the-harvest", "the-light-keeper"]
ACES = [f"ace-of-{suit}" for suit in SUIT_NAMES]


def districts_of(table):
    n = N_DISTRICTS[table.s.districts]
    return [SLUGS[card] for card in DISTRICT[table.s.districts, :n]]


def dealt(**options):
    """A game after the deal: the first seats get the first cards."""
    table = Table(**options)
    for _ in range(12):
        table.do(next(iter(table.legal)))
    return table


# Set-up


def test_mg_1_the_pawns_and_the_excuse_are_the_districts():
    table = Table()
    assert districts_of(table) == HOMES
    assert table.cards(Place.DISTRICT) == set(HOMES)


def test_mg_1_four_districts_are_the_pawns_alone():
    table = Table(districts="4")
    assert districts_of(table) == [home for home in HOMES if home != "the-excuse"]
    assert "the-excuse" in table.cards(Place.BOX)


def test_mg_1_aces_as_districts_leave_the_deck():
    table = Table(districts="aces")
    assert districts_of(table) == ACES
    assert table.s.pile == 18
    assert not table.cards(Place.PILE) & set(ACES)


def test_mg_2_three_crowns_each_and_a_token_of_each_of_their_suits():
    table = Table()
    assert table.may == {
        f"crown 1 {slug}"
        for slug in [
            "the-huntress",
            "the-bard",
            "the-sea",
            "the-end",
            "the-calamity",
            "the-windfall",
        ]
    }
    table.do("crown 1 the-end", "crown 1 the-bard", "crown 1 the-sea")
    assert table.can("crown 2 ") == table.may
    assert table.may == {"crown 2 the-huntress", "crown 2 the-calamity", "crown 2 the-windfall"}
    table.do("crown 2 the-huntress", "crown 2 the-calamity", "crown 2 the-windfall")
    assert table.tokens(1) == "1 suns 1 waves 1 leaves"
    assert table.tokens(2) == "1 moons 1 wyrms 1 knots"


def test_mg_3_thirty_cards_three_each_and_seat_one_begins():
    table = Table()
    for _ in range(6):
        table.do(next(iter(table.legal)))
    assert len(table.can("deal 1 ")) == len(table.may) == 30
    table.do("deal 1 the-mill", "deal 1 ace-of-suns", "deal 1 the-pact")
    assert len(table.can("deal 2 ")) == len(table.may) == 27
    table.do("deal 2 the-cave", "deal 2 the-desert", "deal 2 the-author")
    assert table.hand(1) == {"the-mill", "ace-of-suns", "the-pact"}
    assert table.hand(2) == {"the-cave", "the-desert", "the-author"}
    assert table.s.pile == len(table.cards(Place.PILE)) == 24
    table.do("roll 2", "roll 3")
    assert table.actor == 1


def test_mg_3_turns_alternate():
    table = dealt()
    turns = []
    for _ in range(4):
        table.do("roll 2", "roll 2")
        turns.append(table.actor)
        table.do(min(table.can("sell")), "end")
        table.do(min(table.can("draw")))
    assert turns == [1, 2, 1, 2]


# A turn


def test_mg_10_roll_then_one_card_then_draw():
    table = dealt()
    assert table.may == {f"roll {n}" for n in range(1, 11)}
    table.do("roll 2")
    assert table.may == {f"roll {n}" for n in range(1, 11)}
    table.do("roll 3")
    assert "end" not in table.may
    table.do("sell ace-of-waves")
    table.s.tokens[0] = 0
    assert table.may == {"end"}
    table.do("end")
    assert table.can("draw 1 ") == table.may
    table.do("draw 1 the-cave")
    assert "the-cave" in table.hand(1)
    assert (len(table.hand(1)), len(table.can("roll"))) == (3, 10)


def test_mg_10_trades_and_deeds_before_and_after_the_card():
    table = Table().set(
        "1 the-borderland: the-mill (1 waves)",
        hand="the-author the-cave the-pact",
        tokens="7 moons 1 waves 1 leaves",
    )
    assert {"trade moons for suns", "add waves to the-mill"} <= table.may
    table.do("trade moons for suns", "add waves to the-mill", "sell the-cave")
    assert {"trade moons for suns", "add leaves to the-mill", "end"} <= table.may
    assert not table.can("sell") | table.can("develop") | table.can("deed")


@pytest.mark.parametrize("dice", [(1, 7), (7, 1)])
def test_mg_11_one_brings_taxation_before_collecting(dice):
    table = dealt()
    table.s.tokens[0] = [4, 2, 1, 0, 0, 0]
    table.s.tokens[1] = [2, 0, 0, 1, 5, 0]
    table.do(*(f"roll {n}" for n in dice))
    assert table.may == {f"tax {suit}" for suit in SUIT_NAMES}
    table.do("tax moons")
    assert table.tokens(1) == "1 moons 2 suns 1 waves"
    assert table.tokens(2) == "1 moons 1 leaves 5 wyrms"


def test_mg_11_two_ones_tax_once():
    table = dealt().do("roll 1", "roll 1", "tax knots")
    assert table.actor == 1
    assert table.can("sell")


def test_mg_11_no_tax_without_a_one_and_none_for_a_single_token():
    table = dealt().do("roll 2", "roll 10")
    assert table.s.phase == Phase.CARD
    table = dealt()
    before = table.tokens(1)
    table.do("roll 1", "roll 2", "tax moons")
    assert table.tokens(1) == before


def test_mg_11_tokens_on_deeds_are_safe():
    table = Table().set("1 the-borderland: the-mill (4 waves)", tokens="3 waves")
    table.rolls().do("roll 1", "roll 2", "tax waves")
    assert (table.tokens(1), table.paid(1, "the-borderland")) == ("1 waves", "4 waves")


def test_mg_11_taxation_comes_before_collecting():
    table = Table().set(tokens="3 moons").rolls().do("roll 10", "roll 1", "tax moons")
    assert table.tokens(1) == "2 moons 1 suns 1 waves"


def test_mg_12_the_higher_die_pays_both_players():
    table = Table().set("1 the-excuse: the-mill", "2 the-excuse: the-betrayal the-battle")
    table.rolls(turn=2).do("roll 4", "roll 8")
    assert (table.tokens(1), table.tokens(2)) == ("1 waves 1 leaves", "1 wyrms 1 knots")


def test_mg_12_doubles_pay_once():
    table = Table().set("1 the-excuse: the-mill")
    assert table.rolls().do("roll 8", "roll 8").tokens(1) == "1 waves 1 leaves"


def test_mg_12_income_one_die():
    table = Table(income="one-die").set("1 the-excuse: the-mill ace-of-waves")
    table.rolls().do("roll 8")
    assert (table.actor, table.tokens(1)) == (1, "1 waves 1 leaves")
    table.rolls().do("roll 1")
    assert table.can("tax") == table.may
    table.do("tax leaves")
    assert table.tokens(1) == "2 waves 1 leaves"


def test_mg_12_income_fallback_uses_the_lower_die_when_the_higher_gives_nothing():
    table = Table(income="fallback").set("2 the-excuse: the-mill")
    assert table.rolls().do("roll 9", "roll 8").tokens(2) == "1 waves 1 leaves"
    assert table.rolls().do("roll 10", "roll 8").tokens(2) == "1 waves 2 leaves 1 wyrms 1 knots"


def test_mg_12_fallback_a_choice_is_something():
    table = Table(income="fallback").set("1 the-excuse: the-mill", "2 the-excuse: the-pact ()")
    table.rolls().do("roll 9", "roll 8")
    assert table.may == {"collect moons for the-pact", "collect suns for the-pact"}
    table.do("collect suns for the-pact")
    assert table.tokens(1) == ""


def test_mg_12_fallback_to_a_choice_and_to_an_ace():
    table = Table(income="fallback").set("1 the-excuse: the-pact ()", "2 the-excuse: ace-of-knots")
    table.rolls().do("roll 9", "roll 10")
    assert table.actor == 1
    table.rolls().do("roll 9", "roll 9", "collect moons for the-pact")
    table = Table(income="fallback").set("2 the-excuse: ace-of-knots")
    table.rolls().do("roll 1", "roll 5", "tax moons")
    assert table.tokens(2) == "1 knots"


def test_mg_12_fallback_is_an_option():
    table = Table().set("2 the-excuse: the-mill")
    assert table.rolls().do("roll 9", "roll 8").tokens(2) == ""


def test_mg_13_a_ten_pays_the_crowns():
    table = Table().set(tokens="1 moons", their_tokens="2 knots").rolls().do("roll 3", "roll 10")
    assert table.tokens(1) == "2 moons 1 suns 1 waves"
    assert table.tokens(2) == "1 leaves 1 wyrms 3 knots"


def test_mg_14_developed_properties_pay_both_suits_deeds_one_of_choice():
    table = Table().set(
        "1 the-excuse: the-mill the-betrayal", "1 the-harvest: the-diplomat (3 suns)"
    )
    table.s.nth[SLUGS.index("the-betrayal")] = 2
    table.rolls().do("roll 8", "roll 2")
    assert table.tokens(1) == "1 waves 1 leaves 1 wyrms 1 knots"
    assert table.may == {"collect moons for the-diplomat", "collect suns for the-diplomat"}
    table.do("collect moons for the-diplomat")
    assert table.tokens(1) == "1 moons 1 waves 1 leaves 1 wyrms 1 knots"
    assert (table.paid(1, "the-harvest"), table.can("collect")) == ("3 suns", set())


def test_mg_14_properties_of_other_ranks_pay_nothing():
    table = Table().set("1 the-excuse: the-mill the-origin")
    assert table.rolls().do("roll 7", "roll 6").tokens(1) == ""


def test_mg_15_two_ones_pay_aces_in_play_deeds_too():
    table = Table().set(
        "1 the-excuse: ace-of-moons",
        "2 the-excuse: ace-of-knots ()",
        hand="ace-of-suns",
        tokens="1 moons",
    )
    table.rolls().do("roll 1", "roll 1", "tax waves")
    assert (table.tokens(1), table.tokens(2), table.actor) == ("2 moons", "1 knots", 1)


def test_mg_15_one_one_alone_pays_no_ace():
    table = Table().set("1 the-excuse: ace-of-moons")
    assert table.rolls().do("roll 1", "roll 2", "tax waves").tokens(1) == ""


def test_mg_15_district_aces_pay_nobody():
    table = Table(districts="aces").set().rolls().do("roll 1", "roll 1", "tax waves")
    assert (table.tokens(1), table.tokens(2)) == ("", "")


def test_mg_16_active_player_first_then_the_other_district_by_district():
    table = Table().set(
        "1 the-harvest: the-diplomat ()",
        "2 the-light-keeper: the-betrayal ()",
        "2 the-borderland: the-mill ()",
    )
    table.rolls(turn=2).do("roll 8", "roll 8")
    asked = []
    while table.can("collect"):
        asked.append((table.actor, min(table.may).rpartition(" ")[2]))
        table.do(min(table.may))
    assert asked == [(2, "the-mill"), (2, "the-betrayal"), (1, "the-diplomat")]
    assert table.actor == 2


def test_mg_16_what_needs_no_choice_is_paid_before():
    table = Table().set("1 the-excuse: the-mill ()", "2 the-borderland: the-betrayal")
    table.rolls().do("roll 8", "roll 8")
    assert (table.actor, table.can("collect")) == (1, table.may)
    assert table.tokens(2) == "1 wyrms 1 knots"


def test_figures_chances_of_a_roll():
    """Crowns 0.19, taxation 0.19, the higher die k: (2k - 1) / 100."""
    row = "the-author the-savage the-sailor the-discovery the-lunatic the-castle the-betrayal"
    table = Table().set(rows={(1, "the-excuse"): row + " the-pact"}).rolls()
    start, paid, taxed = table.states.copy(), Counter(), 0
    for dice in itertools.product(range(1, 11), repeat=2):
        table.states[:] = start
        table.do(*(f"roll {n}" for n in dice))
        if table.can("tax"):
            taxed += 1
            table.do("tax moons")
        paid[table.tokens(1)] += 1
    assert taxed == 19
    assert paid["1 moons 1 suns 1 waves"] == 19
    by_rank = ["1 moons 1 knots", "1 leaves 1 wyrms", "1 waves 1 leaves", "1 suns 1 waves"]
    by_rank += ["1 moons 1 waves", "1 suns 1 knots", "1 wyrms 1 knots", "1 moons 1 suns"]
    assert [paid[text] for text in by_rank] == [2 * k - 1 for k in range(2, 10)]
