"""The card of the turn, placing, deeds and trade: MG-20 … MG-42."""

from collections import Counter

import pytest

from yegg.games.magnate.state import Place
from yegg.parts.decktet import SUIT_NAMES

from .setting import Table

# Playing a card


def test_mg_20_the_text_example_any_mix_with_one_of_each():
    """A 4 is developed for one and three, two and two, or three and one."""
    table = Table().set(hand="the-sailor", tokens="4 waves 4 leaves")
    table.do("develop the-sailor at the-borderland")
    assert table.may == {"pay 1 waves", "pay 2 waves", "pay 3 waves"}
    table.do("pay 3 waves")
    assert table.tokens(1) == "1 waves 3 leaves"
    assert table.row(1, "the-borderland") == ["the-sailor"]
    assert not table.is_deed(1, "the-borderland")


def test_mg_20_the_mix_is_bounded_by_what_one_has():
    table = Table().set(hand="the-mill", tokens="6 waves 5 leaves 9 suns")
    table.do("develop the-mill at the-borderland")
    assert table.may == {f"pay {n} waves" for n in (3, 4, 5, 6)}
    table.do("pay 6 waves")
    assert table.tokens(1) == "9 suns 3 leaves"


def test_mg_20_without_a_choice_nothing_is_asked():
    table = Table().set(hand="the-origin the-mill", tokens="3 waves 5 leaves")
    table.do("develop the-mill at the-borderland")
    assert (table.tokens(1), table.may) == ("", {"end"})


@pytest.mark.parametrize(
    "tokens", ["7 waves", "3 waves 4 leaves", "8 waves", "9 moons 4 waves 3 leaves"]
)
def test_mg_20_too_few_or_not_of_each(tokens):
    table = Table().set(hand="the-mill", tokens=tokens)
    assert not table.can("develop")


def test_mg_20_an_ace_costs_three_of_its_suit():
    table = Table().set(hand="ace-of-suns", tokens="2 suns 9 moons")
    assert not table.can("develop")
    table.s.tokens[0, 1] = 3
    table.do("develop ace-of-suns at the-harvest")
    assert table.tokens(1) == "9 moons"


def test_mg_21_a_deed_costs_a_token_of_each_suit_to_the_bank():
    table = Table().set(hand="the-mill the-author", tokens="4 waves 4 leaves")
    table.do("deed the-mill at the-borderland")
    assert table.tokens(1) == "3 waves 3 leaves"
    assert table.is_deed(1, "the-borderland")
    assert (table.paid(1, "the-borderland"), table.total(1, "the-borderland")) == ("", 0)


def test_mg_21_an_ace_deed_costs_one_and_a_rank_two_deed_is_legal():
    table = Table().set(hand="ace-of-suns the-author", tokens="1 suns 1 moons 1 knots")
    assert {"deed ace-of-suns at the-excuse", "deed the-author at the-excuse"} <= table.may
    table.do("deed ace-of-suns at the-excuse")
    assert table.tokens(1) == "1 moons 1 knots"


def test_mg_21_no_deed_without_a_token_of_each_suit():
    table = Table().set(hand="the-mill", tokens="9 waves")
    assert not table.can("deed")


def test_mg_22_selling_gives_one_of_each_suit_an_ace_two():
    table = Table().set(hand="the-mill ace-of-knots").do("sell the-mill")
    assert (table.tokens(1), table.cards(Place.DISCARD)) == ("1 waves 1 leaves", {"the-mill"})
    table = Table().set(hand="the-mill ace-of-knots").do("sell ace-of-knots")
    assert table.tokens(1) == "2 knots"


def test_mg_23_selling_is_always_possible():
    table = Table().set(hand="the-mill the-pact ace-of-knots")
    assert table.may == {"sell the-mill", "sell the-pact", "sell ace-of-knots"}


# Placing


def test_mg_30_the_first_property_shares_a_suit_with_the_district():
    table = Table().set(hand="the-mill", tokens="1 waves 1 leaves")
    assert table.can("deed") == {
        f"deed the-mill at {home}"
        for home in ("the-borderland", "the-excuse", "the-harvest", "the-light-keeper")
    }


def test_mg_30_later_ones_share_a_suit_with_the_previous_property():
    table = Table().set(
        "1 the-borderland: the-betrayal",
        "1 the-excuse: ace-of-leaves",
        "1 the-harvest: the-market the-pact",
        "2 the-light-keeper: the-pact",
        hand="the-mill",
        tokens="1 waves 1 leaves",
    )
    assert table.can("deed") == {"deed the-mill at the-excuse", "deed the-mill at the-light-keeper"}


def test_mg_30_excuse_start_only_an_ace_begins_at_the_excuse():
    table = Table(excuse_start="aces").set(
        hand="the-mill ace-of-knots", tokens="1 waves 1 leaves 1 knots"
    )
    assert "deed ace-of-knots at the-excuse" in table.may
    assert "deed the-mill at the-excuse" not in table.may
    assert "excuse-start=aces" in table.why("deed the-mill at the-excuse")
    table.set("1 the-excuse: ace-of-leaves", hand="the-mill", tokens="1 waves 1 leaves")
    assert "deed the-mill at the-excuse" in table.may


