"""How likely each merchant is to win, as thinking players judge it."""

import numpy as np
import pytest

from yegg.games.magnate import lore

from .setting import Table

LEAD = {
    (1, "the-watchman"): "the-battle the-betrayal",
    (1, "the-borderland"): "the-cave the-darkness",
    (1, "the-excuse"): "the-mill the-forest",
    (2, "the-harvest"): "the-mountain the-pact",
}


def shares(table):
    found = np.zeros(2)
    lore.chances(table.s, found)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    return found


def test_nobody_is_likelier_where_all_is_equal_but_for_the_turn():
    first, second = (shares(Table().set(turn=turn).rolls(turn)) for turn in (1, 2))
    assert 0.5 < first[0] < 0.6
    assert second == pytest.approx(first[::-1])


def test_three_districts_that_nobody_can_make_up_for_win():
    table = Table().set(rows=LEAD, pile="").rolls()
    table.s.final_turns = 1
    assert table.ahead() == 1
    assert shares(table)[0] > 0.99


def test_a_lead_says_more_towards_the_end():
    early = shares(Table().set(rows=LEAD).rolls())
    late = Table().set(rows=LEAD, pile="the-sailor the-penitent").rolls()
    late.s.shuffled = 1
    assert 0.6 < early[0] < shares(late)[0]


def test_a_deed_nearly_paid_for_counts_more_than_one_begun():
    rows = {(1, "the-watchman"): "the-betrayal"}
    begun, nearly = (
        shares(Table().set(rows=rows, deeds={(1, "the-watchman"): paid}).rolls())[0]
        for paid in ("1 wyrms", "4 wyrms 3 knots")
    )
    assert begun < nearly


def test_level_in_districts_the_sum_of_all_totals_decides():
    """MG-62."""
    rows = {(1, "the-watchman"): "the-betrayal", (2, "the-harvest"): "the-mountain"}
    table = Table().set(rows=rows, pile="").rolls(2)
    table.s.final_turns = 1
    assert table.ahead() == 1
    assert shares(table)[0] > 0.5
