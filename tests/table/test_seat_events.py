"""What happens to seats, event by event, and what everybody is told; no server is needed for it."""

import random
from types import SimpleNamespace

import pytest

from yegg import games
from yegg.engine import Match, Refused, promised
from yegg.engine.promised import UNPROMISED, Pledge
from yegg.engine.record import SIDES
from yegg.table.domain import dice
from yegg.table.domain import phrases_and_emotes as phrases
from yegg.table.domain.clock import MINUTE, Clock, ClockTerms
from yegg.table.domain.phrases_and_emotes import PHRASES, Phrases
from yegg.table.domain.seat_control import check_not_held, free_for, handed, place_for, put
from yegg.table.domain.seats import (
    BOT,
    CITIZENS,
    HOLDING,
    Event,
    Held,
    Kind,
    Seat,
    citizen,
    meant,
    report,
    seated,
    unlike_others,
)  # fmt: skip
from yegg.table.domain.shown_position import ShownPosition, outcome, staged, winners
from yegg.table.domain.state import TableState
from yegg.table.refusals import HttpRefusal

NOW = 1_000_000
ANN, BEN = Seat("Ann", "ann"), Seat("Ben", "ben")
HOB = Seat("Hob", None, "easy")
FREE = Seat("Seat 3")
KEPT = Seat("Seat 3", held=Held("Cid", "cid", NOW + 5000))


def refusal(status, what, *given):
    """Why something is refused with that status, and what goes beside it into the answer."""
    with pytest.raises(HttpRefusal) as caught:
        what(*given)
    assert caught.value.status == status
    return caught.value.why, caught.value.more


# A seat after an event


@pytest.mark.parametrize(
    ("before", "event", "after"),
    [
        (FREE, Event(2, Kind.SIT, name="Ann", person="ann"), ANN),
        (KEPT, Event(2, Kind.SIT, name="Hob", bot="easy"), HOB),
        (FREE, Event(2, Kind.SIT), Seat("")),
        (ANN, Event(2, Kind.LEAVE), Seat("Seat 3")),
        (Seat("Ann", "ann", "easy", stand_in=True), Event(0, Kind.BACK), ANN),
        (ANN, Event(0, Kind.NAME, name="Zoe"), Seat("Zoe", "ann")),
        (ANN, Event(0, Kind.NAME), Seat("", "ann")),
        (ANN, Event(0, Kind.CALLED, name="Zoe"), Seat("Zoe", "ann")),
        (ANN, Event(0, Kind.NEXT, words="key"), ANN),
        (ANN, Event(0, Kind.CLOSE_VOTE), ANN),
        (ANN, Event(0, Kind.LATE, bot="easy"), Seat("Ann", "ann", "easy", stand_in=True)),
        (ANN, Event(0, Kind.LATE), ANN),
        (ANN, Event(0, Kind.GONE, bot="easy"), Seat("Ann", "ann", "easy")),
        (ANN, Event(0, Kind.BOT, name="Ann", bot="easy"), Seat("Ann", "ann", "easy")),
        (KEPT, Event(2, Kind.PUT, 0, "Hob", bot="easy"), HOB),
        (HOB, Event(1, Kind.FAIL, bot="uniform"), Seat("Hob", None, "uniform")),
        (
            Seat("Ann", "ann", "easy", stand_in=True), Event(0, Kind.FAIL, bot="uniform"),
            Seat("Ann", "ann", "uniform", stand_in=True),
        ),
        (
            Seat("Ann", "ann", "easy", stand_in=True), Event(0, Kind.GONE, bot="easy"),
            Seat("Ann", "ann", "easy"),
        ),
    ],
)  # fmt: skip
def test_a_seat_after_an_event(before, event, after):
    assert seated(before, event) == after


