"""A stream that falls silent without ending: its signs of life, and a client that misses them."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from threading import Event, Thread
from types import SimpleNamespace

import httpx
import pytest

from yegg.client import Server, seat
from yegg.table import app

from .serving import Served
from .silence import Front


@pytest.fixture(scope="module")
def lively(tmp_path_factory):
    """A server whose streams give a sign of life every second."""
    first = "import yegg.table.app as app; app.BEAT = 1"
    server = Served(tmp_path_factory.mktemp("lively"), first=first).start()
    yield server
    server.close()


def test_a_sign_of_life_is_an_event_that_pages_see_and_holds_nothing(lively):
    with Server(lively.base) as server:
        table = server.open("second-story", ["me", "open"], "Ann").table
    url = f"{lively.base}/api/games/{table}/events"
    with httpx.stream("GET", url, timeout=20) as stream:
        lines = islice(stream.iter_lines(), 40)
        assert "event: beat" in lines
        assert [next(lines), next(lines)] == ["data:", ""]


def test_every_table_gives_signs_of_life_by_the_clock_whatever_becomes_of_others(monkeypatch):
    class Known(SimpleNamespace):
        def beat(self):
            self.woken.append(now[0])

    class Enough(Exception):
        pass

    async def sleep(seconds):
        now[0] += seconds
        tables.pop(now[0] - 20, None)  # the oldest tables are forgotten
        if now[0] > 200:
            raise Enough

    now, tables = [0], {i: Known(id=i, woken=[]) for i in range(200)}
    newest = tables[199]
    monkeypatch.setattr(app, "asyncio", SimpleNamespace(sleep=sleep))
    with pytest.raises(Enough), ThreadPoolExecutor(1) as apart:  # browsers have a loop in this one
        apart.submit(lambda: asyncio.run(app.beat(SimpleNamespace(tables=tables)))).result()
    assert {after - before for before, after in pairwise(newest.woken)} == {app.BEAT}


def test_a_client_leaves_a_stream_that_gives_no_sign_of_life(lively, monkeypatch):
    assert app.BEAT < seat.PATIENCE.read <= 20
    monkeypatch.setattr(seat, "PATIENCE", httpx.Timeout(10, read=3))
    front = Front(lively)
    with Server(front.base) as server, Server(lively.base) as elsewhere:
        mine = server.open("second-story", ["me", "open"], "Ann")
        begun = Event()

        def until_ben():
            for table in mine.news():
                begun.set()
                if not table.seats[1].free:
                    return

        ear = Thread(target=until_ben, daemon=True)
        ear.start()
        assert begun.wait(30)
        front.silent = True
        elsewhere.join(mine.table, "Ben")
        ear.join(30)
        assert not ear.is_alive()
    front.close()
