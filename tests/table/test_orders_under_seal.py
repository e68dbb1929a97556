"""Orders under seal: what others see of them, and how they are carried out; see `sealed_orders`."""

from yegg.table.domain.automatic_events import next_event
from yegg.table.domain.clock import DAY
from yegg.table.domain.sealed_orders import rewritten, written
from yegg.table.domain.seats import Event, Kind

from .positions import first, orders, settle, table


def all_ordered():
    """A table of three where all orders of a turn are given, and none is carried out."""
    now = table("secrets", 3)
    settle(now)
    orders(now, 0, 5)
    orders(now, 1, 5)
    orders(now, 2, 5)
    return now


def test_others_see_of_orders_under_seal_only_who_is_ready():
    now = table("secrets", 3)
    settle(now)
    assert now.sealed
    assert now.waited_for() == [0, 1, 2]
    seen = now.seen.copy()
    orders(now, 2, 4, at=1)
    assert now.seen == [*seen[:2], seen[2] + 4, seen[3]]
    assert now.ready() == ()
    orders(now, 2, at=2)
    assert now.ready() == (2,)
    assert now.seen == [seen[0] + 1, seen[1] + 1, seen[2] + 5, seen[3] + 1]
    assert now.waited_for() == [0, 1]
    assert now.turn_of(2) is None
    assert now.turn_of(1)
    assert now.may_undo(2)
    assert not now.may_undo(1)
    now.apply(Event(2, Kind.UNDO, at=3))
    assert now.ready() == ()
    assert now.seen[:2] == [seen[0] + 2, seen[1] + 2]
    before = now.seen.copy()
    orders(now, 2, at=4)
    now.apply(Event(2, Kind.UNDO, at=4))
    assert now.seen[:2] == before[:2], "at one moment it is no change to others"
    now.apply(Event(0, Kind.ORDER, now.turn_of(0).choices[0], at=4))
    assert now.seen[1:] == [before[1], before[2] + 2, before[3]]


def test_sealed_orders_are_carried_out_once_all_are_given():
    now = table("secrets", 3)
    settle(now)
    orders(now, 0, 5)
    assert not now.in_motion()
    assert next_event(now, first) is None
    given = [*now.orders[0]]
    orders(now, 1, 5)
    orders(now, 2, 5)
    assert now.in_motion()
    played = now.played
    event = next_event(now, first)
    assert event == Event(0, Kind.CHOICE, given[0])
    now.apply(event)
    assert now.orders[0] == given[1:]
    assert now.played == played + 1
    settle(now)
    assert now.played == played + 15
    assert not any(now.orders.values())


def test_orders_that_cannot_be_carried_out_any_more_are_dropped():
    now = all_ordered()
    legal = now.match.choices
    now.orders[0][0] = next(n for n in range(1000) if n not in legal)
    assert next_event(now, first) == Event(0, Kind.DROP)
    own = written(now.match, 0, now.orders[0], {})
    assert not own.ready
    assert own.match.choices == legal, "it is asked again"
    seen = now.seen.copy()
    now.apply(next_event(now, first))
    assert now.orders.get(0) is None
    assert now.seen[0] == seen[0] + 1
    assert now.waited_for() == [0]
    orders(now, 0, 2)
    other = next(c for c in now.match.choices if c != now.orders[0][0])
    now.apply(Event(0, Kind.CHOICE, other))
    assert now.orders[0] == [], "another choice than was ordered: the rest was for another turn"


def test_a_fork_changes_nothing_in_what_it_was_forked_from():
    now = table("secrets", 3)
    settle(now)
    orders(now, 0, 2)
    before = now.number, [*now.said], [*now.seen], [*now.since], [*now.orders[0]], now.match.history
    twin = now.fork()
    orders(twin, 0, 3)
    orders(twin, 1, 5)
    orders(twin, 2, 5)
    settle(twin)
    twin.apply(Event(1, Kind.NAME, name="Zoe"))
    assert twin.played > now.played
    assert now.seats[1].name == "Ben"
    after = now.number, [*now.said], [*now.seen], [*now.since], [*now.orders[0]], now.match.history
    assert after == before


def test_a_position_of_the_past_has_the_seats_of_now_and_no_orders():
    now = all_ordered()
    settle(now)
    orders(now, 0)
    now.apply(Event(1, Kind.NAME, name="Zoe"))
    then = now.earlier(0)
    assert then.orders == {}
    assert then.seats[1].name == "Zoe"
    assert then.match.history == []
    assert len(now.match.history) == now.played
    then.follow(now.match.history)
    assert then.match.history == now.match.history
    assert then.waited_for() == [0, 1, 2]
    assert now.waited_for() == [1, 2]


def test_orders_of_somebody_late_are_all_written_by_the_rules():
    now = table("secrets", 3, clock={"turn": DAY, "late": "absent"})
    settle(now)
    orders(now, 1, 2)
    orders(now, 0, 5)
    orders(now, 2, 5)
    now.apply(Event(1, Kind.LATE, at=DAY))
    assert now.late == {1}
    assert 1 not in now.orders
    assert now.ready() == (0, 1, 2)
    assert now.in_motion()
    played = now.played
    settle(now, DAY)
    assert now.played == played + 15
    assert now.late == set()
    assert now.waited_for() == [0, 1, 2]
    assert now.clock.times[1].missed == 1
    assert not now.clock.gone(1)
    now.apply(Event(1, Kind.LATE, at=2 * DAY))
    for seat in (0, 2):
        while now.turn_of(seat):
            orders(now, seat, at=2 * DAY)
    settle(now, 2 * DAY)
    assert now.clock.gone(1), "the rules played for somebody who misses two turns in a row"
    while now.turn_of(1):
        orders(now, 1, at=2 * DAY)
    for seat in (0, 2):
        while now.turn_of(seat):
            orders(now, seat, at=2 * DAY)
    settle(now, 2 * DAY)
    assert now.clock.times[1].missed == 0, "own orders count once they are carried out"


def test_an_order_written_anew_keeps_those_after_it_that_are_still_legal():
    now = table("secrets", 3)
    settle(now)
    said = []
    for _ in range(5):
        there = now.turn_of(0)
        said.append(there.say(there.choices[0]))
        orders(now, 0)
    given, match = now.orders[0], now.match
    assert rewritten(match, 0, [], said[0]) == (0, [])
    assert rewritten(match, 0, given, "guards 99") == (0, [])
    assert rewritten(match, 0, given, said[2]) == (5, []), "it was given already"
    stay, anew = rewritten(match, 0, given, said[1].replace("steals 1", "steals 2"))
    assert stay == 1
    assert anew[1:] == given[2:], "all that is still legal stays"
    twin = match.fork()
    twin.play(given[0])
    assert twin.say(anew[0]) == said[1].replace("steals 1", "steals 2")
