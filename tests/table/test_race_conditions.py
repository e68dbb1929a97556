"""What is tried at two processes at the same moment, and what one of them is told of a stranger."""

import asyncio
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from waiting import until

from yegg.table.accounts.tokens import new_token
from yegg.table.service.new_tables import OPEN, NewTable

from .devices import Device
from .people import Player, whose
from .test_several_processes import HURRIED, due, sat, via


@pytest.fixture
def devices(two):
    """Eight devices, each at a process of its own choice."""
    return [Device(two[i % 2].client) for i in range(8)]


def at_once(what, *many):
    """Do the same for each of many at the same moment."""
    ready = threading.Barrier(len(many))

    def race(one):
        ready.wait(30)
        return what(one)

    with ThreadPoolExecutor(len(many)) as pool:
        return list(pool.map(race, many))


def test_one_ticket_fixes_the_dice_of_one_table(two, devices):
    page = devices[0].get("/").text
    ticket = re.search(r'name="ticket" value="([^"]*)"', page)[1]
    promise = re.search(r'data-promise="(\w{64})"', page)[1]
    made = at_once(lambda one: one.post("/open", play="magnate", ticket=ticket), *devices)
    assert {one.status_code for one in made} == {303}
    keys = [re.match(r"/t/([\w-]{22})", one.headers["location"])[1] for one in made]
    tables = [Player(two[0].client, key=key) for key in keys]
    promises = [one.ask("dice").json()["promise"] for one in tables]
    assert len(set(promises)) == 8
    assert promises.count(promise) == 1


def test_of_many_who_have_seen_a_code_one_gets_it(devices):
    ann, *thieves = devices
    key = ann.open()
    code = ann.code()
    said = [one.status_code for one in at_once(lambda t: t.post("/me/take", code=code), *thieves)]
    assert sorted(said) == [303] + [404] * 6
    winner = thieves[said.index(303)]
    assert until(lambda: winner.seat(key)) == 1
    assert [one.seat(key) for one in thieves if one is not winner] == [None] * 6


def test_what_a_stranger_calls_his_address_stops_no_process(two):
    table = Player(two[0].client).open()
    path, head = f"/api/games/{table.key}/events", {"X-Forwarded-For": "x y\t" * 9000 + "z"}
    with two[0].client.stream("GET", path, headers=head) as stream:
        lines, there = stream.iter_lines(), via(table, two[1])
        next(lines)
        assert until(lambda: there.table["guests"]) == 1  # so its signs of life arrive
        assert next(lines) == ""
    logs = two[0].log.read_text(encoding="utf-8")
    assert '"event": "beat"' not in logs
    assert "not understood" not in logs


def test_names_of_any_letters_pass_from_one_process_to_the_other(two):
    ann, ben = sat(*two)
    for name in (
        "\U0001f3b2" * 40,
        "kept . 1 2",
        "x\\ny \"'",
        "\U0001d573\u0301" * 20,
        "keys - 0 -",
    ):
        assert ann.do("name", you=name).status_code == 200, name
        assert name in [seat["name"] for seat in ben.table["seats"]]


@pytest.mark.wide(but=["1"])
@pytest.mark.parametrize("rounds", [1, 3])
def test_who_chooses_as_the_time_is_up_has_either_chosen_or_been_late(two, rounds):
    for _ in range(rounds):
        people = sat(*two, clock=HURRIED)
        who, _ = whose(people)
        table = who.table
        end = due(table) - 20
        until(lambda end=end: time.time() * 1000 >= end)
        choice = table["choices"][0]["text"], table["number"]
        both = [via(who, server) for server in two]
        said = [one.status_code for one in at_once(lambda one, c=choice: one.choose(*c), *both)]
        assert said.count(200) <= 1, "a choice is made once"
        assert set(said) <= {200, 409, 422, 503}
        until(lambda both=both: len({one.table["number"] for one in both}) == 1)
        first = [one.record.split("\n")[:6] for one in both]
        assert first[0] == first[1]


def test_who_asks_for_a_table_just_before_it_is_written_keeps_nobody_from_it(fresh, monkeypatch):
    """The tables of an evening are known by their keys before they are opened."""
    registry, key = fresh.app.state.registry, new_token()
    read, found_none, written = registry.store.whole, threading.Event(), threading.Event()

    def slowly(key):
        found = read(key)
        found_none.set()
        assert written.wait(30)
        return found

    async def open_meanwhile():
        monkeypatch.setattr(registry.store, "whole", slowly)
        early = asyncio.create_task(registry.fetch(key))
        assert await asyncio.to_thread(found_none.wait, 30)
        monkeypatch.setattr(registry.store, "whole", read)
        keep = registry.store.keep

        async def kept(rows):
            await keep(rows)
            written.set()

        monkeypatch.setattr(registry.store, "keep", kept)
        table = await registry.open(NewTable("magnate", [OPEN, OPEN], ""), "", key)
        await early
        return table.key

    with fresh.portal() as portal:
        assert portal.call(open_meanwhile) == key
