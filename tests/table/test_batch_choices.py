"""Several choices sent at once: all are made or none, in any order where order does not matter."""

import re

import pytest

from .devices import Device
from .people import refused, whose

TM = "thiefs-market"


@pytest.fixture
def actor(party):
    """Whoever is to act in a first split."""
    return whose(party(TM, 3))[0]


def legal(person):
    return [choice["text"] for choice in person.table["choices"]]


def chosen(record):
    """What players have chosen so far, in the words of the record."""
    return re.findall(r"^\d (.*)$", record, re.MULTILINE)


def test_all_are_made_in_the_record_s_order_and_once(actor):
    there, number = legal(actor), actor.table["number"]
    assert actor.choose([*reversed(there), "done"]).status_code == 200
    assert chosen(actor.record) == [*there, "done"]
    assert actor.table["turn"] != [actor.seat]
    assert actor.choose([there[0], "done"], number).status_code == 409


def test_none_is_made_if_one_is_not_legal(actor):
    there, before = legal(actor), actor.table["number"]
    refused(actor.choose([*there, "take fish"]), 422)
    refused(actor.choose([*there, "done", "done"]), 422, "comes too late")
    for choice in ([], [""] * 41, [3], [["take red"]]):
        assert actor.choose(choice).status_code in (400, 422)
    assert chosen(actor.record) == []
    assert actor.table["number"] == before


def test_a_late_choice_is_put_where_it_belongs(actor):
    there = legal(actor)
    assert actor.choose("take marker").status_code == 200
    assert actor.choose(there[0]).status_code == 200
    assert chosen(actor.record) == [there[0], "take marker"]
    refused(actor.choose("steal 2"), 422)  # only what has no order is put before


def test_orders_under_seal_come_in_a_row_too(party):
    first = party("secrets", 3)[0]
    one = legal(first)[0]
    assert first.choose([one]).status_code == 200
    two = legal(first)[0]
    for bad in ("guards 99", [two, "guards 99"], [two, "no such order"]):
        refused(first.choose(bad), 422)
    assert first.table["orders"] == [one], "all or none"
    assert first.choose([two]).status_code == 200
    assert first.table["orders"] == [one, two]


def test_a_form_sends_what_was_picked_and_then_its_button(client):
    ann = Device(client)
    key = ann.open(TM, seat1="me", seat2="uniform", seat3="uniform")
    table = ann.get(f"/api/games/{key}").json()
    there = [choice["text"] for choice in table["choices"]]

    def send(**fields):
        return ann.post(f"/t/{key}/choose", after=table["number"], choice="+ done", **fields)

    nothing = send()
    assert nothing.status_code == 422
    assert "TM-11: at least one object is taken" in nothing.text
    assert send(pick=there[::-1]).status_code == 303
    assert chosen(ann.get(f"/api/games/{key}/record").text)[: len(there) + 1] == [*there, "done"]