def test_a_seat_is_held_for_two_minutes():
    event = Event(2, Kind.HOLD, name="Cid", person="cid", at=NOW)
    assert seated(FREE, event) == Seat("Seat 3", held=Held("Cid", "cid", NOW + HOLDING))
    assert seated(FREE, Event(2, Kind.HOLD, at=NOW)).held == Held("", "", NOW + HOLDING)
    assert KEPT.kept_from("ann", NOW) == KEPT.kept_from(None, NOW + 4999) == KEPT.held
    assert KEPT.kept_from("cid", NOW) is None
    assert KEPT.kept_from("ann", NOW + 5000) is None
    assert FREE.kept_from("ann", NOW) is None


def test_who_sits_where():
    assert [seat.free for seat in (ANN, HOB, FREE, KEPT)] == [False, False, True, True]
    assert [seat.marked for seat in (ANN, HOB)] == ["Ann", f"Hob{BOT}"]


def test_bots_are_called_as_nobody_at_the_table_is(monkeypatch):
    assert {citizen(()) for _ in range(500)} == set(CITIZENS)
    assert citizen(set(CITIZENS) - {"Pike"}) == "Pike"
    assert unlike_others("Ann", [ANN, BEN], 0) == "Ann"
    assert unlike_others("Ann", [ANN, BEN], 1) == "Ann (2)"
    assert unlike_others("Ben", [BEN, ANN]) == "Ben (2)"


@pytest.mark.parametrize(
    ("before", "event", "seats", "text"),
    [
        (FREE, Event(0, Kind.SIT), [ANN, BEN], "Ann sits down."),
        (FREE, Event(0, Kind.SIT), [ANN, HOB], ""),
        (FREE, Event(0, Kind.SIT), [ANN], ""),
        (FREE, Event(1, Kind.SIT), [ANN, HOB], ""),
        (ANN, Event(0, Kind.LEAVE), [Seat("Seat 1"), BEN], "Ann leaves the table: seat 1 is free."),
        (ANN, Event(0, Kind.BOT, bot="easy"), [ANN, BEN], "Ann lets a bot (easy) play."),
        (ANN, Event(0, Kind.BACK), [ANN, BEN], "Ann plays again."),
        (BEN, Event(1, Kind.NEXT), [ANN, BEN], "Ben has set the table again."),
        (BEN, Event(1, Kind.CLOSE_VOTE), [ANN, BEN], "Ben would like to close this table."),
        (
            HOB, Event(1, Kind.FAIL, bot="uniform"), [ANN, HOB],
            "Hob (easy) failed; uniform plays on.",
        ),
        (
            Seat("Ann", "ann", "hard"), Event(0, Kind.FAIL, bot="uniform"), [ANN, HOB],
            "Ann's bot (hard) failed; uniform plays on.",
        ),
        (ANN, Event(0, Kind.NAME), [Seat("Zoe", "ann"), BEN], "Ann is now called Zoe."),
        (
            ANN, Event(0, Kind.CALLED), [Seat("Zoe", "ann"), BEN],
            "The host has renamed seat 1: Zoe.",
        ),
        (FREE, Event(2, Kind.HOLD, name="Cid"), [ANN, BEN, KEPT], ""),
        (
            FREE, Event(1, Kind.PUT, 0, bot="easy"), [ANN, HOB],
            "Ann puts a bot (easy) on seat 2: Hob.",
        ),
        (
            BEN, Event(1, Kind.PUT, 0, bot="easy"), [ANN, BEN],
            "Ann lets a bot (easy) play for Ben, who is away.",
        ),
    ],
)  # fmt: skip
def test_what_everybody_is_told_of_a_seat(before, event, seats, text):
    assert report(seats, before, event) == text


