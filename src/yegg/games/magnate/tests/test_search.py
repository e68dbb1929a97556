"""A search finds what wins: with everything in sight, and against a hand it cannot see."""

import pytest

from yegg.engine import Match
from yegg.games.magnate import GAME
from yegg.players import Bot

from .setting import Table

TWO_EACH = {
    (1, "the-watchman"): "the-battle the-betrayal",
    (1, "the-borderland"): "the-cave the-darkness",
    (2, "the-harvest"): "the-mountain the-pact",
    (2, "the-light-keeper"): "the-painter the-castle",
}
"""Rows that no card of the last turns can make up for: the Excuse decides."""


def choice(table, turns_left):
    """What the search plays, in words; ``turns_left`` to both together once the pile is gone."""
    table.s.final_turns, table.s.shuffled = turns_left, 1
    match = Match(GAME, 2, how="plain")
    match.states[:] = table.states
    match._refresh()
    return match.say(Bot("search:3000", 1).choose(match.view()))


@pytest.mark.wide
def test_the_last_card_goes_where_it_wins_the_deciding_district():
    table = Table().set(
        hand="the-discovery the-diplomat",
        theirs="the-origin the-journey",
        tokens="3 suns 2 waves",
        rows={**TWO_EACH, (2, "the-excuse"): "the-sailor"},
        pile="",
    )
    assert table.ahead() == 2
    assert {"develop the-discovery at the-light-keeper", "sell the-discovery"} <= table.may
    assert choice(table, 1) == "develop the-discovery at the-excuse"
    table.do("develop the-discovery at the-excuse")
    assert table.ahead() == 1


@pytest.mark.wide
def test_the_highest_card_holds_a_district_against_a_hand_that_is_not_seen():
    """Seat 2 holds three of these five, can pay for any, and wants a higher one at the Excuse."""
    table = Table().set(
        hand="the-discovery the-mill",
        theirs="the-origin the-forest the-chance-meeting",
        tokens="1 suns 7 waves 3 leaves",
        their_tokens="9 moons 9 suns 9 waves 9 leaves 9 wyrms 9 knots",
        rows=TWO_EACH,
        pile="the-soldier the-penitent",
    )
    several = {f"develop {card} at the-excuse" for card in ("the-discovery", "the-mill")}
    assert several <= table.may
    assert choice(table, 0) == "develop the-mill at the-excuse"
