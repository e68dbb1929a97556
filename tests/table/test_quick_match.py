"""Quick match: one press, and somebody sits at the table of a game that waits, or opens one."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from waiting import until

from yegg.table.domain.quick_match import ALONE, was_quick
from yegg.table.storage.schema import games
from yegg.table.storage.store import LATELY

from .devices import Device
from .people import SS, Player
from .serving import together


def press(person, game="magnate", **more):
    """Press the button of a game; the table's key."""
    answer = person.post("/api/quick", {"game": game, "you": "Somebody", **more})
    assert answer.status_code == 201, answer.text
    person.token = answer.json()["token"] or person.token
    person.key = answer.json()["id"]
    return person.key


def a_minute_later(client, monkeypatch):
    """The table's clock says that whoever waits has waited long enough."""
    hours, now = client.app.state.registry.store.hours, client.app.state.registry.store.hours.now
    monkeypatch.setattr(hours, "now", lambda: now() + ALONE)


def bot_sat(person):
    """Wait until a bot has sat down; the table."""
    return until(lambda: (table := person.table)["begun"] and table)


def test_the_second_who_presses_sits_down_where_the_first_waits(fresh, somebody):
    ann, ben, cy = somebody(0), somebody(1), somebody(2)
    key = press(ann)
    table = ann.table
    assert (table["begun"], table["seat"], len(table["seats"])) == (False, 1, 2)
    assert press(ann) == key, "who waits already goes on waiting"
    assert press(ben) == key
    assert ben.table["begun"]
    assert press(cy) != key, "the first table is full"
    assert press(somebody(3), "second-story") not in (key, cy.key)


def test_a_table_that_waits_is_public_with_a_clock_and_without_hints(fresh, somebody):
    ann = somebody()
    press(ann)
    table = ann.table
    assert not table["advice"]
    assert table["clock"]
    assert ann.key in {listed["id"] for listed in ann.get("/api/lobby").json()["tables"]}


def test_after_a_minute_a_bot_sits_down_and_not_before(fresh, somebody, monkeypatch, looked):
    ann = somebody()
    press(ann)
    looked()
    assert not ann.table["begun"]
    a_minute_later(fresh, monkeypatch)
    table = bot_sat(ann)
    assert [seat["bot"] for seat in table["seats"]] == [None, "medium"]
    with fresh.app.state.registry.store.engine.connect() as connection:
        (row,) = connection.execute(sa.select(games))
    assert was_quick(row), "by which the even match knows it, later too"


def test_a_table_that_waits_is_due_when_bots_come(fresh, somebody):
    press(somebody())
    with fresh.app.state.registry.store.engine.connect() as connection:
        (row,) = connection.execute(sa.select(games))
    assert row.due == row.at + ALONE


def test_for_ten_minutes_the_lobby_says_that_somebody_waits(fresh, somebody, monkeypatch):
    press(somebody(), "magnate")
    store, after = fresh.app.state.registry.store, [LATELY - 5000]
    now = store.hours.now
    monkeypatch.setattr(store.hours, "now", lambda: now() + after[0])
    assert store.lanes_waiting() == ["magnate"]
    after[0] = LATELY + 1
    assert store.lanes_waiting() == []


def test_no_bot_sits_down_where_nobody_is_there_any_more(fresh, somebody, monkeypatch, looked):
    ann = somebody()
    press(ann)
    table = fresh.app.state.registry.tables[ann.key]
    table.presence.patience = 0
    a_minute_later(fresh, monkeypatch)
    looked()
    assert not table.now.begun
    assert press(somebody(1)) != ann.key, "nor is anybody led there"


@pytest.mark.parametrize("game", ["magnate", SS])
def test_the_bot_gives_its_seat_to_whoever_presses_in_the_first_turn(
    fresh, somebody, monkeypatch, game
):
    ann, ben = somebody(0), somebody(1)
    key = press(ann, game)
    a_minute_later(fresh, monkeypatch)
    bots = [seat["name"] for seat in bot_sat(ann)["seats"][1:]]
    assert press(ben, game) == key
    table = ben.table
    assert (table["seat"], table["seats"][1]["bot"], table["begun"]) == (2, None, True)
    assert f"{bots[0]} leaves the table" in str(table["notices"])
    assert [seat["bot"] for seat in table["seats"][2:]] == ["medium"] * (len(bots) - 1)


