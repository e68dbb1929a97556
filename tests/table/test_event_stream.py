"""Streams of news: their number, signs of life, and a lost connection that loses nothing."""

import json
import socket
from contextlib import ExitStack
from itertools import islice, pairwise
from threading import Event, Thread
from types import SimpleNamespace

import httpx
import pytest
from waiting import until

from yegg.client import Server, seat
from yegg.table import app
from yegg.table.rate_limits import Open
from yegg.table.refusals import HttpRefusal

from .people import Player, refused, whose
from .serving import awaited, running
from .silence import Front


@pytest.fixture
def two(strict):
    """Two people at a table."""
    ann, ben = (Player(strict.client) for _ in range(2))
    ann.open()
    assert ben.join(ann.key).status_code == 200
    return [ann, ben]


def status(person):
    """Whether a stream may be opened: the status of an answer that is not read."""
    path = f"/api/games/{person.key}/events"
    with person.client.stream("GET", path, headers=person.headers) as stream:
        return stream.status_code


@pytest.mark.wide
def test_a_seat_has_eight_streams_and_is_told_so(two):
    ann, ben = two
    held = [ann.views() for _ in range(8)]
    assert all(next(views)["seat"] == 1 for views in held)
    ninth = ann.ask("events")
    refused(ninth, 429, "8 streams of this seat are open already")
    assert ninth.headers["retry-after"]
    assert next(ben.views())["seat"] == 2, "the other seat has its own eight"
    held.pop().close()
    until(lambda: status(ann) == 200)
    for views in held:
        views.close()


def test_an_address_has_so_many_streams():
    streams = Open(2, "from your address")
    with streams.one("here"), streams.one("here"):
        with pytest.raises(HttpRefusal) as refusal:
            streams.take("here")
        assert refusal.value.status == 429
        streams.take("elsewhere")
    streams.take("here")
    assert "here" not in streams.now, "nothing is kept of who has gone"


@pytest.mark.wide
def test_a_lost_stream_is_taken_up_where_it_was(two):
    who = whose(two)[0]
    table = who.table
    assert next(who.views())["number"] == table["number"]
    assert who.act()
    number = who.table["number"]
    assert next(who.views(after=table["number"]))["number"] == number
    with ExitStack() as stack:
        views = who.views(after=number)
        stack.callback(views.close)
        assert whose(two)[0].act()
        assert next(views)["number"] > number, "what was seen is not sent again"


def test_who_hangs_up_before_the_answer_has_chosen(two, strict):
    who, other = whose(two)
    table = who.table
    body = json.dumps({"choice": table["choices"][0]["text"], "after": table["number"]})
    seen = other.views()
    next(seen)
    with socket.create_connection(("localhost", strict.port)) as line:
        line.sendall(
            f"POST /api/games/{who.key}/choices HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: {who.headers['Authorization']}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
    after = next(seen)
    assert after["number"] > table["number"], "the other hears of it"
    seen.close()
    assert who.table["number"] == after["number"]


# Signs of life


@pytest.fixture(scope="module")
def lively(tmp_path_factory):
    """A server whose streams give a sign of life every second."""
    first = "import yegg.table.app as app; app.BEAT = 1"
    with running(tmp_path_factory.mktemp("lively"), first=first) as server:
        yield server


@pytest.mark.wide
def test_a_sign_of_life_is_an_event_that_pages_see_and_holds_nothing(lively):
    lines = islice(Player(lively.client).open().lines(), 40)
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
    delays = SimpleNamespace(beat=lambda _: None)
    with pytest.raises(Enough):
        awaited(app.beat(SimpleNamespace(tables=tables, delays=delays)))
    assert {after - before for before, after in pairwise(newest.woken)} == {app.BEAT}


@pytest.mark.wide
def test_a_client_leaves_a_stream_that_gives_no_sign_of_life(lively, monkeypatch):
    assert app.BEAT < seat.TIMES.read <= 20
    monkeypatch.setattr(seat, "TIMES", httpx.Timeout(10, read=3))
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
