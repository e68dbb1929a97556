"""What is tried at two processes at the same moment, and what one of them is told of a stranger."""

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from .conftest import until
from .devices import Device
from .test_processes import PATIENCE, choose, get, joined, opened, post, seen
from .timed import SS

pytestmark = pytest.mark.wide
HURRIED = {"kind": "live", "turn": 5, "reserve": 0, "late": "uniform"}


@pytest.fixture
def devices(two):
    """Eight devices, each at a process of its own choice."""
    clients = [httpx.Client(base_url=two[i % 2].base, timeout=PATIENCE) for i in range(8)]
    yield [Device(client) for client in clients]
    for client in clients:
        client.close()


def at_once(what, *many):
    """Do the same for each of many at the same moment."""
    ready = threading.Barrier(len(many))

    def race(one):
        ready.wait(60)
        return what(one)

    with ThreadPoolExecutor(len(many)) as pool:
        return list(pool.map(race, many))


def test_one_ticket_fixes_the_dice_of_one_table(two, devices):
    page = devices[0].get("/").text
    ticket = re.search(r'name="ticket" value="([^"]*)"', page)[1]
    promise = re.search(r'data-promise="(\w{64})"', page)[1]
    forms = [device.csrf() for device in devices]
    fields = {"play": SS, "ticket": ticket, "you": "Ann"}

    def form(i):
        return devices[i].ask("POST", "/open", data={"csrf": forms[i], **fields})

    made = at_once(form, *range(8))
    assert {one.status_code for one in made} == {303}
    keys = [re.match(r"/t/([\w-]{22})", one.headers["location"])[1] for one in made]
    promises = [get(f"{two[0].base}/api/games/{key}/dice").json()["promise"] for key in keys]
    assert len(set(promises)) == 8
    assert promises.count(promise) == 1


def test_of_many_who_have_seen_a_code_one_gets_it(devices):
    ann, *thieves = devices
    key = ann.open()
    code, forms = ann.code(), [device.csrf() for device in thieves]

    def take(i):
        return thieves[i].ask("POST", "/me/take", data={"csrf": forms[i], "code": code})

    said = [one.status_code for one in at_once(take, *range(len(thieves)))]
    assert sorted(said) == [303] + [404] * 6
    winner = thieves[said.index(303)]
    assert until(lambda: winner.seat(key)) == 1
    assert [one.seat(key) for one in thieves if one is not winner] == [None] * 6


def test_what_a_stranger_calls_his_address_stops_no_process(two):
    key = opened(two[0])["id"]
    url, head = f"{two[0].base}/api/games/{key}/events", {"X-Forwarded-For": "x y\t" * 9000 + "z"}
    with httpx.stream("GET", url, headers=head, timeout=PATIENCE) as stream:
        lines = stream.iter_lines()
        next(lines)
        guests = until(lambda: seen(two[1], key)["guests"])  # so its signs of life arrive
        assert (guests, next(lines)) == (1, "")
    logs = two[0].log.read_text(encoding="utf-8")
    assert '"event": "beat"' not in logs
    assert "not understood" not in logs


def test_names_of_any_letters_pass_from_one_process_to_the_other(two):
    ann = opened(two[0], you="Ann")
    key = ann["id"]
    joined(two[1], key)
    head = {"Authorization": f"Bearer {ann['token']}"}
    for name in (
        "\U0001f3b2" * 40,
        "kept . 1 2",
        "x\\ny \"'",
        "\U0001d573\u0301" * 20,
        "keys - 0 -",
    ):
        url = f"{two[0].base}/api/games/{key}/name"
        assert post(url, json={"you": name}, headers=head).status_code == 200, name
        assert name in [seat["name"] for seat in seen(two[1], key)["seats"]]


def test_who_chooses_as_the_time_is_up_has_either_chosen_or_been_late(two):
    for _ in range(3):
        ann = opened(two[0], clock=HURRIED)
        key, tokens = ann["id"], [ann["token"]]
        tokens.append(joined(two[1], key))

        def acting(key=key, tokens=tokens):
            there = [(seen(two[0], key, one), one) for one in tokens]
            return [pair for pair in there if pair[0]["choices"]]

        ((table, token),) = until(acting)
        (due,) = [seat["until"] for seat in table["clock"]["times"] if seat["until"]]
        while time.time() * 1000 < due - 20:
            time.sleep(0.005)

        def act(server, key=key, token=token, table=table):
            return choose(server, key, token, table["choices"][0]["text"], table["number"])

        said = [answer.status_code for answer in at_once(act, *two)]
        assert said.count(200) <= 1, "a choice is made once"
        assert set(said) <= {200, 409, 422, 503}
        until(lambda key=key: len({seen(server, key)["number"] for server in two}) == 1)
        records = [get(f"{server.base}/api/games/{key}/record").text for server in two]
        first = [record.split("\n")[:6] for record in records]
        assert first[0] == first[1]
