"""Who is told what, and when: decided from how things stand."""

import random

import pytest

from yegg.table.notifications.schedule import GAP, HOUR, MINUTE, SETTLE, Rhythm, Turn, letter

DAY = 24 * HOUR


def turn(**more):
    return Turn(1, 0, 5, DAY, None, 0, 0, 0)._replace(**more)


def test_soon_but_not_at_once():
    assert letter(DAY + SETTLE - 1, Rhythm(), [turn()]) == []
    assert letter(DAY + SETTLE, Rhythm(), [turn()]) == [turn()]
    assert letter(DAY + HOUR, Rhythm(), [turn(told=5)]) == []


def test_who_has_seen_this_turn_is_not_told_and_who_saw_the_last_one_is():
    assert letter(DAY + HOUR, Rhythm(), [turn(seen=3)])
    assert not letter(DAY + HOUR, Rhythm(), [turn(seen=5)])


def test_a_last_call_even_to_who_has_seen_it_but_once():
    due = turn(seen=5, told=5, due=3 * DAY)
    assert not letter(3 * DAY - 6 * HOUR - 1, Rhythm(), [due])
    assert letter(3 * DAY - 6 * HOUR, Rhythm(), [due]) == [due]
    assert not letter(3 * DAY - HOUR, Rhythm(), [due._replace(called=5)])
    assert not letter(3 * DAY, Rhythm(), [due]), "then it is too late"


def test_no_last_call_where_a_turn_takes_minutes():
    live = turn(seen=5, told=5, due=DAY + 10 * MINUTE)
    assert not any(letter(DAY + n * MINUTE, Rhythm(), [live]) for n in range(12))


def test_last_calls_keep_the_gap_unless_it_is_nearly_too_late():
    due = turn(seen=5, told=5, due=3 * DAY)
    now = 3 * DAY - 2 * HOUR
    assert not letter(now, Rhythm(last=now - GAP + 1), [due])
    assert letter(now, Rhythm(last=now - GAP), [due])
    now = 3 * DAY - GAP
    assert letter(now, Rhythm(last=now - MINUTE), [due])


def test_a_letter_takes_along_what_would_be_told_later():
    fresh, ripe = turn(game=2, since=DAY + SETTLE), turn()
    assert letter(DAY + SETTLE, Rhythm(), [ripe, fresh]) == [ripe, fresh]


def test_a_digest_at_its_hour_by_the_wall_clock():
    berlin = Rhythm((8,), "Europe/Berlin", last=DAY)
    assert not letter(DAY + 6 * HOUR + 59 * MINUTE, berlin, [turn()])
    assert letter(DAY + 7 * HOUR, berlin, [turn()])
    assert not letter(DAY + 9 * HOUR, berlin._replace(last=DAY + 7 * HOUR), [turn(game=2)])
    july = 20_649 * DAY  # 2026
    summer = berlin._replace(last=july)
    assert not letter(july + 5 * HOUR + 59 * MINUTE, summer, [turn()])
    assert letter(july + 6 * HOUR, summer, [turn()])


@pytest.mark.parametrize("hours", [(), (8, 18)])
def test_ten_days_of_twenty_tables(hours):
    """Nobody is flooded, no turn stays untold, and a house that is closed for hours catches up."""
    dice, now = random.Random(4), DAY
    rhythm, tables, sent, opened = Rhythm(hours), {}, [], now
    for game in range(20):
        tables[game] = turn(game=game, number=1, since=now, due=now + 2 * DAY)
    while now < 11 * DAY:
        now += MINUTE
        if dice.random() < 0.001:
            now = opened = now + 5 * HOUR  # the house was closed
        for game, there in tables.items():
            if dice.random() < 0.002:  # played, and after a while it is our turn again
                since = now + dice.randrange(12 * HOUR)
                tables[game] = there._replace(
                    number=there.number + 2, since=since, due=since + 2 * DAY
                )
        waiting = [there for there in tables.values() if there.since <= now]
        told = letter(now, rhythm, waiting)
        if not told:
            late = [t for t in waiting if t.told != t.number and t.due > now]
            most = GAP + SETTLE if not hours else 15 * HOUR
            assert all(now - max(t.since, opened) < most for t in late)
            continue
        sent.append(now)
        rhythm = rhythm._replace(last=now)
        for one in told:
            called = one.number if one.due - now <= 6 * HOUR else one.called
            tables[one.game] = one._replace(told=one.number, called=called)
    assert len(sent) > 15
    hourly = max(sum(first <= t < first + HOUR for t in sent) for first in sent)
    assert hourly <= 4 + 2  # two nearly missed deadlines may come on top
