"""Evenings: several rounds over one link, which open by themselves and add up."""

import re

from waiting import until

from .devices import Device

MAGNATE = {"game": "magnate", "seats": "2", "kind": "swiss", "rounds": "2", "minutes": "45"}


def opened(host, **fields):
    """Open an evening by the form; its key."""
    answer = host.post("/evening", **{**MAGNATE, "plays": "on", **fields})
    assert answer.status_code == 303, answer.text
    return re.fullmatch(r"/evening/([\w-]{22})", answer.headers["location"])[1]


def joined(client, key, *names):
    people = [Device(client, name=name) for name in names]
    for one in people:
        assert one.post(f"/evening/{key}/join").status_code == 303
    return people


def seen(device, key):
    return device.get(f"/api/evenings/{key}").json()


def play(people, key):
    """Play at all open tables, the last choice each time, until these are over."""
    for device in people:
        table = seen(device, key)["table"]
        while table and not (now := device.get(f"/api/games/{table}").json())["over"]:
            if not now["choices"]:
                break
            choice = now["choices"][-1]["text"]
            sent = device.post(f"/t/{table}/choose", choice=choice, after=now["number"])
            assert sent.status_code == 303, sent.text


def played(people, key, most=2000):
    """Play until the evening is over."""
    for _ in range(most):
        if seen(people[0], key)["over"]:
            return seen(people[0], key)
        play(people, key)
    raise AssertionError("the evening does not end")


def test_two_rounds_open_by_themselves_and_all_points_are_given_out(fresh):
    ann = Device(fresh)
    key = opened(ann)
    people = [ann, *joined(fresh, key, "Ben", "Cy", "Dee")]
    assert "Four have joined" in people[3].get(f"/evening/{key}").text
    assert ann.post(f"/evening/{key}/begin").status_code == 303
    until(lambda: all(seen(one, key)["table"] for one in people))
    end = played(people, key)
    assert end["round"] == 2
    pairs = [sorted(table["members"]) for table in end["tables"]]
    assert len(pairs) == len({tuple(pair) for pair in pairs}) == 4
    assert sum(one["points"] for one in end["members"]) == 2 * 2 * 12
    page = ann.get(f"/evening/{key}").text
    assert "The evening is over" in page
