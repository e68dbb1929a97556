"""The lobby is read from the database: it opens no table, and is right after whatever happens."""

import pytest
import sqlalchemy as sa

from yegg.table import lobby
from yegg.table.store import Store

from .conftest import finish


@pytest.fixture
def rooms(client):
    return client.app.state.house


def as_it_is(room, person):
    """What the lobby should say of an open table."""
    now = room.now
    seat = now.seat_of(person)
    acting = now.acting().get(seat)
    taken = [place for place in now.seats if not place.free]
    return {
        "taken": len(taken),
        "names": [place.name for place in taken],
        "over": now.over,
        "your_turn": acting is not None and not acting[1],
        "place": now.result()[0][seat] if now.over and seat >= 0 else None,
    }


def check(rooms, one):
    room = rooms.rooms[one.key]
    person = next(place.person for place in room.now.seats if place.person)
    (found,) = [table for table in lobby.mine(rooms.store, person) if table.id == one.key]
    assert {name: getattr(found, name) for name in as_it_is(room, person)} == as_it_is(room, person)
    return found


def test_listing_opens_no_table_and_asks_once_for_each_list(party, rooms):
    tables = [party("second-story", 2) for _ in range(5)]
    rooms.rooms.clear()
    statements = []
    engine = rooms.store.engine
    sa.event.listen(engine, "before_cursor_execute", lambda *what: statements.append(what[2]))
    shown = tables[0][0].get("/api/lobby").json()
    assert len(shown["tables"]) == 5
    assert [table["id"] for table in shown["mine"]] == [tables[0][0].key]
    assert not rooms.rooms
    assert len([line for line in statements if line.startswith("SELECT")]) == 2


def test_the_lobby_is_right_after_everything_that_happens(somebody, rooms):
    one, other = somebody(1).open("second-story", ["me", "open"], you="Ann"), somebody(2)
    assert check(rooms, one).names == ["Ann"]
    other.join(one.key, you="Ben")
    assert check(rooms, one).names == ["Ann", "Ben"]
    turns = [check(rooms, one).your_turn]
    for _ in range(12):
        one.act() or other.act()
        turns.append(check(rooms, one).your_turn)
    assert set(turns) == {True, False}
    one.post(f"/api/games/{one.key}/undo")
    check(rooms, one)
    for bot in ("uniform", None):
        one.post(f"/api/games/{one.key}/hand", {"bot": bot})
        check(rooms, one)
    one.post(f"/api/games/{one.key}/name", {"you": "Anna"})
    assert check(rooms, one).names[0] == "Anna"
    other.post(f"/api/games/{one.key}/leave")
    assert check(rooms, one).taken == 1


def test_a_game_that_is_over_has_places(party, rooms):
    people = party("second-story", 2)
    finish(people)
    found = check(rooms, people[0])
    assert found.over
    assert found.place in (1, 2)
    assert not lobby.listed(rooms.store)


def test_orders_under_seal_that_are_all_given_are_no_turn_any_more(party, rooms):
    people = party("secrets", 3)
    assert check(rooms, people[0]).your_turn
    while people[0].act():
        check(rooms, people[0])
    assert not check(rooms, people[0]).your_turn


def test_a_store_that_is_opened_again_says_the_same(party, rooms, settings):
    party("magnate", 2)
    again = Store(settings.db)
    try:
        assert len(lobby.listed(again)) == 1
        assert lobby.listed(again) == lobby.listed(rooms.store)
    finally:
        again.close()
