"""A table after its events: who is waited for, what may be taken back, what others see of it."""

import random

import pytest

from yegg import games
from yegg.engine import CHANCE, Match
from yegg.table.domain.automatic_events import UNDOS, next_event, undoes_too_often
from yegg.table.domain.clock import DAY, HOUR
from yegg.table.domain.seats import BOT, Event, Kind, Notice
from yegg.table.domain.state import TableState

from .positions import NAMES, first, plays, settle, sits, table, waits

# Sitting down


def test_a_game_begins_when_all_seats_are_taken():
    now = table(people=2)
    assert now.begun
    other = TableState(Match(games.find("second-story"), 2, {}))
    assert [seat.name for seat in other.seats] == ["Seat 1", "Seat 2"]
    assert (other.begun, other.over, other.played, other.number) == (False, False, 0, 0)
    assert other.acting() == {}
    assert not other.in_motion()
    sits(other, 1)
    assert not other.begun
    assert other.opener == "ben", "who sat down first"
    sits(other, 0)
    assert other.begun
    assert other.opener == "ben"
    assert other.match.names == ["Ann", "Ben"]
    assert [other.seat_of(who) for who in ("ann", "ben", "cid", None)] == [0, 1, -1, -1]
    assert other.notices == (Notice(0, "sat", 0, "Ann sits down."),)


def test_names_are_those_of_then():
    now = table(people=2)
    waits(now)
    renamed = now.played
    now.apply(Event(0, Kind.NAME, name="Zoe"))
    assert now.called_at(renamed) == ["Zoe", "Ben"]
    plays(now, now.match.actor)
    settle(now)
    assert now.called_at(0) == (["Zoe", "Ben"] if not renamed else ["Ann", "Ben"])
    bot = now.played
    now.apply(Event(1, Kind.BOT, name="Ben", bot="easy"))
    assert now.called_at(bot - 1) == ["Zoe", "Ben"]
    assert now.called_at(bot) == now.called_at(bot + 9) == ["Zoe", f"Ben{BOT}"]
    assert now.notices[-1] == Notice(bot, "handed", 1, "Ben lets a bot (easy) play.")


def test_salt_counts_of_those_who_sit_when_the_game_begins():
    now = TableState(Match(games.find("second-story"), 2, {}))
    sits(now, 0, words="of Ann")
    assert now.salts == {1: "of Ann"}
    now.apply(Event(0, Kind.LEAVE))
    assert now.salts == {}
    assert now.left == {0: "ann"}
    sits(now, 0)
    assert now.salts == {}
    sits(now, 1, words="of Ben")
    assert now.salts == {2: "of Ben"}
    now.apply(Event(1, Kind.LEAVE))
    sits(now, 1, words="too late")
    assert now.salts == {2: "of Ben"}, "once it has begun nothing of the dice changes"


# Whose turn it is


def test_the_lobby_shows_who_sits_where_and_for_whom_the_game_waits():
    now = table(people=2)
    seat = waits(now, 5)
    people = [["Ann", "ann", None], ["Ben", "ben", None]]
    shown = {"people": people, "to_act": 1 << seat, "bots_turn": False, "due": None}
    shown |= {"watch": None, "begun": True}
    assert now.standing() == {**shown, "waits": [[seat, now.number, 5, None]]}
    assert now.standing() is now.standing()
    now.apply(Event(seat, Kind.BOT, name=NAMES[seat], bot="easy"))
    people[seat][2] = "easy"
    assert now.standing() == {**shown, "people": people, "bots_turn": True, "waits": []}


def test_a_clock_shows_until_when_somebody_has_time():
    now = table(clock={"turn": HOUR})
    seat = waits(now, 7)
    number = now.number
    assert now.due_at(seat) == 7 + HOUR
    assert now.due_at(1 - seat) is None
    assert now.standing()["waits"] == [[seat, number, 7, 7 + HOUR]]
    assert now.standing()["due"] == 7 + HOUR
    now.apply(Event(1 - seat, Kind.GIVE, seat, at=9))
    assert now.standing()["waits"] == [[seat, number, 7, 7 + 2 * HOUR]]
    assert table().due_at(0) is None