def test_after_the_first_turn_the_bot_stays(fresh, somebody, monkeypatch):
    ann, ben = somebody(0), somebody(1)
    key = press(ann)
    a_minute_later(fresh, monkeypatch)
    bot_sat(ann)
    table = fresh.app.state.registry.tables[key]
    until(lambda: ann.act() and 1 in table.now.match.actors)
    assert press(ben) != key
    assert not table.now.over
    assert table.now.seats[1].bot == "medium"


def test_people_who_do_not_meet_wait_at_tables_of_their_own(fresh, somebody):
    ann, ben, cy = somebody(0), somebody(1), somebody(2)
    ann.open(SS)
    ben.join(ann.key)
    assert ann.do("block", seat=2, blocked=True).status_code == 200
    key = press(ann)
    other = press(ben)
    assert other != key
    assert press(cy) == key


def test_who_leaves_alone_does_not_keep_others_from_meeting(fresh, somebody):
    ann, ben, cy = somebody(0), somebody(1), somebody(2)
    press(ann)
    assert ann.do("leave").status_code == 200
    key = press(ben)
    assert press(cy) == key
    assert cy.table["begun"]


def test_a_closed_table_waits_for_nobody(fresh, somebody):
    ann, ben = somebody(0), somebody(1)
    key = press(ann)
    assert ann.do("close").json() == {"closed": True}
    assert press(ben) != key


@pytest.mark.parametrize("body", [{"game": "chess"}, {"game": "magnate", "you": ""}, {}])
def test_what_cannot_be_is_refused(client, somebody, body):
    assert somebody().post("/api/quick", body).status_code in (400, 422)


def test_a_form_leads_to_the_table_and_asks_for_a_name_first(fresh):
    ann, ben = Device(fresh, name=""), Device(fresh, name="")
    for device in (ann, ben):
        device.get("/")
    asked = ann.post("/quick", quick="magnate")
    assert asked.headers["location"].startswith("/name?")
    form = ann.get(asked.headers["location"]).text
    assert 'action="/quick"' in form
    assert 'name="quick" value="magnate"' in form
    assert "Somebody wants Magnate now" not in ben.get("/").text
    there = ann.post("/quick", quick="magnate", you="Ann").headers["location"]
    assert there.startswith("/t/")
    assert "Somebody wants Magnate now" in ben.get("/").text
    assert "After a minute a bot comes" in ann.get(there).text
    assert ben.post("/quick", quick="magnate", you="Ben").headers["location"].startswith(there)
    assert "Somebody wants Magnate now" not in ben.get("/").text


def test_two_who_press_at_once_meet(fresh, somebody):
    for _ in range(4):
        people = [somebody(i) for i in range(2)]
        with ThreadPoolExecutor(2) as pool:
            assert len(set(pool.map(press, people))) == 1


# Several processes ------------------------------------------------------------------------


SOON = "from yegg.table.service import quick_match, registry as r; quick_match.ALONE = r.ALONE = 0"


@pytest.fixture
def three(request, shared, tmp_path):
    """Three processes on one database, and what is done before in each."""
    with together(3, tmp_path, db=shared, first=getattr(request, "param", "pass")) as served:
        yield served


@pytest.mark.wide
def test_through_three_processes_whoever_presses_at_once_meets(three):
    for game in ("magnate", SS, "magnate", SS):
        people = [Player(server.client, seed=i) for i, server in enumerate((*three, three[0]))]
        with ThreadPoolExecutor(4) as pool:
            keys = set(pool.map(lambda person, game=game: press(person, game), people))
        tables = [Player(three[1].client, key=key).table for key in keys]
        waiting = [table for table in tables if not table["begun"]]
        assert len(waiting) <= 1, "no two tables of a game wait"
        sat = sum(not seat["free"] for table in tables for seat in table["seats"])
        assert sat >= 4


@pytest.mark.wide
@pytest.mark.parametrize("three", [SOON], indirect=True)
def test_through_three_processes_a_bot_comes_and_gives_its_seat_back(three):
    for first, other in ((0, 1), (1, 2), (2, 0)):  # wherever the bots of that table are driven
        ann, ben = Player(three[first].client), Player(three[other].client)
        key = press(ann)
        assert [seat["bot"] for seat in bot_sat(ann)["seats"]] == [None, "medium"]
        assert press(ben) == key
        assert until(lambda ann=ann: ann.table["seats"][1]["bot"] is None)
