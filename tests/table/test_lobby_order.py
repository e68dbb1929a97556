"""What comes first in the lobby's lists, and what is folded away: decided from rows alone."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yegg import games
from yegg.engine.days import day_of
from yegg.table.domain.clock import DAY, HOUR, ClockTerms
from yegg.table.service.lobby import CONSIDERED, DAYS, entry, listed, mine, waiting

NOW = 100 * DAY
GAME = games.find("second-story")


def row(number=1, *, people=("ann", None), clock=None, to_act=1, waits=None, **more):
    """A game as the database has it; it waits for the first seat, since an hour ago."""
    since = NOW - HOUR
    waits = [[0, 5, since, None]] if waits is None else waits
    about = {
        "id": number, "key": f"key {number}", "game": GAME.name, "version": GAME.version,
        "name": f"Table {number}", "seats": len(people), "at": since, "news": since,
        "newest": since, "ended": None, "result": None, "clock": clock and clock.stored(),
        "people": [[who or "Seat", who, None] for who in people], "to_act": to_act,
        "waits": waits, "listed": True, "chance": None,
    }  # fmt: skip
    about |= {"watch": None, "begun": None}
    return SimpleNamespace(**about | more)


def store(*rows):
    """A store with these rows."""
    hours = SimpleNamespace(now=lambda: NOW, closed=())
    return SimpleNamespace(
        hours=hours, listed=lambda *_: list(rows), of_person=lambda *_: list(rows)
    )


def due(number, hours, since=1):
    """A row that waits for Ann, until then; None: nobody is hurried."""
    until = None if hours is None else NOW + hours * HOUR
    terms = None if hours is None else ClockTerms(DAY)
    return row(number, clock=terms, waits=[[0, 5, NOW - since * HOUR, until]])


def keys(tables):
    return [int((getattr(one, "id", 0) or one.key).split()[-1]) for one in tables]


def test_tables_with_a_free_seat_come_first_whoever_looks_may_join_there():
    full, free = row(1, people=("ben", "cid")), row(2, people=("dan", None))
    found = listed(store(full, free, row(3, people=("eve", "fay"))), lambda _: False)
    assert [(one.id, one.taken) for one in found] == [("key 2", 1), ("key 1", 2), ("key 3", 2)]


def test_whoever_is_kept_apart_from_somebody_does_not_see_their_tables():
    def minds(people):
        return any(who == "ben" for _, who, _ in people)

    found = listed(store(row(1, people=("ben", None)), row(2, people=("dan", None))), minds)
    assert keys(found) == [2]


def test_the_lobby_looks_back_for_three_days():
    asked = []
    there = store()
    there.listed = lambda since, many: asked.append((since, many)) or []
    listed(there, lambda _: False)
    assert asked == [(NOW - DAYS * DAY, CONSIDERED)]


ROWS = [due(1, None, 2), due(2, 9), due(3, 4), due(4, None, 7), row(5, to_act=2, waits=[])]


@given(st.permutations(ROWS))
def test_ones_own_tables_begin_with_the_nearest_deadline(rows):
    """Then those that wait without one, the longest first; then all others."""
    assert keys(mine(store(*rows), "ann")) == [3, 2, 4, 1, 5]


@given(st.permutations(ROWS))
def test_letters_and_programs_hear_of_tables_in_the_same_order(rows):
    assert keys(waiting(rows, "ann", (), NOW)) == [3, 2, 4, 1]


def test_the_deal_of_a_day_that_is_over_calls_nobody():
    rows = [row(1, chance=f"deal {day_of(NOW - DAY)}"), row(2, chance=f"deal {day_of(NOW)}")]
    rows.append(row(3, chance="challenge of-a-friend"))
    assert keys(waiting(rows, "ann", (), NOW)) == [2, 3]
    shown = {one.id: (one.your_turn, one.late) for one in mine(store(*rows), "ann")}
    assert shown == {"key 1": (False, True), "key 2": (True, False), "key 3": (True, False)}


def test_tables_where_one_only_watches_are_not_ones_own():
    assert mine(store(row(1, people=("ben", "cid"))), "ann") == []


@pytest.mark.parametrize(
    ("clock", "age", "idle"),
    [
        (None, DAY - 1, False), (None, DAY + 1, True),
        (ClockTerms(3 * DAY), 2 * DAY, False), (ClockTerms(3 * DAY), 4 * DAY + 1, True),
        (ClockTerms(DAY, reserve=DAY, holiday=5 * DAY), 8 * DAY - 1, False),
        (ClockTerms(DAY, reserve=DAY, holiday=5 * DAY), 8 * DAY + 1, True),
    ],
)  # fmt: skip
def test_a_table_is_idle_after_a_day_beyond_what_its_clock_allows(clock, age, idle):
    assert entry(row(clock=clock, news=NOW - age), NOW, ()).idle == idle


@pytest.mark.parametrize(
    ("people", "to_act", "ended", "paused"),
    [
        (("ann", "ben"), 0, None, True), (("ann", "ben"), 1, None, False),
        (("ann", None), 0, None, False), (("ann", "ben"), 0, NOW, False),
    ],
)  # fmt: skip
def test_a_full_table_with_a_clock_that_waits_for_nobody_is_paused(people, to_act, ended, paused):
    one = row(people=people, to_act=to_act, ended=ended, clock=ClockTerms(DAY))
    assert entry(one, NOW, ()).paused == paused
    assert not entry(row(people=people, to_act=to_act, ended=ended), NOW, ()).paused


def test_it_is_ones_turn_only_where_the_bit_of_ones_seat_is_set():
    rows = [row(people=("ben", "ann"), to_act=bits) for bits in range(4)]
    assert [entry(one, NOW, (), "ann").your_turn for one in rows] == [False, False, True, True]
    assert not any(entry(one, NOW, (), "cid").your_turn for one in rows), "who has no seat"
