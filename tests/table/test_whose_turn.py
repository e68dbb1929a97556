"""Whose turn it is, for somebody who looks elsewhere: the title, the icon, `GET /api/me`."""

import re

import pytest

from .people import finish, whose

SS = "second-story"


def turns(person):
    return person.get("/api/me").json()["turns"]


@pytest.mark.wide
def test_me_lists_the_tables_where_it_is_my_turn(party, somebody):
    people = party(SS, 2, listed=False)
    mine = whose(people)[0]
    other = next(p for p in people if p is not mine)
    assert [(t["id"], t["title"]) for t in turns(mine)] == [(mine.key, "Second Story")]
    assert turns(other) == []
    assert turns(somebody()) == [], "without a token nothing waits"
    while mine.table["choices"]:
        mine.act()
    assert (turns(mine), len(turns(other))) == ([], 1)
    finish(people)
    assert turns(mine) == turns(other) == []


def test_se_2_whoever_has_given_all_orders_is_not_waited_for(party):
    first, second, third = party("secrets", 3)
    while second.table["choices"]:
        second.act()
    assert [len(turns(p)) for p in (first, second, third)] == [1, 0, 1]


def test_me_opens_no_table_and_keeps_nobody_present(party, client):
    one, _ = party(SS, 2)
    registry = client.app.state.registry
    registry.tables.clear()
    turns(one)
    assert not registry.tables


def test_the_title_and_the_icon_say_it_before_any_script_runs(party, client):
    people = party(SS, 2)
    pages = {}
    for person in people:
        client.cookies.set("yegg", person.token)
        pages[bool(person.table["choices"])] = client.get(f"/t/{person.key}").text
    assert "<title>● Your turn, Second Story</title>" in pages[True]
    assert "<title>Waiting for " in pages[False]
    icons = {
        mine: re.search(r'rel="icon" href="/static/([\w-]+\.svg)', page)[1]
        for mine, page in pages.items()
    }
    assert icons == {True: "icon-turn.svg", False: "icon.svg"}
