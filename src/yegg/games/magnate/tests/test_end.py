"""The end of the deck, scoring, Courts: MG-50 … MG-90."""

import pytest

from yegg.games.magnate.state import Place

from .setting import Table


def ending(hands, pile, discards="", turn=1, *, shuffled=False, **options):
    """Both hands full, the pile as given, nothing affordable."""
    table = Table(**options).set(
        hand=hands[0], theirs=hands[1], pile=pile, discards=discards, turn=turn
    )
    table.s.shuffled = shuffled
    return table


HANDS = ("the-mill the-pact the-cave", "the-author the-desert the-castle")


def turn(table, sold):
    table.do("roll 2", "roll 2", f"sell {sold}", "end")


# The end of the deck


def test_mg_50_the_discards_are_shuffled_at_the_draw_that_needs_it():
    table = ending(HANDS, pile="the-origin", discards="the-forest the-market")
    table.do("sell the-mill", "end")
    assert table.may == {"draw 1 the-origin"}
    table.do("draw 1 the-origin")
    assert table.cards(Place.DISCARD) == {"the-forest", "the-market", "the-mill"}
    turn(table, "the-author")
    assert table.may == {f"draw 2 the-{x}" for x in ("forest", "market", "mill", "author")}
    assert table.cards(Place.DISCARD) == set()
    table.do("draw 2 the-author")
    assert (table.s.pile, table.s.final_turns) == (3, 0)


def test_mg_50_the_card_just_sold_may_come_back():
    table = ending(HANDS, pile="", discards="").do("sell the-mill", "end")
    assert table.may == {"draw 1 the-mill"}
    table.do("draw 1 the-mill")
    assert table.s.final_turns == 2, "that was the last card of the second run (MG-51)"


def test_mg_50_ruling_without_discards_nobody_draws_and_the_end_begins():
    table = ending(HANDS, pile="")
    table.s.tokens[0] = 9
    table.do("deed the-mill at the-excuse", "end")
    assert table.can("roll") == table.may
    assert len(table.hand(1)) == 2
    turn(table, "the-author")
    assert table.can("roll") == table.may
    table.do("roll 2", "roll 2", "sell the-cave", "end")
    assert table.actor == -1
    assert (table.hand(1), table.hand(2)) == ({"the-pact"}, {"the-desert", "the-castle"})


def test_mg_51_one_final_turn_each_the_other_first_and_nobody_draws():
    table = ending(HANDS, pile="the-origin", shuffled=True)
    table.do("sell the-mill", "end", "draw 1 the-origin", "roll 2", "roll 2")
    assert table.actor == 2
    table.do("sell the-author", "end")
    assert table.can("roll") == table.may
    table.do("roll 2", "roll 2")
    assert table.actor == 1
    table.do("sell the-pact", "end")
    assert (table.actor, table.may) == (-1, set())
    assert len(table.hand(1)) == len(table.hand(2)) == 2


def test_mg_51_seat_two_may_draw_the_last_card():
    table = ending(HANDS, pile="the-origin", shuffled=True, turn=2)
    table.do("sell the-author", "end", "draw 2 the-origin")
    turn(table, "the-mill")
    turn(table, "the-desert")
    assert table.actor == -1


def test_mg_51_the_first_run_ends_nothing():
    table = ending(HANDS, pile="the-origin").do("sell the-mill", "end", "draw 1 the-origin")
    assert table.s.final_turns == 0


def test_mg_52_deeds_and_the_tokens_on_them_count_nothing():
    table = Table().set("1 the-excuse: the-pact (8 moons)", "2 the-excuse: ace-of-moons")
    assert table.scores == [0, 1]
    table.set("1 the-excuse: the-pact (8 moons)")
    assert table.total(1, "the-excuse") == 0


# Scoring


def test_mg_60_ranks_add_up():
    table = Table().set("1 the-excuse: the-mill the-origin the-sailor")
    assert table.total(1, "the-excuse") == 14


def test_mg_60_the_text_example_an_ace_counts_its_suit():
    """Alone it counts one; with 3, 5 and 8 of its suit in the district, four."""
    table = Table().set(
        "1 the-harvest: ace-of-moons",
        "1 the-excuse: the-painter the-soldier ace-of-knots the-betrayal",
        "2 the-excuse: the-author",
    )
    assert (table.total(1, "the-harvest"), table.total(1, "the-excuse")) == (1, 3 + 5 + 8 + 4)


def test_mg_60_the_ace_does_not_count_deeds_other_rows_or_other_suits():
    table = Table().set(
        "1 the-excuse: ace-of-knots the-desert the-betrayal (7 knots)",
        "1 the-light-keeper: the-castle",
    )
    assert table.total(1, "the-excuse") == 1 + 2


def test_mg_61_the_higher_total_scores_equal_ones_do_not():
    table = Table().set(
        "1 the-watchman: the-author",
        "2 the-watchman: the-painter",
        "1 the-borderland: the-mill",
        "2 the-excuse: the-pact",
        "1 the-harvest: the-mountain",
        "2 the-harvest: the-sailor",
    )
    assert (table.scores, table.ahead()) == ([1, 2], 2)


def test_mg_61_more_districts_beat_any_total():
    table = Table().set(
        "1 the-watchman: the-author",
        "1 the-borderland: the-origin",
        "2 the-excuse: the-pact the-diplomat the-mountain",
        their_tokens="50 moons",
    )
    assert (table.scores, table.ahead()) == ([2, 1], 1)


