"""The queue of bots' jobs: whoever waits gets a fair share of the time, whatever was before."""

from hypothesis import given
from hypothesis import strategies as st

from yegg.table.service.bots import FairQueue, Job

SECONDS = st.sampled_from([0.1, 0.5, 1.0, 2.0])


def job(table):
    return Job(table, None, int, "")


def work(queue, took):
    """Run the next jobs one after the other, each of the seconds that its payer's take."""
    order = []
    while found := queue.next():
        order.append(found.payer)
        queue.over(found, took[found.payer])
    return order


@given(st.integers(1, 30), SECONDS)
def test_whoever_comes_late_has_saved_up_no_time(before, seconds):
    """A table that was busy for long shares with a new one from now on: it owes it nothing."""
    queue = FairQueue(1)
    for _ in range(before + 6):
        queue.add(job("busy"))
    for _ in range(before):
        queue.over(queue.next(), seconds)
    for _ in range(6):
        queue.add(job("late"))
    order = work(queue, {"busy": seconds, "late": seconds})
    first = order[:6]
    assert first.count("late") == 3, f"both wait, so each has every other job: {order}"


@given(st.integers(1, 20), SECONDS, SECONDS)
def test_two_tables_that_both_wait_get_equal_time(before, one, other):
    queue, spent = FairQueue(1), {"one": 0.0, "other": 0.0}
    took = {"one": one, "other": other}
    for _ in range(before + 60):
        queue.add(job("one"))
    for _ in range(before):
        queue.over(queue.next(), one)
    for _ in range(60):
        queue.add(job("other"))
    while {*queue.waiting} == {*spent}:
        found = queue.next()
        queue.over(found, took[found.payer])
        spent[found.payer] += took[found.payer]
        apart = abs(spent["one"] - spent["other"])
        assert apart <= 2 * max(one, other), f"no more than a job or two apart: {spent}"


def test_no_table_has_two_threads_while_another_has_none():
    queue = FairQueue(2)
    for table in ("many", "many", "many", "few"):
        queue.add(job(table))
    assert {queue.next().payer, queue.next().payer} == {"many", "few"}
    assert queue.next() is None, "all threads are busy"


def test_what_is_known_of_tables_without_jobs_is_forgotten():
    queue = FairQueue(1)
    for n in range(100):
        queue.add(job(f"table {n}"))
    work(queue, {f"table {n}": 1.0 for n in range(100)})
    assert len(queue.spent) <= 1, "else a server that runs for months grows"
