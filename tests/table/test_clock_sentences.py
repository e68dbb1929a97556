"""The sentence about whose time runs: its verbs agree, and it says what happens then."""

import re

import pytest

from yegg.table.domain.clock import DAY, GONE, Clock, ClockTerms, Time
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
