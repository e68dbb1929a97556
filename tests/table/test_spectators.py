"""Those who watch are counted."""

import pytest

from yegg.table.service import presence
from yegg.table.service.cluster_membership import listed
from yegg.table.service.presence import Guests
from yegg.table.storage.postgres import LONGEST

from .people import SS


@pytest.fixture
def room(party, client, monkeypatch):
    monkeypatch.setattr(presence, "COUNTING", 0.0)
    people = party(SS, 2)
    return client.app.state.registry.table(people[0].key)


def test_those_without_a_seat_are_counted_once_each(room):
    edition = room.edition
    seated = room.now.seats[0].person
    with room.watching("cid"), room.watching("cid"), room.watching(seated), room.watching(None):
        room.look_round()
        assert room.presence.guests == 2, "Cid in two windows, and somebody without a cookie"
        assert room.edition > edition, "everybody's view is drawn anew"
    room.look_round()
    assert room.presence.guests == 0


def test_whoever_watches_through_two_processes_counts_once(room):
    cid, dora = "c1d" * 20, "d0a" * 20
    there = Guests(2, frozenset({cid, dora}))
    told = listed(there).split()
    room.elsewhere.hear("other", 4, guests=Guests(int(told[0]), frozenset(told[1:])))
    with room.watching(cid), room.watching("eve"), room.watching(None):
        room.look_round()
        assert room.presence.guests == 6, "Cid, Dora and Eve, and three whom nobody knows"
    room.look_round()
    assert room.presence.guests == 4
    assert cid not in listed(there), "only a mark of a person is told"


def test_of_very_many_who_watch_only_some_are_named(room):
    crowd = Guests(1, frozenset(f"{n:064x}"[::-1] for n in range(1000)))
    said = listed(crowd)
    assert len(said) < LONGEST
    strangers, *marks = said.split()
    room.elsewhere.hear("other", 1001, guests=Guests(int(strangers), frozenset(marks)))
    room.look_round()
    assert room.presence.guests == 1001


def test_a_view_says_how_many_watch(room, client):
    with room.watching("cid"):
        room.look_round()
        assert client.get(f"/api/games/{room.key}").json()["guests"] == 1
        assert 'data-watching="one is watching"' in client.get(f"/t/{room.key}").text
    room.look_round()
    assert 'data-watching=""' in client.get(f"/t/{room.key}").text


def test_many_who_come_at_once_are_counted_at_most_every_two_seconds(room, monkeypatch):
    monkeypatch.setattr(presence, "COUNTING", 1000.0)
    room.look_round()
    edition = room.edition
    for n in range(50):
        with room.watching(f"{n}"):
            pass
    assert room.edition == edition
