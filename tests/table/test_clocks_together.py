"""Several processes keep the time by the database's clock; phrases pass between them."""

import threading
import time

import httpx
import pytest

from .serving import together
from .test_processes import PATIENCE, bearer, get, joined, opened, post, seen, views, wait_until

pytestmark = pytest.mark.slow
LIVE = {"kind": "live", "turn": 5, "reserve": 0, "late": "uniform"}
BY_DAYS = {"kind": "days", "turn": 1}


def late(table):
    return [notice for notice in table["notices"] if notice["kind"] == "late"]


def until_of(table):
    (until,) = [seat["until"] for seat in table["clock"]["times"] if seat["until"]]
    return until


def test_exactly_one_process_says_that_somebodys_time_is_up(two):
    keys = [opened(two[i % 2], clock=LIVE)["id"] for i in range(4)]
    for i, key in enumerate(keys):
        joined(two[i % 2], key)
    wait_until(lambda: all(late(seen(two[0], key)) for key in keys), 60)
    for key in keys:
        tables = [seen(server, key) for server in two]
        wait_until(lambda key=key: len({seen(s, key)["number"] for s in two}) == 1, 60)
        assert all(seat["missed"] <= 2 for seat in tables[0]["clock"]["times"])
        said = [(notice["after"], notice["seat"]) for notice in late(tables[0])]
        assert len(said) == len(set(said)), "nobody is late twice for the same turn"


@pytest.mark.wide
def test_when_a_process_dies_the_other_keeps_the_time(shared, tmp_path):
    with together(2, tmp_path, db=shared) as both:
        keys = [opened(both[0], clock=LIVE)["id"] for _ in range(6)]
        for key in keys:
            joined(both[0], key)
        both[0].kill()
        wait_until(lambda: all(late(seen(both[1], key)) for key in keys), 60)


@pytest.mark.wide
def test_the_house_is_closed_only_while_no_process_runs(shared, tmp_path):
    with together(2, tmp_path, db=shared) as both:
        key = opened(both[0], clock=BY_DAYS)["id"]
        joined(both[1], key)
        before = until_of(seen(both[0], key))
        both[0].kill()
        time.sleep(4)  # longer than the silence that would count
        assert until_of(seen(both[1], key)) == before
        both[1].kill()
        time.sleep(6)
        for server in both:
            server.start()
        after = [until_of(seen(server, key)) for server in both]
        assert after[0] == after[1]
        assert 5000 < after[0] - before < 60_000


def test_a_phrase_is_heard_by_those_who_listen_at_another_process(two):
    key = (ann := opened(two[0], you="Ann"))["id"]
    joined(two[1], key)
    heard = []

    def listen():
        url = f"{two[1].base}/api/games/{key}/events?phrases=true"
        with httpx.stream("GET", url, timeout=PATIENCE) as stream:
            for line in stream.iter_lines():
                heard.append(line)
                if "Well played" in line:
                    return

    ear = threading.Thread(target=listen)
    ear.start()
    wait_until(lambda: any(line.startswith("data") for line in heard), 60)
    url = f"{two[0].base}/api/games/{key}/phrases"
    assert post(url, json={"phrase": 3}, headers=bearer(ann["token"])).status_code == 200
    ear.join(PATIENCE)
    told = '{"seat":1,"name":"Ann","text":"Well played"}'
    assert [line for line in heard if "Well played" in line] == [f"data: {told}"]
    url = f"{two[1].base}/api/games/{key}/phrases"
    again = post(url, json={"phrase": 1}, headers=bearer(ann["token"]))
    assert again.status_code == 429, "one phrase in five seconds, wherever it is said"


def test_those_who_watch_through_another_process_are_counted(two):
    key = (ann := opened(two[0]))["id"]
    joined(two[1], key)
    assert seen(two[0], key)["guests"] == 0
    ears = [views(server, key) for server in (two[0], two[1], two[1])]
    for ear in ears:
        next(ear)
    for server in two:
        wait_until(lambda server=server: seen(server, key, ann["token"])["guests"] == 3, 60)
    for ear in ears[1:]:
        ear.close()
    wait_until(lambda: seen(two[0], key, ann["token"])["guests"] == 1, 60)
    ears[0].close()


def test_refused_choices_have_a_counter_of_their_own(two):
    key = (ann := opened(two[0]))["id"]
    joined(two[0], key)
    table = seen(two[0], key, ann["token"])

    def counted(what):
        lines = get(f"{two[0].base}/metrics").text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(what))

    made = 'yegg_choices_total{by="person"'
    refused = 'yegg_choices_refused_total{by="person",game="second-story",status="409"}'
    before = counted(made), counted(refused)
    body = {"choice": "thorough", "after": table["number"] - 3}
    url = f"{two[0].base}/api/games/{key}/choices"
    assert post(url, json=body, headers=bearer(ann["token"])).status_code == 409
    assert (counted(made), counted(refused)) == (before[0], before[1] + 1), "once, and not as made"