def test_a_number_that_means_nothing_is_no_event():
    with pytest.raises(ValueError, match="-99"):
        meant(-99)
    assert meant(0) == (Kind.CHOICE, 0)
    assert meant(-99 - 1) == (Kind.ORDER, 0)
    assert meant(-103) == (Kind.ORDER, 3)
    assert meant(Kind.PUT) == (Kind.PUT, 0)
    assert [Event(0, kind).number for kind in (Kind.PUT, Kind.GIVE)] == [Kind.PUT, Kind.GIVE]
    assert meant(Event(0, Kind.PUT, SIDES - 1).number) == (Kind.PUT, SIDES - 1)


# Who gets which seat


def test_a_seat_that_is_held_for_somebody_is_theirs_first():
    seats = [ANN, FREE, KEPT, FREE]
    assert free_for(seats, "cid", NOW) == 2
    assert free_for(seats, "dan", NOW) == free_for(seats, None, NOW) == 1
    assert free_for([ANN, KEPT], "dan", NOW) is None
    assert free_for([ANN, KEPT], "dan", NOW + 5000) == 1
    assert free_for([ANN, BEN], "dan", NOW) is None
    assert place_for(seats, "cid", None, NOW) == 2
    assert place_for(seats, "dan", None, NOW) == 1
    assert [place_for(seats, "cid", wanted, NOW) for wanted in (1, 2, 3)] == [1, 2, 3]


def test_why_somebody_does_not_get_a_seat():
    assert refusal(409, place_for, [ANN, BEN], "dan", None, NOW)[0] == (
        "all seats are taken; you may watch"
    )
    seats = [ANN, KEPT, FREE]
    assert refusal(409, place_for, seats, "dan", 0, NOW)[0] == "seat 1 is not free; free: 2, 3"
    held = "seat 2 is held for Cid; in 5 seconds anybody may have it"
    assert refusal(409, place_for, seats, "dan", 1, NOW)[0] == held
    assert refusal(409, place_for, [ANN, KEPT], "dan", None, NOW)[0] == held
    soon = "seat 2 is held for Cid; in 1 second anybody may have it"
    assert refusal(409, check_not_held, seats, 1, "dan", NOW + 4999)[0] == soon
    assert refusal(409, check_not_held, seats, 1, "dan", NOW + 3000)[0].count("in 2 seconds")
    assert check_not_held(seats, 1, "cid", NOW) is None


# Who plays a seat


def table(*seats, clock=None):
    return SimpleNamespace(seats=list(seats), seen=[10 + i for i in range(len(seats))], clock=clock)


def test_an_owner_hands_over_to_a_bot_and_takes_over_again():
    handed_over, late = Seat("Ben", "ben", "easy"), Seat("Cid", "cid", "easy", stand_in=True)
    now = table(ANN, handed_over, late)
    assert handed(now, 0, "easy") == Event(0, Kind.BOT, name="Ann", bot="easy")
    assert handed(now, 0, None) is None
    assert handed(now, 1, None) == Event(1, Kind.BACK)
    assert handed(now, 1, "easy") is None
    assert handed(now, 1, "hard") == Event(1, Kind.BOT, name="Ben", bot="hard")
    why = "your time was up: easy plays this turn, and the next one is yours"
    assert refusal(409, handed, now, 2, None) == (why, {"number": 12})
    assert handed(now, 2, "hard") == Event(2, Kind.BOT, name="Cid", bot="hard")


def test_somebody_puts_a_bot_on_a_seat_that_is_free_or_whose_owner_is_away():
    now = table(ANN, BEN, FREE)
    event = put(now, 2, "easy", 1, (), NOW)
    assert event == Event(2, Kind.PUT, 1, event.name, bot="easy")
    assert event.name in CITIZENS
    assert put(now, 1, "easy", 0, {1}, NOW) == Event(1, Kind.PUT, 0, "Ben", bot="easy")
    taken = [Seat(name, name) for name in CITIZENS if name != "Pike"]
    assert put(table(FREE, *taken), 0, "easy", 1, (), NOW).name == "Pike"


