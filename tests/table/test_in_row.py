"""Several choices sent at once: all are made or none, in any order where order does not matter."""

import re

import pytest

TM = "thiefs-market"


@pytest.fixture
def client(visited):
    return visited


@pytest.fixture
def three(party):
    """A first split: whoever is to act, and what lies in the centre."""
    people = party(TM, 3)
    actor = next(person for person in people if person.table["choices"])
    return people, actor, [choice["text"] for choice in actor.table["choices"]]


def spoken(person):
    """What players have chosen so far, in the words of the record."""
    text = person.get(f"/api/games/{person.key}/record").text
    return re.findall(r"^\d (.*)$", text, re.MULTILINE)


def test_all_are_made_in_the_record_s_order(three):
    people, actor, there = three
    assert actor.choose([*reversed(there), "done"]).status_code == 200
    assert spoken(actor) == [*there, "done"]
    assert people[1].table["turn"] == [2]


def test_none_is_made_if_one_is_not_legal(three):
    _, actor, there = three
    before = actor.table["number"]
    answer = actor.choose([*there, "take fish"])
    assert answer.status_code == 422
    answer = actor.choose([*there, "done", "done"])
    assert answer.status_code == 422
    assert "comes too late" in answer.json()["why"]
    assert spoken(actor) == []
    assert actor.table["number"] == before


def test_a_late_choice_is_put_where_it_belongs(three):
    _, actor, there = three
    assert actor.choose("take marker").status_code == 200
    assert actor.choose(there[0]).status_code == 200
    assert spoken(actor) == [there[0], "take marker"]
    answer = actor.choose("steal 2")
    assert answer.status_code == 422, "only what has no order is put before"


@pytest.mark.parametrize("choice", [[], [""] * 41, [3], [["take red"]]])
def test_an_invalid_list_is_refused(three, choice):
    assert three[1].choose(choice).status_code in (400, 422)


def test_sending_a_list_twice_makes_it_once(three):
    _, actor, there = three
    number = actor.table["number"]
    assert actor.choose([there[0], "done"], number).status_code == 200
    assert actor.choose([there[0], "done"], number).status_code == 409


def test_orders_under_seal_come_in_a_row_too(party):
    people = party("secrets", 3)
    first = people[0]
    one = first.table["choices"][0]["text"]
    assert first.choose([one]).status_code == 200
    two = first.table["choices"][0]["text"]
    assert first.choose("guards 99").status_code == 422
    assert first.choose([two, "guards 99"]).status_code == 422
    assert first.table["orders"] == [one], "all or none"
    assert first.choose([two, "no such order"]).status_code == 422
    assert first.choose([two]).status_code == 200
    assert first.table["orders"] == [one, two]


def form(client, key, **fields):
    page = client.get(f"/t/{key}").text
    csrf = re.search(r'name="csrf" value="([^"]*)"', page)[1]
    after = re.search(r'name="after" value="(\d+)"', page)[1]
    fields |= {"csrf": csrf, "after": after}
    return client.post(f"/t/{key}/choose", data=fields, follow_redirects=False)


def test_a_form_sends_what_was_picked_and_then_its_button(client):
    page = client.get("/").text
    csrf = re.search(r'name="csrf" value="([^"]*)"', page)[1]
    opened = client.post(
        "/open",
        data={
            "csrf": csrf,
            "you": "Ann",
            "game": TM,
            "seat1": "me",
            "seat2": "uniform",
            "seat3": "uniform",
        },
        follow_redirects=False,
    )
    key = opened.headers["location"].split("/")[2].split("#")[0]
    table = client.get(f"/api/games/{key}").json()
    there = [choice["text"] for choice in table["choices"]]
    refused = form(client, key, choice="+ done")
    assert refused.status_code == 422
    assert "TM-11: at least one object is taken" in refused.text.replace("&#39;", "'")
    assert form(client, key, pick=there[::-1], choice="+ done").status_code == 303
    said = re.findall(r"^1 (.*)$", client.get(f"/api/games/{key}/record").text, re.MULTILINE)
    assert said[: len(there) + 1] == [*there, "done"]
