"""The sentence about whose time runs: its verbs agree, and it says what happens then."""

import re

import pytest

from yegg.table.domain.clock import (
    ABSENT,
    DAY,
    GONE,
    HOUR,
    MINUTE,
    SECOND,
    Clock,
    ClockTerms,
    Time,
    lasting,
    told_of_time,
)  # fmt: skip
from yegg.table.domain.seats import Event, Kind, Seat
from yegg.table.render.clocks import short, then

from .people import BY_DAYS


@pytest.mark.parametrize(
    ("ready", "also"), [(0, "{} and {} are waited for, too."), (1, "{} is waited for, too.")]
)
def test_one_is_waited_for_and_several_are(party, ready, also):
    """Secrets: all write their orders at the same time; one's own time is told first."""
    me, *others = party("secrets", 3, clock=BY_DAYS)
    for other in others[:ready]:
        while other.act():
            pass
    said = re.sub(r"<[^>]*>", "", me.page())
    assert "You have" in said
    assert also.format(*(other.name for other in others[ready:])) in said


def late(missed):
    return then(Clock(ClockTerms(DAY), (), (Time(0, missed=missed), Time(0))), 0)


def test_who_misses_a_second_turn_is_played_for_from_then_on():
    assert late(0) == "After that medium plays this turn."
    assert late(1) == "After that medium plays on."
    assert late(GONE) == "After that medium plays on."


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (0, "0:00"), (59_999, "0:59"), (60_000, "1:00"), (3_599_000, "59:59"), (3_600_000, "1 h"),
        (3_660_000, "1 h 1 min"), (86_399_000, "23 h 59 min"), (86_400_000, "1 d"),
        (90_000_000, "1 d 1 h"), (9 * 86_400_000 + 23 * 3_600_000, "9 d 23 h"),
    ],
)  # fmt: skip
def test_a_clock_shows_its_two_largest_units(ms, shown):
    assert short(ms) == shown


THREE = [Seat("Ann", "a"), Seat("Ben", "b"), Seat("Cid", "c")]
TIMES = tuple(Time(0) for _ in THREE)


def clock(agreed=(), people=(0, 1, 2), terms=ClockTerms(DAY)):  # noqa: B008  it is never changed
    return Clock(terms, (), TIMES, people=frozenset(people), agreed=frozenset(agreed))


@pytest.mark.parametrize(
    ("event", "before", "text"),
    [
        (Event(0, Kind.LATE, bot="easy"), clock(), "Ann's time is up: easy plays this turn."),
        (
            Event(1, Kind.LATE), clock(),
            "Ben's time is up, and no orders came: the rules write them.",
        ),
        (
            Event(2, Kind.GONE, bot="easy"), clock(),
            "Cid's time is up again: easy plays on until Cid is back.",
        ),
        (Event(0, Kind.HERE), clock(), "Ann is back from holiday."),
        (
            Event(0, Kind.PAUSE), clock(),
            "Ann would like a pause. Ben and Cid can agree.",
        ),
        (Event(1, Kind.PAUSE), clock([0]), "Ben would like a pause. Cid can agree."),
        (
            Event(2, Kind.PAUSE), clock([0, 1]),
            "Cid agrees: the game is paused, and everybody's time stands.",
        ),
        (
            Event(0, Kind.PAUSE), clock([1], people=[0, 1]),
            "Ann agrees: the game is paused, and everybody's time stands.",
        ),
        (
            Event(0, Kind.GO_ON), clock([0, 1, 2]),
            "Ann ends the pause. This turn's time begins anew.",
        ),
        (Event(0, Kind.GO_ON), clock([0, 1]), "Ann wants no pause now."),
        (Event(0, Kind.GIVE, 2), clock(terms=ClockTerms(3 * DAY)), "Ann gives Cid 3 days more."),
    ],
)  # fmt: skip
def test_what_everybody_is_told_about_time(event, before, text):
    assert told_of_time(before, THREE, event) == text


@pytest.mark.parametrize(
    ("away", "said"),
    [
        (HOUR, "1 day"), (DAY, "1 day"), (35 * HOUR, "1 day"), (37 * HOUR, "2 days"),
        (7 * DAY, "7 days"),
    ],
)  # fmt: skip
def test_a_holiday_is_told_in_whole_days(away, said):
    event = Event(1, Kind.AWAY, words=str(5 * DAY + away), at=5 * DAY)
    text = f"Ben is on holiday for {said}. Ben's time stands until then."
    assert told_of_time(clock(), THREE, event) == text


def test_the_terms_of_a_clock_in_words():
    assert ClockTerms(3 * DAY).words == "3 days a turn"
    both = ClockTerms(30 * SECOND, 10 * MINUTE, 5 * SECOND)
    assert both.words == (
        "30 seconds a turn, 10 minutes in reserve and 5 seconds more after each turn"
    )
    assert ClockTerms(MINUTE, add=SECOND).words == "1 minute a turn, 1 second more after each turn"
    assert ClockTerms(MINUTE, HOUR).words == "1 minute a turn, 1 hour in reserve"
    assert ClockTerms(DAY, late="hard").then == "hard plays that turn"
    assert ClockTerms(DAY, late=ABSENT).then == "the rules write the orders of that turn"
    assert [ClockTerms(ms).by_days for ms in (DAY - 1, DAY)] == [False, True]
    assert ClockTerms.read(both.stored()) == both
    assert ClockTerms.read(None) is None


@pytest.mark.parametrize(
    ("ms", "said"),
    [
        (3 * DAY, "3 days"), (90 * MINUTE, "1 hour 30 minutes"), (61 * SECOND, "1 minute 1 second"),
        (400, "0 seconds"), (999, "0 seconds"), (SECOND, "1 second"), (MINUTE, "1 minute"),
        (HOUR, "1 hour"), (DAY, "1 day"), (DAY + HOUR, "1 day 1 hour"),
        (DAY + 59 * MINUTE, "1 day"), (59 * SECOND + 999, "59 seconds"),
    ],
)  # fmt: skip
def test_a_stretch_of_time_is_told_in_its_two_largest_units(ms, said):
    assert lasting(ms) == said
