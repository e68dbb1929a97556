"""The solo game: MG-100 … MG-103."""

from yegg.engine import Match
from yegg.games.magnate import GAME
from yegg.games.magnate.state import Place

from .setting import Table

# Its Crowns in these positions are leaves, wyrms and knots


def solo(automa="easy", **options):
    return Table(players=1, automa=automa, **options)


def test_mg_100_the_automa_has_crowns_and_unseen_cards_but_no_tokens_and_no_turns():
    table = solo()
    for _ in range(6):
        table.do(next(iter(table.legal)))
    assert table.tokens(2) == ""
    assert len(table.cards(Place.CROWN + 1)) == 3
    for _ in range(6):
        table.do(next(iter(table.legal)))
    assert len(table.hand(2)) == 3
    assert table.s.pile == 24
    for _ in range(3):
        table.do("roll 10", "roll 2")
        assert table.actor == 1
        table.do(min(table.can("sell")))
        if table.can("place"):
            table.do(min(table.may))
        table.do("end")
        table.do(min(table.may))
    assert table.tokens(2) == ""


def test_mg_100_the_automa_collects_nothing_for_its_properties():
    table = solo().set("2 the-excuse: the-mill", "2 the-watchman: ace-of-knots")
    table.rolls().do("roll 8", "roll 2")
    assert table.tokens(2) == table.tokens(1) == ""
    table.rolls().do("roll 1", "roll 1", "tax moons")
    assert table.tokens(2) == ""


def test_mg_101_a_sold_card_is_the_automas_property_at_once():
    table = solo().set("2 the-excuse: the-pact", hand="the-mill the-pact").do("sell the-mill")
    assert table.tokens(1) == "1 waves 1 leaves"
    assert table.may == {
        f"place the-mill at {home}"
        for home in ("the-borderland", "the-harvest", "the-light-keeper")
    }
    assert "MG-30" in table.why("place the-mill at the-excuse")
    assert "MG-101" in table.why("end")
    table.do("place the-mill at the-harvest")
    assert (table.total(2, "the-harvest"), table.cards(Place.DISCARD)) == (8, set())
    assert "end" in table.may


def test_mg_101_one_place_alone_is_taken_and_none_is_the_discard():
    full = {(2, home): "the-pact" for home in ("the-borderland", "the-excuse", "the-harvest")}
    table = solo().set(hand="the-mill the-sailor", rows=full).do("sell the-mill")
    assert (table.row(2, "the-light-keeper"), table.may) == (["the-mill"], {"end"})
    full[2, "the-light-keeper"] = "the-betrayal"
    table = solo().set(hand="the-mill the-sailor", rows=full).do("sell the-mill")
    assert table.cards(Place.DISCARD) == {"the-mill"}


def test_mg_101_excuse_start_holds_on_the_automas_side_too():
    table = solo(excuse_start="aces").set(hand="the-mill ace-of-waves").do("sell the-mill")
    assert "place the-mill at the-excuse" not in table.may
    assert "MG-30" in table.why("place the-mill at the-excuse")


def test_mg_102_hard_matches_a_suit_of_its_crowns_where_it_can():
    table = solo("hard").set(hand="the-mill the-pact").do("sell the-mill")
    assert table.may == {f"place the-mill at {home}" for home in ("the-borderland", "the-harvest")}
    for home in ("the-light-keeper", "the-excuse"):
        why = table.why(f"place the-mill at {home}")
        assert why.startswith("MG-102: the Mill must be matched by leaves"), home


def test_mg_102_the_excuse_matches_nothing_and_is_no_way_round():
    """At the Excuse's first place nothing is matched, so that is no match on a Crown's suit."""
    blocked = {(2, home): "the-pact" for home in ("the-borderland", "the-harvest")}
    one = {(2, "the-borderland"): "the-pact"}
    table = solo("hard").set(hand="the-mill the-pact", rows=one).do("sell the-mill")
    assert table.row(2, "the-harvest") == ["the-mill"], "one match by leaves is left"
    table = solo("hard").set(hand="the-mill the-pact", rows=blocked).do("sell the-mill")
    assert table.may == {
        f"place the-mill at {home}" for home in ("the-excuse", "the-light-keeper")
    }, "no match by leaves is possible: wherever it fits, at the Excuse too"


def test_mg_102_behind_the_first_property_the_excuse_is_a_district_as_any_other():
    rows = {(2, "the-excuse"): "the-sailor"}
    table = solo("hard").set(hand="the-mill the-pact", rows=rows).do("sell the-mill")
    assert "place the-mill at the-excuse" in table.may, "the Sailor has leaves"


def test_mg_102_excuse_start_aces_an_ace_is_matched_elsewhere_too():
    table = solo("hard", excuse_start="aces").set(hand="ace-of-knots the-pact")
    table.do("sell ace-of-knots")
    assert table.may == {
        f"place ace-of-knots at {home}" for home in ("the-watchman", "the-light-keeper")
    }
    table = solo(excuse_start="aces").set(hand="ace-of-knots the-pact")
    assert "place ace-of-knots at the-excuse" in table.do("sell ace-of-knots").may


def test_mg_102_otherwise_any_match():
    table = solo("hard").set(hand="the-pact the-mill").do("sell the-pact")
    assert table.may == {
        f"place the-pact at {home}"
        for home in ("the-watchman", "the-excuse", "the-harvest", "the-light-keeper")
    }, "moons and suns are not its Crowns' suits"
    blocked = {(2, home): "the-pact" for home in ("the-borderland", "the-excuse", "the-harvest")}
    table = solo("hard").set(hand="the-mill the-pact", rows=blocked).do("sell the-mill")
    assert table.row(2, "the-light-keeper") == ["the-mill"], "by waves, there is nothing better"


def test_mg_102_two_such_suits_either():
    table = solo("hard").set(hand="the-betrayal the-pact").do("sell the-betrayal")
    assert table.may == {
        f"place the-betrayal at {home}"
        for home in ("the-watchman", "the-borderland", "the-light-keeper")
    }
    assert "by wyrms or knots" in table.why("place the-betrayal at the-excuse")


def test_mg_102_easy_does_not_care():
    table = solo().set(hand="the-mill the-pact").do("sell the-mill")
    assert "place the-mill at the-light-keeper" in table.may


def test_mg_103_the_deck_is_run_through_once():
    table = solo().set(hand="the-mill the-pact the-cave", pile="the-origin the-author")
    table.do("sell the-mill", "place the-mill at the-excuse", "end", "draw 1 the-author")
    turn_of(table, "the-author")
    assert table.may == {"draw 1 the-origin"}
    table.do("draw 1 the-origin")
    turn_of(table, "the-cave")
    assert table.actor == -1
    assert len(table.hand(1)) == 2


def turn_of(table, sold):
    """A whole turn against the automa."""
    table.do("roll 2", "roll 2", f"sell {sold}")
    if table.can("place"):
        table.do(min(table.may))
    table.do("end")


def test_mg_103_twenty_five_turns():
    table = solo()
    ends = 0
    while table.actor >= 0:
        text = min(table.can("sell") or table.may)
        ends += text == "end"
        table.do(text)
    assert ends == 25


def test_the_game_says_what_the_side_is_called_that_nobody_plays():
    assert Match(GAME, 1, {"automa": "easy"}, names=["Ann"], how="plain").side_names() == [
        "Ann",
        "Automa",
    ]
    assert Match(GAME, 2, names=["Ann", "Bill"], how="plain").side_names() == ["Ann", "Bill"]
    assert GAME.side_names(["Ann"], 3) == ["Ann", "Automa", "Side 3"]