def test_mg_61_the_poorest_district_ignored():
    table = Table(poorest="ignored").set(
        "1 the-watchman: the-author",
        "2 the-borderland: the-mill",
        "2 the-excuse: the-pact",
        "1 the-harvest: the-mountain",
        "1 the-light-keeper: the-desert ace-of-suns",
    )
    assert table.scores == [2, 2], "the Watchman, two in all, scores for nobody"
    assert table.ahead() == 2, "the sum still counts it (MG-62): 10 to 17"


def test_mg_61_all_the_equally_poorest_are_ignored():
    table = Table(poorest="ignored", districts="4").set(
        "1 the-watchman: the-author",
        "2 the-borderland: the-origin",
        "1 the-harvest: the-pact",
        "2 the-light-keeper: ace-of-knots ace-of-suns",
    )
    assert table.scores == [1, 0]
    table = Table(poorest="ignored").set()
    assert table.scores == [0, 0]


def test_mg_62_first_the_sum_of_all_totals():
    table = Table().set(
        "1 the-watchman: the-author", "2 the-excuse: ace-of-knots the-painter", tokens="9 moons"
    )
    assert (table.scores, table.ahead()) == ([1, 1], 2)


def test_mg_62_totals_of_lost_and_level_districts_count():
    table = Table().set(
        "1 the-watchman: the-author",
        "2 the-watchman: the-soldier",
        "1 the-excuse: the-pact",
        "2 the-excuse: the-mill",
    )
    assert table.scores == [1, 1]
    assert table.ahead() == 2, "11 to 13"


@pytest.mark.parametrize(("counts", "ahead"), [("district", 1), ("one", 2)])
def test_mg_62_ace_total_in_the_first_tie_break(counts, ahead):
    table = Table(ace_total=counts).set(
        "1 the-excuse: ace-of-knots the-painter the-soldier",
        "2 the-watchman: the-betrayal ace-of-wyrms",
        their_tokens="1 suns",
    )
    assert (table.total(1, "the-excuse"), table.total(2, "the-watchman")) == (11, 10)
    assert table.scores == [1, 1]
    assert table.ahead() == ahead, "11 to 10, or 9 to 9 and a token"


def test_mg_62_then_tokens_but_not_those_on_deeds():
    rows = {
        (1, "the-watchman"): "the-author",
        (2, "the-borderland"): "the-origin",
        (1, "the-harvest"): "the-pact",
    }
    table = Table().set(tokens="2 moons 1 suns", their_tokens="4 knots", rows=rows)
    table.s.deed[0, table.district("the-harvest")] = 1
    table.s.paid[0, table.district("the-harvest")] = [8, 0, 0, 0, 0, 0]
    assert (table.scores, table.ahead()) == ([1, 1], 2)


def test_mg_62_then_it_is_a_draw():
    assert Table().set(tokens="1 moons", their_tokens="1 knots").ahead() == 0


# Courts


def test_mg_90_courts_are_in_the_deck_by_option():
    assert (Table().s.pile, Table(courts="yes").s.pile) == (24, 28)
    table = Table(courts="yes").set()
    assert {"the-consul", "the-rite", "the-window", "the-island"} <= table.cards(Place.PILE)


def test_mg_90_a_court_sells_for_three():
    table = Table(courts="yes").set(hand="the-window the-mill").do("sell the-window")
    assert table.tokens(1) == "1 suns 1 leaves 1 knots"


def test_mg_90_a_court_costs_ten_of_three_suits():
    table = Table(courts="yes").set(hand="the-window the-mill", tokens="4 suns 5 leaves 3 knots")
    table.do("develop the-window at the-harvest")
    assert table.may == {"pay 2 suns", "pay 3 suns", "pay 4 suns"}
    table.do("pay 3 suns")
    assert table.may == {"pay 4 leaves", "pay 5 leaves"}
    table.do("pay 4 leaves")
    assert (table.tokens(1), table.total(1, "the-harvest")) == ("1 suns 1 leaves", 10)


def test_mg_90_at_least_one_of_each_and_lines_only_where_there_is_a_choice():
    table = Table(courts="yes").set(hand="the-window the-mill", tokens="9 suns 1 leaves 1 knots")
    table.do("develop the-window at the-harvest")
    assert table.tokens(1) == "1 suns"
    table = Table(courts="yes").set(hand="the-window", tokens="19 suns 1 leaves")
    assert not table.can("develop")
    assert "MG-90" in table.why("develop the-window at the-harvest")


def test_mg_90_a_court_deed_and_its_ten_tokens():
    table = Table(courts="yes").set(hand="the-window the-mill", tokens="11 suns 1 leaves 1 knots")
    table.do("deed the-window at the-harvest")
    assert table.tokens(1) == "10 suns"
    table.do(*["add suns to the-window"] * 9)
    assert table.is_deed(1, "the-harvest")
    table.do("add suns to the-window")
    assert table.total(1, "the-harvest") == 10


def test_mg_90_a_court_gives_no_income():
    table = Table(courts="yes").set("1 the-excuse: the-window", "1 the-harvest: the-rite ()")
    table.rolls().do("roll 10", "roll 10")
    assert table.tokens(1) == "1 moons 1 suns 1 waves", "the Crowns only"
    table.rolls().do("roll 9", "roll 9")
    assert table.tokens(1) == "1 moons 1 suns 1 waves"


def test_mg_90_an_ace_counts_a_court_of_its_suit():
    table = Table(courts="yes").set("1 the-excuse: the-window ace-of-knots")
    assert table.total(1, "the-excuse") == 12