def test_nobody_is_waited_for_while_a_game_is_paused_or_closed():
    now = table(clock={"turn": HOUR})
    seat = waits(now)
    for other in (0, 1):
        assert not now.paused
        now.apply(Event(other, Kind.PAUSE))
    assert now.paused
    assert now.acting() == {}
    assert (now.waited_for(), now.waits, now.standing()["to_act"]) == ([], {}, 0)
    assert now.turn_of(seat) is None
    now.apply(Event(0, Kind.GO_ON, at=9))
    assert now.waited_for() == [seat]
    assert now.waits == {seat: (now.number, 9)}
    now.apply(Event(0, Kind.CLOSED))
    assert now.acting() == now.waits == {}
    assert not now.in_motion()
    assert now.clock is None


@pytest.mark.parametrize(
    ("actor", "votes", "text"),
    [
        (-1, (), "The host has closed this table."),
        (1, (), "Ben has closed this table."),
        (1, (1,), "Ben has closed this table."),
        (1, (0, 1), "All who sit here have closed this table."),
    ],
)
def test_who_has_closed_a_table_is_said(actor, votes, text):
    now = table()
    assert now.note == now.closed == ""
    for seat in votes:
        now.apply(Event(seat, Kind.CLOSE_VOTE))
    assert now.close_votes == set(votes)
    now.apply(Event(actor, Kind.CLOSED))
    assert now.note == text
    assert now.told_beyond(0) == []


def test_whoever_plays_on_or_leaves_does_not_wish_to_close_any_more():
    now = table()
    seat = waits(now)
    for other in (0, 1):
        now.apply(Event(other, Kind.CLOSE_VOTE))
    plays(now, seat)
    assert now.close_votes == {1 - seat}
    now.apply(Event(1 - seat, Kind.LEAVE))
    assert now.close_votes == set()


def test_a_rematch_is_known_by_its_key_and_who_set_it():
    now = table()
    assert now.next is None
    now.apply(Event(1, Kind.NEXT, words="key"))
    assert now.next == ("key", 1)
    assert now.notices[-1].text == "Ben has set the table again."


def test_a_bot_that_failed_is_not_asked_again():
    now = table(people=1, bots=1)
    assert now.failed == set()
    now.apply(Event(1, Kind.FAIL, bot="uniform"))
    assert now.failed == {"easy"}
    assert now.notices[-1] == Notice(0, "failed", 1, "Bot 1 (easy) failed; uniform plays on.")


# What each has seen


def test_each_event_counts_for_everybody_and_a_choice_changes_what_may_be_chosen():
    now = table()
    settle(now)
    seen, since = now.seen.copy(), now.since.copy()
    assert set(seen) == {now.number}
    now.apply(Event(0, Kind.NAME, name="Zoe"))
    assert now.seen == [n + 1 for n in seen]
    assert now.since == since, "a name changes no choice"
    now.apply(Event(1, Kind.BOT, name="Ben", bot="easy"))
    assert now.since == [since[0], now.number, since[2]], "one's own event counts for oneself"
    now.apply(Event(1, Kind.BACK))
    plays(now, waits(now))
    assert now.since == now.seen == [now.number] * 3


# Taking back


def test_only_ones_own_last_choice_can_be_taken_back():
    now = table()
    seat = waits(now)
    while now.match.actor == seat:
        said, choice = now.said.copy(), plays(now, seat)
    assert now.match.history[-1] == choice
    if now.match.actors[-1] == seat:
        assert now.may_undo(seat)
        assert not now.may_undo(1 - seat)
        now.apply(Event(seat, Kind.UNDO))
        assert now.said == said
        assert now.undos == {seat: 1}
    fresh = table()
    assert not fresh.may_undo(0)


