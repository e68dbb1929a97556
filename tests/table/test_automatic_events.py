"""What follows by itself after an event: its rows, and what the lobby shows of the game then."""

import random

from yegg.engine import CHANCE
from yegg.table.domain.automatic_events import change, next_event, play_out
from yegg.table.domain.lobby_columns import TURN
from yegg.table.domain.seats import Event, Kind
from yegg.table.storage.database import rows_of
from yegg.table.storage.schema import EVENT, events, sittings

from .positions import first, orders, settle, table, waits


def rows(now, *happens, at=5):
    """What is written when this happens, and the position after it."""
    ahead = now.fork()
    return list(rows_of(7, play_out(ahead, list(happens), at, first))), ahead


def test_an_event_is_written_with_who_sits_down_at_it():
    now = table()
    number = now.number
    written, ahead = rows(now, Event(0, Kind.BOT, name="Ann", person="ann", bot="easy"))
    (kept, one), (sat, who) = written[:2]
    assert (kept, sat) == (events, sittings)
    assert one == {
        "game": 7, "number": number + 1, "actor": 0, "choice": Kind.BOT, "at": 5, "words": None,
    }  # fmt: skip
    assert who == {"game": 7, "number": number + 1, "name": "Ann", "person": "ann", "bot": "easy"}
    assert now.number == number
    assert ahead.seats[0].bot == "easy"


def test_choices_are_written_in_words_and_chance_follows_at_the_same_moment():
    now = table("thiefs-market", 3)
    written, ahead = rows(now, at=9)
    assert written == [], "nothing has happened"
    play = random.Random(2)
    for _ in range(60):
        settle(now)
        seat = waits(now)
        choice = play.choice(now.match.choices)
        words = now.match.say(choice)
        written, ahead = rows(now, Event(seat, Kind.CHOICE, choice), at=9)
        (table_of, one), *others = written
        assert (table_of, one["choice"], one["words"], one["at"]) == (events, choice, words, 9)
        assert set(one) == set(EVENT)
        assert [row["actor"] for _, row in others] == [CHANCE] * len(others)
        assert {row["at"] for _, row in written} == {9}
        numbers = [row["number"] for _, row in written]
        assert numbers == list(range(now.number + 1, ahead.number + 1))
        assert [row["words"] for _, row in written] == ahead.said[now.played :]
        if others:
            return
        now = ahead
    raise AssertionError("chance never acts")


def test_several_events_come_in_their_order_and_orders_follow_the_last():
    now = table("secrets", 3)
    settle(now)
    for seat in (0, 1):
        orders(now, seat, 5)
    orders(now, 2, 3)
    there = now.fork()
    orders(there, 2)
    last = [there.orders[2][3], there.turn_of(2).choices[0]]
    written, ahead = rows(now, *(Event(2, Kind.ORDER, order) for order in last))
    assert [row["choice"] for _, row in written[:2]] == [Kind.ORDER - order for order in last]
    assert len(written) == 2 + 15, "all orders are carried out"
    assert ahead.waited_for() == [0, 1, 2]


def test_the_lobby_is_told_only_what_has_changed_and_of_whose_turn_all():
    now = table()
    seat = waits(now)
    assert change(7, now, now.fork(), 5) is None
    ahead = now.fork()
    ahead.apply(Event(0, Kind.NAME, name="Zoe"))
    said = change(7, now, ahead, 5)
    assert (said.game, said.values) == (7, {"people": [["Zoe", "ann", None], ["Ben", "ben", None]]})
    ahead = now.fork()
    play = random.Random(1)
    while waits(ahead) == seat:
        ahead.apply(Event(seat, Kind.CHOICE, play.choice(ahead.match.choices)))
    said = change(7, now, ahead, 5)
    assert said.values == {name: ahead.standing()[name] for name in TURN}
    assert said.values["to_act"] == 1 << (1 - seat)
    ahead.apply(Event(1 - seat, Kind.BOT, name="Ben", bot="easy"))
    said = change(7, now, ahead, 5)
    assert set(said.values) == {*TURN, "people"}
    assert said.values["people"] == ahead.standing()["people"]


def test_the_lobby_is_told_how_and_when_a_game_ended():
    now, play = table(), random.Random(4)
    while not now.over:
        was = now.fork()
        if event := next_event(now, lambda there: play.choice(there.match.choices)):
            now.apply(event)
        else:
            now.apply(Event(now.match.actor, Kind.CHOICE, play.choice(now.match.choices)))
    said = change(7, was, now, 5)
    places, scores = now.result()
    assert said.values["ended"] == 5
    assert said.values["result"] == {"places": places, "scores": scores}
    assert (places, scores) == (now.match.places, now.match.scores)
    again = now.fork()
    again.apply(Event(0, Kind.NAME, name="Zoe"))
    assert set(change(7, now, again, 6).values) == {"people"}, "it has ended already"


def test_a_table_that_is_closed_has_ended_without_a_result():
    now = table()
    waits(now)
    ahead = now.fork()
    ahead.apply(Event(0, Kind.CLOSED))
    said = change(7, now, ahead, 5)
    assert said.values["ended"] == 5
    assert "result" not in said.values
    assert said.values["to_act"] == 0
