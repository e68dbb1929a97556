"""A search finds what wins the game: at the last market, and when the loot is split."""

import pytest

from yegg.players import Bot


def choice(t):
    """What the search plays, in words."""
    return t.match.say(Bot("search:3000", 1).choose(t.match.view()))


def last_market(table, rival, *cards):
    """Three seats with nothing but seat 2's Infamy; whoever buys a card ends the game."""
    return table(3).deck("C", left=0).market(*cards).gold(0, 0, 0).infamy(0, rival, 0)


@pytest.mark.wide
def test_the_card_that_wins_is_bought_and_not_the_one_that_comes_second(table):
    t = last_market(table, 3, "crown", "fur-coat").evening("RWBB*")
    ends = {}
    for card in ("crown", "fur-coat"):
        twin = last_market(table, 3, "crown", "fur-coat").evening("RWBB*").play(f"buy {card}")
        ends[card] = twin.finish_round().match.places
    assert ends == {"crown": [1, 2, 3], "fur-coat": [2, 1, 3]}
    assert choice(t) == "buy crown"


@pytest.mark.wide
def test_what_buys_the_winning_card_is_taken_and_not_the_greater_heap(table):
    t = last_market(table, 5, "crown").split("WBBm", "GGGRmmb", "b*", "", turn=3)
    assert {"steal 1", "steal 2", "take-all"} <= t.texts
    assert choice(t) == "take-all"
    t.play("take-all", "done", "buy crown").finish_round()
    assert t.match.places == [3, 2, 1]