def test_what_was_played_for_somebody_late_is_not_theirs_to_take_back():
    now = table(clock={"turn": HOUR})
    seat = waits(now)
    now.apply(Event(seat, Kind.LATE, bot="easy", at=HOUR))
    assert now.seats[seat].stand_in
    assert not now.may_undo(seat)
    at = HOUR
    while now.seats[seat].stand_in:
        at += 1
        if not now.in_motion():
            plays(now, now.match.actor, at)
        settle(now, at)
    assert now.seats[seat].bot is None
    assert now.played_for == {seat: now.played}
    assert not now.may_undo(seat)


def test_so_much_is_taken_back_by_nobody_who_plays():
    now = table()
    undo, choice = Event(0, Kind.UNDO), Event(0, Kind.CHOICE, 0)
    assert not undoes_too_often(now, [])
    assert not undoes_too_often(now, [choice])
    now.undos = {0: UNDOS - 1, 1: UNDOS}
    assert not undoes_too_often(now, [undo, choice])
    assert undoes_too_often(now, [undo, undo])
    assert undoes_too_often(now, [Event(1, Kind.UNDO)])
    now.undos = {}
    assert not undoes_too_often(now, [undo] * UNDOS)
    assert undoes_too_often(now, [undo] * (UNDOS + 1))


def test_takings_back_are_counted_until_somebody_else_acts():
    now = table()
    seat = waits(now)
    now.undos = {seat: 3, 1 - seat: 4}
    plays(now, seat)
    assert now.undos == {seat: 3}
    now.apply(Event(seat, Kind.UNDO))
    assert now.undos == {seat: 4}


def test_notices_stay_though_what_was_before_them_is_taken_back():
    now = table()
    seat = waits(now)
    plays(now, seat)
    after = now.played
    now.apply(Event(1 - seat, Kind.NAME, name="Zoe"))
    assert now.notices[-1].after == after
    now.apply(Event(seat, Kind.UNDO))
    assert now.notices[-1].after == now.played == after - 1
    assert now.called_at(now.played)[1 - seat] == "Zoe"


# Words


def test_choices_and_orders_are_kept_in_the_words_of_the_record():
    now = table()
    seat = waits(now)
    choice = now.match.choices[0]
    assert now.words(Event(seat, Kind.CHOICE, choice)) == now.match.say(choice)
    assert now.words(Event(seat, Kind.NEXT, words="key")) == "key"
    assert now.words(Event(seat, Kind.ORDER, choice)) == now.match.say(choice)
    assert now.words(Event(1 - seat, Kind.ORDER, choice)) is None
    now.apply(Event(seat, Kind.CHOICE, choice, words="as it was said then"))
    assert now.said[-1] == "as it was said then"


def test_chance_is_counted_by_kind():
    now, play = table("thiefs-market", 3), random.Random(3)
    for _ in range(40):
        if now.match.actor == CHANCE:
            now.apply(next_event(now, first))
        elif not now.over:
            now.apply(Event(now.match.actor, Kind.CHOICE, play.choice(now.match.choices)))
    of_chance = [
        text for text, actor in zip(now.said, now.match.actors, strict=True) if actor == CHANCE
    ]
    kinds = [text.split()[0] for text in of_chance]
    assert now.drawn == {kind: kinds.count(kind) for kind in set(kinds)}
    assert now.drawn


# Holidays, and who is late


def test_sentences_about_time_are_told_to_all():
    now = table(clock={"turn": DAY, "holiday": 5 * DAY})
    waits(now)
    now.apply(Event(0, Kind.AWAY, words=str(2 * DAY)))
    text = "Ann is on holiday for 2 days. Ann's time stands until then."
    assert now.notices[-1] == Notice(now.played, "holiday", 0, text)
    assert now.seats[0].bot is None
    now.apply(Event(0, Kind.GONE, bot="easy"))
    assert now.notices[-1].text == "Ann's time is up again: easy plays on until Ann is back."
    assert now.seats[0].bot == "easy"