def test_why_somebody_may_not_put_a_bot_there():
    now = table(ANN, BEN, KEPT)
    for seat in (-1, 3):
        why = f"there is no seat {seat + 1} at this table"
        assert refusal(409, put, now, seat, "easy", 0, (), NOW) == (why, {})
    why = "only Ben may take that seat back"
    assert refusal(409, put, now, 1, None, 0, (), NOW) == (why, {"number": 10})
    why = "seat 2 is not free, and Ben has not been away for long"
    assert refusal(409, put, now, 1, "easy", 0, {2}, NOW) == (why, {"number": 10})
    timed = table(ANN, BEN, clock=Clock.of(ClockTerms(MINUTE), 2))
    why = "seat 2 is not free, and Ben still has time"
    assert refusal(409, put, timed, 1, "easy", 0, (), NOW) == (why, {"number": 10})
    why = "seat 3 is held for Cid; in 5 seconds anybody may have it"
    assert refusal(409, put, now, 2, "easy", 0, (), NOW)[0] == why


# Positions that nobody keeps, and how a game ended


def stage(*names):
    match = Match(games.find("second-story"), len(names), {})
    return ShownPosition(match.game, "key", "Lantern Row", staged(match, ["said"], names))


def test_a_position_that_nobody_keeps_has_a_person_on_every_seat():
    there = stage("Ann", "Ben")
    assert [(seat.name, seat.person) for seat in there.now.seats] == [
        ("Ann", "seat 1"), ("Ben", "seat 2"),
    ]  # fmt: skip
    assert there.now.begun
    assert (there.now.said, there.now.notices) == (["said"], ())
    assert there.now.match.names == ["Ann", "Ben"]
    assert (there.key, there.name, there.odds) == ("key", "Lantern Row", True)
    assert there.keeper.moment() == 0
    assert there.keeper.able() == []
    assert not there.keeper.preparing("easy")
    assert not there.keeper.hopeless("easy")
    assert not there.around.guests
    assert not ShownPosition(there.game, "", "", there.now, odds=False).odds


def test_what_several_views_have_in_common_is_made_once():
    there, made = stage("Ann", "Ben"), []

    def make():
        made.append(None)
        return len(made)

    assert [there.once("a", make), there.once("a", make), there.once("b", make)] == [1, 1, 2]
    assert there.teller is there.teller


def test_whom_a_game_waits_for_is_said_of_people_bots_and_free_seats():
    there = stage("Ann", "Ben", "Cid")
    there.now.seats[1:] = [HOB, FREE]
    there.now.waited_for = lambda: [0, 1, 2]
    assert there.waiting_for() == "Waiting for Ann, Hob (bot) and somebody to take seat 3"


def test_how_a_game_ended_is_said_in_the_order_of_places():
    assert winners(["Ann", "Ben"], [2, 1]) == "Ben wins"
    assert winners(["Ann", "Ben", "Cid"], [1, 2, 1]) == "Ann and Cid share the win"
    text = outcome(["Ann", "Ben", "Cid"], [3, 1, 2], [9, 3, 7])
    assert text == "Ben wins: Ben 3, Cid 7, Ann 9"


# Phrases


