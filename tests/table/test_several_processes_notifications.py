"""Several processes on one database: all take a device away, and one of them tells."""

import threading
from dataclasses import replace

import pytest
from waiting import until

from .devices import Device
from .house import awaited, confirmed, gone

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")


@pytest.fixture
def two(opens, settings, shared):
    """Two servers on one database, each with its own bots, tables and notifier."""
    there = [opens(settings=replace(settings, db=shared)) for _ in range(2)]
    until(lambda: all(len(house.company.alive) == 2 for house in there))
    return there


def elsewhere(device, house):
    """The same device, asking another process."""
    twin = Device(house.client)
    twin.cookies = device.cookies
    return twin


def test_a_device_comes_and_goes_at_all_processes(two):
    one, other = two
    ann, phone = Device(one.client), Device(other.client)
    key = ann.open()
    assert phone.post("/me/take", code=ann.code(), device="Phone").status_code == 303
    for house in two:
        assert until(lambda house=house: elsewhere(phone, house).seat(key) == 1)
    (found,) = [keys for name, _, *keys in ann.devices() if name == "Phone"]
    assert ann.post("/me/end", key=found[0], game=found[1]).status_code == 303
    cookies = dict(phone.cookies)
    for house in two:

        def seat(house=house):
            phone.cookies = dict(cookies)
            return elsewhere(phone, house).seat(key)

        until(seat, lambda found: found is None)


@pytest.mark.wide
def test_a_process_that_missed_it_reads_it_again(two):
    one, other = two
    ann, phone = Device(one.client), Device(one.client)
    key = ann.open()
    phone.post("/me/take", code=ann.code(), device="Phone")
    mine = phone.cookies["yegg"]
    token = one.registry.signer.token(mine)
    other.registry.keyring.keys.clear()  # as if nothing had been heard
    assert other.registry.whose(token) != one.registry.whose(token)
    other.call(other.client.app.state.cluster.may_have_missed)
    until(lambda: other.registry.whose(token) == one.registry.whose(token))
    assert elsewhere(phone, other).seat(key) == 1


def test_each_is_told_by_one_process_and_when_it_dies_by_the_other(two, post):
    people = []
    for n in range(4):
        ann = Device(two[0].client)
        confirmed(ann, post, f"ann{n}@home.example")
        people.append(awaited(ann, two[0]))
    for _, _, table in people:
        gone(table)
    both = [threading.Thread(target=house.wait, args=[3]) for house in two]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(letter["To"] for letter in post.letters) == [
        f"ann{n}@home.example" for n in range(4)
    ]
    late = Device(two[0].client)
    confirmed(late, post, "late@home.example".replace("late", "eve"))
    _, _, table = awaited(late, two[0])
    gone(table)
    number = max(two[0].call(two[0].notifier.store.query, numbers))
    owner, other = sorted(two, key=lambda house: not house.registry.processes.drives(-number))
    assert owner.registry.processes.drives(-number)
    assert not other.registry.processes.drives(-number)
    other.wait(6)
    assert not post.raw, "it is told by the other process"
    owner.end()
    until(lambda: other.registry.processes.drives(-number))
    other.wait(0)
    assert [letter["To"] for letter in post.letters] == ["eve@home.example"]


def numbers(connection):
    """The numbers of all contacts."""
    from yegg.table.storage.schema import contacts

    return list(connection.scalars(contacts.select().with_only_columns(contacts.c.id)))
