"""TM-40 … TM-43: Notoriety, its awards with their ties, and who wins."""

import pytest

from yegg.games.thiefs_market.cards import CARDS

HENCHMEN = [card.slug for card in CARDS if card.icons == (0,)]  # one icon and no other


def with_henchmen(t, *numbers):
    """So many henchman icons by seat."""
    single = iter(HENCHMEN)
    for seat, number in enumerate(numbers, 1):
        t.give(seat, *(next(single) for _ in range(number)))
    return t


@pytest.mark.parametrize(
    ("numbers", "awards"),
    [
        ((3, 2, 1, 0), [3, 1, 0, 0]),
        ((0, 1, 2, 3), [0, 0, 1, 3]),
        ((2, 2, 1, 0), [2, 2, 1, 0]),  # after a tie for most, the next is still the second most
        ((3, 1, 1, 0), [3, 0, 0, 0]),  # a tie for second: one less, nothing
        ((2, 2, 1, 1), [2, 2, 0, 0]),
        ((2, 2, 2, 0), [2, 2, 2, 0]),
        ((2, 2, 2, 1), [2, 2, 2, 1]),
        ((2, 2, 2, 2), [2, 2, 2, 2]),
        ((0, 0, 0, 0), [0, 0, 0, 0]),  # nobody has any: nothing for it
        ((1, 0, 0, 0), [3, 0, 0, 0]),  # none is not the second most
        ((2, 2, 0, 0), [2, 2, 0, 0]),
        ((2, 1, 0, 0), [3, 1, 0, 0]),
        ((2, 0, 1, 1), [3, 0, 0, 0]),
    ],
)
def test_tm_40_tm_41_henchmen(table, numbers, awards):
    assert with_henchmen(table(), *numbers).awards()[0] == awards


def test_tm_40_icons_count_and_not_cards(table):
    t = table(3).give(1, "executive-assistant").give(2, "tailor")
    assert t.awards()[0] == [3, 1, 0]
    t.give(3, "bondsman", "fence", "pawnbroker")
    assert t.awards()[0] == [1, 0, 3]


@pytest.mark.parametrize(
    ("gold", "awards"),
    [
        ((4, 3, 2, 1), [3, 0, 0, 0]),
        ((1, 3, 3, 2), [0, 2, 2, 0]),
        ((0, 0, 0, 0), [0, 0, 0, 0]),  # nobody has Gold: nothing for it
        ((1, 0, 1, 0), [2, 0, 2, 0]),
        ((0, 0, 0, 1), [0, 0, 0, 3]),
        ((5, 5, 5, 4), [2, 2, 2, 0]),
    ],
)
def test_tm_40_tm_41_gold_has_no_second_place(table, gold, awards):
    assert table().gold(*gold).awards()[1] == awards


def test_tm_41_ties_for_each_award_are_apart(table):
    t = with_henchmen(table(3), 2, 2, 1).gold(1, 1, 0)
    assert t.awards() == ([2, 2, 1], [2, 2, 0])


def test_tm_41_second_most_of_two_when_only_one_player_has_any(table):
    t = with_henchmen(table(3), 1, 0, 0).gold(0, 0, 0)
    assert t.awards() == ([3, 0, 0], [0, 0, 0])
    assert [t.score(seat) for seat in (1, 2, 3)] == [3, 0, 0]


def test_tm_41_all_other_sources_are_left_alone(table):
    """No Gold and no henchman: only points of cards and Infamy count."""
    t = table(3).gold(0, 0, 0).infamy(1, 0, 2).give(2, "crown")
    assert [t.score(seat) for seat in (1, 2, 3)] == [1, 6, 2]


def test_tm_42_awards_points_of_cards_and_infamy(table):
    t = table().give(1, "crown", "necklace", "tailor").gold(3).infamy(4)
    assert t.score(1) == 3 + 3 + 6 + 2 + 4
    assert t.score(2) == 0  # tied second for henchmen: 1 - 1


def test_tm_42_the_score_of_the_record_is_the_notoriety(table):
    t = table(3).deck("C", left=0).market("crown").gold(3, 1, 1).infamy(0, 7, 1).evening("b*")
    t.play("buy crown").finish_round()
    assert t.match.over
    # nobody has a henchman: nothing for it; Gold 1, 2, 2: 2 for seats 2 and 3
    assert (t.match.scores, t.match.places) == ([6, 2 + 7, 2 + 1], [2, 1, 3])


def test_tm_43_the_highest_total_wins(table):
    assert table(3).gold(0, 0, 0).infamy(3, 5, 4).match.places == [3, 1, 2]


def test_tm_43_then_more_cards(table):
    t = table(3).gold(0, 0, 0).infamy(3, 0, 0).give(2, "menacing-monocle")
    assert (t.score(1), t.match.places) == (t.score(2), [2, 1, 3])


def test_tm_43_then_more_infamy_tokens(table):
    t = table(3).gold(0, 0, 0).infamy(2, 1, 0)
    t.give(1, "menacing-monocle").give(2, "fur-coat").give(3, "glamer")
    assert t.score(1) == t.score(2) == 2 + 3 == 1 + 4
    assert t.match.places == [1, 2, 3]


def test_tm_43_then_they_share_the_win(table):
    t = table(3).gold(0, 0, 0).infamy(2, 2, 1)
    assert t.match.places == [1, 1, 3]


def test_tm_43_a_tie_break_never_beats_a_point(table):
    t = table(3).gold(0, 0, 0).infamy(0, 1, 0)
    t.give(1, "glamer", "alchemical-lab", "philosophers-stone")
    assert t.match.places[:2] == [2, 1]