def test_a_seat_says_a_phrase_in_five_seconds(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(phrases.time, "monotonic", lambda: clock[0])
    here = Phrases()
    here.say(0, 1)
    here.say(1, len(PHRASES))
    said = [(1, 0, "Hello"), (2, 1, "Good game")]
    assert here.said == here.after(0) == said
    assert here.after(1) == said[1:]
    clock[0] += 2.2
    why = "one phrase in five seconds; try again in 3 s"
    assert refusal(429, here.say, 0, 2) == (why, {"after": 3})
    clock[0] += 2.7
    assert refusal(429, here.say, 0, 2)[1] == {"after": 1}
    clock[0] = 105.0
    here.say(0, 2)
    assert here.said == [said[1], (3, 0, "Good luck")], "the last of each seat"
    here.forget()
    assert here.said == here.after(0) == []
    clock[0] += 5
    here.say(0, 1)
    assert here.said[0].number == 4
    for wrong in (0, 15):
        why = f"there is no phrase {wrong}; there are 1 to 14"
        assert refusal(409, here.say, 1, wrong) == (why, {})


# Dice


def test_the_seed_of_a_ticket_is_always_the_same_and_only_the_server_s():
    one = dice.promised_for("ticket", "ab" * 32)
    assert one == dice.promised_for("ticket", "ab" * 32)
    assert (len(one.seed), one.early, one.after, one.origin) == (32, True, 0, None)
    others = dice.promised_for("ticket 2", "ab" * 32), dice.promised_for("ticket", "ba" * 32)
    assert len({one.seed, *(other.seed for other in others)}) == 3
    assert one.seed.hex() == "106196b0076128568c067c925a26c7d74a002ce17070e76f742b7040e1527ecb"
    anew = dice.promised_anew(3, early=True, origin="x")
    assert (len(anew.seed), anew.after, anew.early, anew.origin) == (promised.SEED, 3, True, "x")
    plain = dice.promised_anew()
    assert (plain.after, plain.early, plain.origin) == (0, False, None)
    assert anew.seed != plain.seed
    assert anew.seed.hex() not in repr(anew)


def test_what_is_kept_of_dice_and_what_is_shown():
    made = dice.promised_anew(3, early=True, origin="of before")
    row = SimpleNamespace(**made.row(7), dice_origin="of before")
    assert made.row(7) == {
        "game": 7, "promise": promised.promise(made.seed), "seed": made.seed.hex(), "after": 3,
        "early": True, "origin": "of before",
    }  # fmt: skip
    assert dice.chance_of(row) == made
    assert dice.chance_of(SimpleNamespace(seed=None)) is None
    assert made.shown == (made.promise, 3, True)
    assert [made.behind(n) for n in (0, 1, 3, 4)] == [
        None, "of before", "of before", made.promise,
    ]  # fmt: skip


def test_the_seed_is_told_once_the_game_is_over_and_salts_once_it_has_begun():
    made = dice.promised_anew(2, origin="x")
    now = SimpleNamespace(over=False, begun=False, salts={1: "Ann"})
    assert made.pledge(now) == Pledge(made.promise, {}, 2, None, "x")
    now.begun = True
    assert made.pledge(now) == Pledge(made.promise, {1: "Ann"}, 2, None, "x")
    now.over = True
    assert made.pledge(now) == Pledge(made.promise, {1: "Ann"}, 2, made.seed.hex(), "x")
    assert dice.heading(made, now) == made.pledge(now).lines()
    assert dice.heading(None, now) == [UNPROMISED]


def test_chance_follows_from_seed_salts_and_how_often_it_has_acted():
    match = Match(games.find("second-story"), 2, {})
    play = random.Random(1)
    while match.actor != -1:
        match.play(play.choice(match.choices))
    now, made = TableState(match), dice.Promised(bytes(32), 2)
    now.salts = {1: "Ann"}
    kind, many = promised.kind_of(match), len(match.choices)
    key = promised.key(bytes(32), {1: "Ann"}, 2)
    for drawn in range(30):
        now.drawn = {kind: drawn} if drawn else {}
        wanted = match.choices[promised.index(key, kind, drawn + 1, many)]
        assert made(now) == wanted
    assert dice.unpromised(now) in match.choices


def test_salt_is_letters_digits_and_dashes():
    assert [dice.fit_salt(text) for text in ("", "a-Z_9", "x" * 64)] == ["", "a-Z_9", "x" * 64]
    for text in ("two words", "x" * 65, "é"):
        with pytest.raises(Refused) as caught:
            dice.fit_salt(text)
        assert str(caught.value).endswith(
            " cannot be salt for the dice: it needs 1 to 64 of the letters a to z and A to Z,"
            " digits, - and _"
        )
