"""Who joins an evening: nobody alone fills one with made-up names, unless its host lets in more."""

import re

import pytest
import sqlalchemy as sa

from yegg.table.domain import evening
from yegg.table.refusals import HttpRefusal
from yegg.table.service import joining
from yegg.table.storage.schema import evening_members

from .devices import Device
from .test_evenings import opened, sent


def at_most(monkeypatch, members):
    """Let so many join from one address."""
    for module in (evening, joining):
        monkeypatch.setattr(module, "FROM_ONE", members)


def test_from_one_address_only_so_many_join_until_the_host_lets_in_more(fresh, monkeypatch):
    ann, limits = Device(fresh, name="Ann"), fresh.app.state.limits
    monkeypatch.setattr(limits.opening, "burst", 100)
    monkeypatch.setattr(limits, "on", True)
    at_most(monkeypatch, 3)
    key = opened(ann)
    fresh.cookies.clear()

    def come():
        return fresh.post(f"/api/evenings/{key}/join", json={})

    assert [come().status_code for _ in range(3)] == [200, 200, 409]
    refused = come().json()["why"]
    assert "whoever opened this evening can let in more" in refused
    assert "let-in-more" in ann.get(f"/evening/{key}").text
    ben = Device(fresh, name="Ben")
    assert "let-in-more" not in ben.get(f"/evening/{key}").text
    assert "only whoever opened" in ben.sent(f"/evening/{key}/let-in-more").text.lower()
    assert "said=" not in sent(ann, f"/evening/{key}/join", {"csrf": ann.csrf()}, {}), "she is back"
    assert come().status_code == 409
    assert ann.post(f"/evening/{key}/let-in-more").status_code == 303
    assert [come().status_code for _ in range(2)] == [200, 200]
    assert "let-in-more" not in ann.get(f"/evening/{key}").text


def test_addresses_do_not_stand_in_the_database_and_are_told_apart(fresh, monkeypatch):
    monkeypatch.setattr(fresh.app.state.limits, "on", True)
    key = opened(Device(fresh, name="Ann"))
    store = fresh.app.state.registry.store
    with fresh.portal() as portal:
        for n, source in enumerate(("x", "x", "y", "y", None, None)):
            portal.call(joining.join, store, key, str(n), "Guest", source)
        at_most(monkeypatch, 2)
        with pytest.raises(HttpRefusal):
            portal.call(joining.join, store, key, "more", "Guest", "y")
        portal.call(joining.join, store, key, "more", "Guest", "z")
    with store.engine.connect() as connection:
        found = connection.scalar(sa.select(evening_members.c.source).order_by("number"))
    assert re.fullmatch("[0-9a-f]{32}", found), "what stands for Ann's address"


def test_a_host_may_say_from_the_start_that_all_sit_in_one_place(fresh, monkeypatch):
    monkeypatch.setattr(fresh.app.state.limits, "on", True)
    at_most(monkeypatch, 1)
    key = opened(Device(fresh, name="Ann"), crowd="on")
    fresh.cookies.clear()
    assert fresh.post(f"/api/evenings/{key}/join", json={}).status_code == 200
