"""At a table of friends nobody asks the coach unseen, or where the table does not say so."""

import pytest
from waiting import until

from .devices import Device
from .people import Player, refused

LIT = 'title="asks the coach"'
WITH_BOT = {"seat1": "me", "seat2": "uniform"}
WITH_FRIEND = {"seat1": "me", "seat2": "open"}


@pytest.mark.parametrize(
    ("hints", "seats", "may"),
    [
        ("bots", WITH_BOT, True),
        ("bots", WITH_FRIEND, False),
        ("yes", WITH_FRIEND, True),
        ("no", WITH_BOT, False),
    ],
)
def test_hints_are_for_tables_of_bots_unless_the_form_says_otherwise(client, hints, seats, may):
    ann = Device(client)
    key = ann.open("magnate", **seats, odds=hints)
    assert client.app.state.registry.tables[key].odds == may
    assert ('id="coach-ask"' in ann.get(f"/t/{key}").text) == may


def test_the_form_offers_what_is_usual_among_friends(client):
    page = Device(client).get("/?game=magnate").text
    hints = page.partition('<select name="odds">')[2].partition("</select>")[0]
    assert hints.startswith('<option value="bots">'), "the first is chosen"
    assert '<input type="checkbox" name="listed">' in page, "it is asked for"


def test_a_table_is_listed_only_where_the_form_asks_for_it(fresh):
    ann = Device(fresh)
    ann.open("magnate", **WITH_FRIEND)
    asked_for = ann.open("magnate", **WITH_FRIEND, listed="on")
    tables = fresh.get("/api/lobby").json()["tables"]
    assert [table["id"] for table in tables] == [asked_for]


@pytest.fixture
def asked(party):
    """Two people, of whom the one to act has asked the coach; and the other."""
    people = party("second-story", 2)
    me = next(person for person in people if person.table["choices"])
    other = people[1 - people.index(me)]
    before, turn = other.table["number"], me.table
    assert me.ask("advice").status_code == 200
    return me, other, before, turn


def test_all_see_a_lantern_beside_the_name_of_whoever_asks(asked, client):
    me, other, before, _ = asked
    assert other.table["number"] == before + 1
    for who in (me, other, Player(client, key=me.key)):
        page = who.page()
        assert page.count(LIT) == 1
        assert page.index(me.name) < page.index(LIT)
    assert ("coach", f"{me.name} asks the coach.") in other.notices
    assert me.ask("advice").status_code == 200
    assert other.table["number"] == before + 1, "it is told once"


def test_who_asks_may_still_choose_by_the_view_they_had(asked):
    me, _, _, turn = asked
    assert me.choose(turn["choices"][0]["text"], turn["number"]).status_code == 200


def test_the_lantern_stays_after_a_restart_and_goes_with_its_owner(asked, restarted):
    me, other, *_ = asked
    restarted(me, other)
    assert other.page().count(LIT) == 1
    assert me.do("leave").status_code == 200
    assert LIT not in other.page()


def test_alone_with_bots_nobody_lights_one(somebody):
    me = somebody().open("second-story", ["me", "uniform"])
    until(lambda: me.table["choices"])
    assert me.ask("advice").status_code == 200
    assert LIT not in me.page()
    assert me.notices == []


def test_where_the_table_allows_none_nobody_is_told_that_somebody_asked(party):
    people = party("second-story", 2, odds=False)
    refused(people[0].ask("advice"), 403)
    assert LIT not in people[1].page()
