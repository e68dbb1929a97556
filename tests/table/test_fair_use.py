"""What one address may take of the server: of the bots' time, of the coach, of the lobby."""

import asyncio

import pytest

from yegg.table.refusals import HttpRefusal
from yegg.table.service import bot_driver, coach, lobby
from yegg.table.service.bots import FairQueue, Job
from yegg.table.service.coach import Coach, LookBack

from .conftest import opened, settings_for
from .people import SS, TWO, Player


def table_of(client, player):
    return client.app.state.registry.table(player.key)


def test_many_tables_of_one_address_have_one_share():
    """20 tables of slow bots make nobody wait who comes from elsewhere."""
    queue, jobs = FairQueue(1), []
    for table in range(20):
        queue.add(Job("192.0.2.1", None, None, f"table {table}"))
    first = queue.next()
    queue.add(Job("192.0.2.2", None, None, "another's"))
    queue.over(first, 2.0)
    jobs.append(queue.next())
    assert [job.kind for job in jobs] == ["another's"]


def test_the_share_is_of_the_address_that_opened_a_table(fresh):
    ann = Player(fresh).open(SS, ("me", "easy"))
    table = table_of(fresh, ann)
    assert table.payer == "127.0.0.1"
    table.address = ""  # as after a restart
    assert table.payer == table.now.seats[0].person


def test_bots_play_for_a_while_where_nobody_looks_and_then_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_driver, "UNSEEN", -1.0)  # no while at all
    with opened(settings_for(tmp_path)) as client:
        key = Player(client).open(SS, ("easy", "easy"))
        table = table_of(client, key)
        assert not table.driver.busy
        assert table.now.waited_for()

        async def watched():
            with table.watching() as awake:
                while not table.now.over:
                    await awake.wait()
                    awake.clear()

        with client.portal() as portal:
            portal.call(asyncio.wait_for, watched(), 30)


def test_bots_play_where_somebody_sits(tmp_path, monkeypatch):
    monkeypatch.setattr(bot_driver, "UNSEEN", -1.0)
    with opened(settings_for(tmp_path)) as client:
        table = table_of(client, Player(client).open(SS, ("me", "easy")))
        assert table.driver.looked_at


def test_one_address_leaves_the_coach_to_others():
    mind = Coach(None)
    for n in range(coach.SHARE):
        mind.reviews[f"table {n}"] = LookBack(10, "192.0.2.1")
    with pytest.raises(HttpRefusal, match="still works on what you asked before"):
        mind._admit("192.0.2.1")
    mind._admit("192.0.2.2")


@pytest.mark.parametrize("path", ["api/games/{}/review", "t/{}/review", "t/{}/course"])
def test_whoever_asks_for_reviews_all_the_time_is_refused(tmp_path, path):
    with opened(settings_for(tmp_path, limits=True)) as client:
        key = Player(client).open(**TWO).key
        asking = client.app.state.limits.asking
        asking.burst, asking.rate = 3, 1e-6
        asking.left.clear()
        found = [client.get(f"/{path.format(key)}").status_code for _ in range(4)]
    assert found[-1] == 429
    assert 429 not in found[:3]


def test_one_address_does_not_fill_the_lobby(fresh, monkeypatch):
    monkeypatch.setattr(lobby, "MANY", 4)
    other = Player(fresh).open(**TWO)
    fresh.app.state.registry.addresses[table_of(fresh, other).id] = "192.0.2.2"
    for _ in range(6):
        Player(fresh).open(**TWO)
    shown = [table["id"] for table in fresh.get("/api/lobby").json()["tables"]]
    assert len(shown) == 4
    assert other.key in shown


def test_tables_of_people_one_has_blocked_take_no_place_of_the_lobby(fresh, monkeypatch):
    monkeypatch.setattr(lobby, "MANY", 2)
    ann, troll = Player(fresh), Player(fresh).open(**TWO)
    ann.join(troll.key)
    old = Player(fresh).open(**TWO)
    assert ann.do("block", seat=1, blocked=True).status_code in (200, 201)
    for _ in range(3):
        Player(fresh, troll.token).open(**TWO)
    shown = [table["id"] for table in ann.get("/api/lobby").json()["tables"]]
    assert old.key in shown
