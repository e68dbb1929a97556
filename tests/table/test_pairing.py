"""Rounds of an evening: nobody sits twice, sizes are legal, byes are fair, few pairs meet again."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from yegg.table.domain.evening import OUT, WIN, points, standings
from yegg.table.domain.pairing import (
    apart,
    design,
    games_of,
    meetings,
    round_robin,
    sizes,
    swiss,
)

GAMES = {"magnate": range(2, 3), "second-story": range(2, 6), "secrets": range(3, 7)}
few = settings(max_examples=25, deadline=None)  # other programs may slow them
lots = st.integers(0, 10**9).map(random.Random)
fits = st.sampled_from(list(GAMES.values()))
PEOPLE = range(1, 31)


def evening(people, fit, wanted, rounds, draw):
    """So many Swiss rounds, in which lots decide who wins."""
    history, total = [], Counter()
    for _ in range(rounds):
        order = draw.sample(PEOPLE[:people], people)
        drew = swiss(order, history, total, fit, wanted)
        if drew is None:
            break
        history.append(drew)
        for table in drew.tables:
            for member in table:
                total[member] += Fraction(draw.randrange(13))
        total.update(dict.fromkeys(drew.out, OUT))
    return history


@few
@given(st.integers(0, 60), fits, st.integers(2, 6))
def test_tables_are_legal_as_even_as_can_be_and_leave_out_as_few_as_can_be(people, fit, wanted):
    made = sizes(people, fit, wanted)
    assert set(made) <= set(fit)
    assert max(made, default=0) - min(made, default=0) <= 1
    left = people - sum(made)
    possible = {0}
    for _ in range(people // min(fit)):
        possible |= {n + size for n in possible for size in fit}
    assert left == people - max(n for n in possible if n <= people)


@few
@given(st.integers(1, 30), fits, st.integers(2, 6), st.integers(1, 6), lots)
def test_nobody_sits_twice_in_a_round_and_all_are_somewhere(people, fit, wanted, rounds, draw):
    for one in evening(people, fit, wanted, rounds, draw):
        there = [member for table in one.tables for member in table]
        assert sorted([*there, *one.out]) == list(PEOPLE[:people])
        assert {len(table) for table in one.tables} <= set(fit)


@few
@given(st.integers(2, 15), st.integers(1, 12), lots)
def test_nobody_sits_out_twice_before_everybody_has_once(people, rounds, draw):
    history = evening(people, range(2, 3), 2, rounds, draw)
    for n in range(len(history) + 1):
        games = games_of(history[:n])
        played = [games[member] for member in PEOPLE[:people]]
        assert max(played) - min(played) <= 1


@few
@given(st.integers(2, 15), lots)
def test_in_pairs_nobody_meets_again_in_the_first_half_of_all_rounds(tables, draw):
    history = evening(2 * tables, range(2, 3), 2, tables, draw)
    assert set(meetings(history).values()) == {1}


@few
@given(st.integers(4, 24), st.integers(1, 4), lots)
def test_no_exchange_of_two_people_would_part_more_who_have_met(people, rounds, draw):
    history = evening(people, GAMES["secrets"], 4, rounds, draw)
    for n, one in enumerate(history):
        met = meetings(history[:n])

        def again(tables, met=met):
            pairs = (frozenset(pair) for table in tables for pair in combinations(table, 2))
            return sum(pair in met for pair in pairs)

        for first, second in combinations(range(len(one.tables)), 2):
            for a in one.tables[first]:
                for b in one.tables[second]:
                    other = {a: b, b: a}
                    moved = [[other.get(m, m) for m in table] for table in one.tables]
                    assert again(moved) >= again(one.tables)


def test_those_with_near_points_meet():
    total = {member: Fraction(20 - member) for member in range(1, 9)}
    drew = swiss([3, 1, 2, 8, 5, 4, 7, 6], [], total, range(2, 3), 2)
    assert {frozenset(table) for table in drew.tables} == {
        frozenset(pair) for pair in ((1, 2), (3, 4), (5, 6), (7, 8))
    }


def test_an_exchange_parts_two_who_have_met_rather_than_keep_ranks_near():
    tables = [[1, 2], [3, 4]]
    apart(tables, {frozenset((1, 2)): 1}, by_rank=True)
    assert {frozenset(table) for table in tables} in (
        {frozenset((1, 3)), frozenset((2, 4))},
        {frozenset((1, 4)), frozenset((2, 3))},
    )


def robin(people, fit, wanted):
    history = []
    while drew := round_robin(PEOPLE[:people], history, fit, wanted):
        history.append(drew)
    return history


@pytest.mark.parametrize("people", [2, 3, 4, 7, 8, 13])
def test_a_round_robin_of_pairs_lets_all_meet_exactly_once(people):
    history = robin(people, range(2, 3), 2)
    assert len(history) == people - 1 + people % 2
    met = meetings(history)
    assert len(met) == people * (people - 1) // 2
    assert set(met.values()) == {1}
    assert Counter(m for one in history for m in one.out) == (
        Counter(PEOPLE[:people]) if people % 2 else Counter()
    )


@pytest.mark.parametrize("size", [3, 5])
def test_as_many_tables_as_seats_let_all_meet_exactly_once(size):
    history = robin(size * size, range(3, 6), size)
    assert len(history) == size + 1
    met = meetings(history)
    assert len(met) == size * size * (size * size - 1) // 2
    assert set(met.values()) == {1}


@pytest.mark.parametrize("people", [4, 6, 10, 12])
def test_any_other_round_robin_goes_on_until_all_have_met(people):
    assert not design(PEOPLE[:people], sizes(people, range(3, 6), 4))
    met = meetings(robin(people, range(3, 6), 4))
    assert len(met) == people * (people - 1) // 2 or people == 4


def test_whoever_comes_late_to_a_round_robin_meets_everybody_too():
    history = [round_robin(PEOPLE[:4], [], range(2, 3), 2)]
    while drew := round_robin(PEOPLE[:5], history, range(2, 3), 2):
        history.append(drew)
    assert set(meetings(history)) == {frozenset(pair) for pair in combinations(PEOPLE[:5], 2)}


@few
@given(st.integers(2, 8), st.integers(1, 6), lots)
def test_seats_rotate(tables, rounds, draw):
    history = evening(2 * tables, range(2, 3), 2, rounds, draw)
    first = Counter(table[0] for one in history for table in one.tables)
    for member in PEOPLE[: 2 * tables]:
        assert abs(2 * first[member] - len(history)) <= 2


# Points


@few
@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_the_points_of_a_table_do_not_depend_on_ties(ranks):
    places = [1 + sum(other < one for other in ranks) for one in ranks]
    got = points(places)
    assert sum(got) == OUT * len(places)
    assert all(0 <= point <= WIN for point in got)
    assert [got[i] > got[j] for i in range(len(got)) for j in range(len(got))] == [
        places[i] < places[j] for i in range(len(got)) for j in range(len(got))
    ]


def test_equal_points_are_told_apart_by_wins_and_then_by_whom_one_met():
    history = [
        swiss([1, 2, 3, 4], [], {}, range(2, 3), 2),
    ]
    results = {(0, t): points([1, 2]) for t in range(2)}
    ranked = standings([1, 2, 3, 4], history, results)
    assert [one.place for one in ranked] == [1, 1, 3, 3]
    assert sum(one.points for one in ranked) == 2 * WIN