def test_mg_30_aces_as_districts():
    table = Table(districts="aces").set(hand="the-mill", tokens="1 waves 1 leaves")
    assert table.can("deed") == {f"deed the-mill at ace-of-{suit}" for suit in ("waves", "leaves")}


def test_mg_31_nothing_more_where_a_deed_is_incomplete():
    table = Table().set(
        "1 the-borderland: the-sailor (3 waves)",
        "2 the-excuse: the-pact ()",
        hand="the-mill",
        tokens="8 waves 8 leaves",
    )
    assert not any(text.endswith("at the-borderland") for text in table.may)
    assert "develop the-mill at the-excuse" in table.may


def test_mg_32_properties_never_move():
    table = Table().set(
        "1 the-borderland: the-sailor the-origin",
        hand="the-mill the-author",
        tokens="8 waves 8 leaves",
    )
    table.do("develop the-mill at the-borderland", "pay 4 waves")
    assert table.row(1, "the-borderland") == ["the-sailor", "the-origin", "the-mill"]


# Deeds and trade


def test_mg_40_the_text_example_the_mill_takes_eight_in_any_mix():
    table = Table().set(hand="the-mill", tokens="4 waves 6 leaves")
    table.do("deed the-mill at the-borderland")
    for suit, n in Counter(waves=3, leaves=4).items():
        table.do(*[f"add {suit} to the-mill"] * n)
    assert table.is_deed(1, "the-borderland")
    table.do("add leaves to the-mill")
    assert not table.is_deed(1, "the-borderland")
    assert (table.paid(1, "the-borderland"), table.total(1, "the-borderland")) == ("", 8)
    assert table.can("add") == set()


def test_mg_40_one_suit_alone_may_do_and_an_ace_takes_three():
    table = Table().set(
        "1 the-borderland: the-sailor ()",
        "1 the-harvest: ace-of-suns ()",
        hand="the-mill",
        tokens="9 waves 3 suns",
    )
    table.do(*["add waves to the-sailor"] * 4, *["add suns to ace-of-suns"] * 3)
    assert not table.is_deed(1, "the-borderland")
    assert not table.is_deed(1, "the-harvest")
    assert table.tokens(1) == "5 waves"


def test_mg_40_only_suits_of_the_card_that_one_has():
    table = Table().set(
        "1 the-borderland: the-sailor ()",
        "2 the-borderland: the-mill ()",
        hand="the-author",
        tokens="2 moons 1 waves",
        their_tokens="3 leaves",
    )
    assert table.can("add") == {"add waves to the-sailor"}


def test_mg_40_deed_suits_each_keeps_room_for_the_missing_suit():
    table = Table(deed_suits="each").set(
        "1 the-borderland: the-sailor (2 waves)", hand="the-author", tokens="9 waves 1 leaves"
    )
    table.do("add waves to the-sailor")
    assert table.can("add") == {"add leaves to the-sailor"}
    assert "MG-40" in table.why("add waves to the-sailor")
    table.do("add leaves to the-sailor")
    assert not table.is_deed(1, "the-borderland")


def test_mg_40_deed_suits_each_with_a_rank_two_an_ace_and_a_court():
    table = Table(deed_suits="each", courts="yes").set(
        "1 the-borderland: the-origin (1 waves)",
        "1 the-excuse: the-consul (8 moons)",
        "1 the-light-keeper: ace-of-waves (2 waves)",
        hand="the-author",
        tokens="20 waves 9 leaves 9 moons 9 knots",
    )
    assert table.can("add") == {
        "add leaves to the-origin",
        "add waves to the-consul",
        "add knots to the-consul",
        "add waves to ace-of-waves",
    }


def test_mg_41_completing_leaves_the_card_and_opens_the_row():
    table = Table().set(
        "1 the-borderland: the-sailor (3 waves)",
        hand="the-mill the-author",
        tokens="2 waves 1 leaves",
    )
    table.do("add waves to the-sailor")
    assert "deed the-mill at the-borderland" in table.may
    table.do("deed the-mill at the-borderland")
    assert table.row(1, "the-borderland") == ["the-sailor", "the-mill"]


def test_mg_41_a_deed_completed_after_the_card_of_the_turn():
    table = Table().set(hand="the-origin the-author", tokens="3 waves 1 leaves")
    table.do("deed the-origin at the-borderland", *["add waves to the-origin"] * 2)
    assert (table.total(1, "the-borderland"), table.may) == (2, {"end"})


def test_mg_42_three_of_one_suit_for_one_of_another():
    table = Table().set(hand="the-author", tokens="6 moons 2 suns", their_tokens="9 knots")
    assert table.can("trade") == {f"trade moons for {suit}" for suit in SUIT_NAMES[1:]}
    table.do("trade moons for suns", "trade moons for suns")
    assert table.tokens(1) == "4 suns"
    table.do("trade suns for knots", "sell the-author")
    assert table.tokens(1) == "1 moons 1 suns 2 knots"


def test_mg_42_none_while_a_payment_is_due():
    table = Table().set(hand="the-sailor", tokens="9 waves 9 leaves")
    table.do("develop the-sailor at the-borderland")
    assert table.can("pay") == table.may
    assert table.why("trade waves for suns").startswith("MG-20")
