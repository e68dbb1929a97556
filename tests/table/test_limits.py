"""Limits of requests and of streams: what may be taken at once, how fast it comes back."""

from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from yegg.table import rate_limits
from yegg.table.rate_limits import Buckets, Limits, Open
from yegg.table.refusals import HttpRefusal

RATE, BURST = 0.5, 20


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves only when a test says so, in seconds."""
    passed = [1000.0]
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(monotonic=lambda: passed[0]))
    return passed


def taken(bucket, who="ann", most=1000):
    """How many can be taken before it is refused, and what the refusal says."""
    for many in range(most):
        try:
            bucket.take(who)
        except HttpRefusal as refusal:
            return many, refusal
    raise AssertionError("nothing is ever refused")


def test_so_many_at_once_and_then_as_fast_as_the_rate(clock):
    bucket = Buckets(RATE, BURST)
    many, refusal = taken(bucket)
    assert (many, refusal.status) == (BURST, 429)
    clock[0] += 10
    assert taken(bucket)[0] == 5, "ten seconds bring five"
    assert taken(bucket, "ben")[0] == BURST, "each has a bucket of their own"


def test_whoever_stayed_away_for_long_has_no_more_than_a_full_bucket(clock):
    bucket = Buckets(RATE, BURST)
    taken(bucket)
    clock[0] += 1_000_000
    assert taken(bucket)[0] == BURST


@pytest.mark.parametrize(("rate", "burst"), [(0.5, 20), (1 / 30, 10), (1 / 600, 4), (0.2, 20)])
def test_who_waits_as_long_as_the_refusal_says_is_served(clock, rate, burst):
    bucket = Buckets(rate, burst)
    after = taken(bucket)[1].more["after"]
    clock[0] += after / 2
    with pytest.raises(HttpRefusal):
        bucket.take("ann")
    clock[0] += after / 2 + 1
    bucket.take("ann")


def test_what_another_process_has_taken_counts_here_and_is_made_up_for(clock):
    """Two processes, and one who asks both in turn, get no more than one of them would."""
    here = Buckets(RATE, BURST)
    here.hear("other", "ann", BURST)
    assert taken(here)[0] == 0
    here.hear("other", "ann", 6)
    clock[0] += 10
    assert taken(here)[0] == 0, "it owes six and has got five"
    clock[0] += 4
    assert taken(here)[0] == 1


def test_a_debt_is_never_larger_than_a_bucket(clock):
    here = Buckets(RATE, BURST)
    here.hear("other", "ann", 10**6)
    clock[0] += 2 * BURST / RATE + 1
    assert taken(here)[0] >= BURST - 1, "nobody is shut out for ever"


@pytest.mark.parametrize("most", [1, 3, 8])
def test_of_streams_so_many_are_open_at_once_and_no_more(most):
    limit, streams = Open(most, "of this seat"), ExitStack()
    for _ in range(most):
        limit.take("ann")
        streams.enter_context(limit.one("ann"))
    with pytest.raises(HttpRefusal, match=f"{most} streams of this seat are open already"):
        limit.take("ann")
    streams.close()
    assert not limit.now, "what is closed counts no more, and nothing of it is kept"


def test_streams_at_other_processes_count_as_long_as_these_live():
    limit = Open(3, "of this seat")
    limit.hear("b", "ann", 2)
    limit.hear("c", "ann", 1)
    with pytest.raises(HttpRefusal, match="3 streams of this seat are open already"):
        limit.take("ann")
    limit.take("ben")
    limit.alive(["b"])
    limit.take("ann")
    limit.hear("b", "ann", 0)
    assert not limit.elsewhere


def test_what_is_told_to_others_is_told_once_and_only_if_it_matters(clock):
    limits = Limits(on=True)
    limits.share()
    for _ in range(3):
        limits.take(limits.opening, "ann")
    limits.take(limits.drawing, "ben")
    assert list(limits.updates(0, everything=False)) == ["opening ann 3"]
    assert list(limits.updates(0, everything=False)) == []
    other = Limits(on=True)
    other.hear("a", ["opening", "ann", "3"])
    assert taken(other.opening)[0] == BURST - 3


def test_without_limits_nothing_is_counted():
    limits = Limits(on=False)
    for _ in range(100):
        limits.take(limits.guessing, "ann")
    assert not limits.guessing.left
