"""The lobby is read from the database: it opens no table, and it is always up to date."""

import pytest
import sqlalchemy as sa

from yegg.table.service import lobby
from yegg.table.storage.store import Store

from .people import SS, finish

pytestmark = pytest.mark.usefixtures("fresh")


def nobody(_people):
    """Who minds nobody."""
    return False


@pytest.fixture
def tables(client):
    return client.app.state.registry


def as_it_is(table, person):
    """What the lobby should say of an open table."""
    now = table.now
    seat = now.seat_of(person)
    taken = [place for place in now.seats if not place.free]
    return {
        "taken": len(taken),
        "names": [place.name for place in taken],
        "over": now.over,
        "your_turn": seat in now.waited_for(),
        "place": now.result()[0][seat] if now.over and seat >= 0 else None,
    }


def check(tables, one):
    table = tables.tables[one.key]
    person = next(place.person for place in table.now.seats if place.person)
    (found,) = [table for table in lobby.mine(tables.store, person) if table.id == one.key]
    due = as_it_is(table, person)
    assert {name: getattr(found, name) for name in due} == due
    return found


@pytest.mark.wide
def test_listing_opens_no_table_and_asks_once_for_each_list(party, tables):
    opened = [party(SS, 2) for _ in range(5)]
    tables.tables.clear()
    statements = []
    engine = tables.store.engine
    sa.event.listen(engine, "before_cursor_execute", lambda *what: statements.append(what[2]))
    shown = opened[0][0].get("/api/lobby").json()
    assert len(shown["tables"]) == 5
    assert [table["id"] for table in shown["mine"]] == [opened[0][0].key]
    assert not tables.tables
    asked = [line for line in statements if line.startswith("SELECT")]
    assert len([line for line in asked if "lobby %" not in line]) == 2
    assert len(asked) <= 3, "of games that everybody may watch, at most once in some seconds"


def test_the_lobby_is_right_after_everything_that_happens(somebody, tables):
    one, other = somebody(1).open(you="Ann"), somebody(2)
    assert check(tables, one).names == ["Ann"]
    other.join(one.key, you="Ben")
    assert check(tables, one).names == ["Ann", "Ben"]
    turns = [check(tables, one).your_turn]
    while len(turns) < 13 or (len(set(turns)) < 2 and len(turns) < 200):
        one.act() or other.act()
        turns.append(check(tables, one).your_turn)
    assert set(turns) == {True, False}
    one.do("undo")
    check(tables, one)
    for bot in ("uniform", None):
        one.do("hand", bot=bot)
        check(tables, one)
    one.do("name", you="Anna")
    assert check(tables, one).names[0] == "Anna"
    other.do("leave")
    assert check(tables, one).taken == 1


@pytest.mark.wide
def test_orders_under_seal_that_are_all_given_are_no_turn_any_more(party, tables):
    people = party("secrets", 3)
    assert check(tables, people[0]).your_turn
    while people[0].act():
        check(tables, people[0])
    assert not check(tables, people[0]).your_turn


def test_a_store_that_is_opened_again_says_the_same(party, tables, settings):
    party("magnate", 2)
    again = Store(settings.db)
    try:
        assert len(lobby.listed(again, nobody)) == 1
        assert lobby.listed(again, nobody) == lobby.listed(tables.store, nobody)
    finally:
        again.close()


def test_a_finished_table_says_how_it_ended(party, tables, client):
    people = party(SS, 2, options={"chips": "3"})
    assert check(tables, people[0]).ended is None
    finish(people)
    table = check(tables, people[0])
    assert table.over
    assert table.place in (1, 2)
    assert not lobby.listed(tables.store, nobody)
    now = tables.tables[people[0].key].now
    places, scores = now.result()
    names = [seat.name for seat in now.seats]
    first, second = sorted(range(2), key=lambda i: places[i])
    won = f"{names[first]} wins" if places[second] == 2 else f"{' and '.join(names)} share the win"
    told = f"{names[first]} {scores[first]}, {names[second]} {scores[second]}"
    assert table.ended == f"{won}: {told}"
    client.cookies.set("yegg", people[0].token)
    assert f"Second Story. {table.ended}." in client.get("/").text
