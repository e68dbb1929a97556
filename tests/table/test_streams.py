"""Live streams: how many there may be, and that a lost connection loses nothing."""

import json
import socket
import time
from contextlib import ExitStack

import httpx
import pytest

from yegg.table.http.rate_limits import Open
from yegg.table.refusals import HttpRefusal

from .serving import Served


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("server"), limits=True).start()
    yield server.base
    server.close()


@pytest.fixture
def two(base):
    """A table of two: its path, and their headers."""
    wish = {"game": "second-story", "seats": ["me", "open"]}
    opened = httpx.post(f"{base}/api/games", json=wish, timeout=60).json()
    path = f"{base}/api/games/{opened['id']}"
    joined = httpx.post(f"{path}/join", json={}, timeout=60).json()
    return path, [{"Authorization": f"Bearer {one['token']}"} for one in (opened, joined)]


def views(stream):
    """The views of a stream; it is closed when nobody holds these any more."""
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def first(stream):
    """The first view of a stream, which is then closed."""
    return next(views(stream))


def acting(path, people):
    """Whose turn it is, and what they see."""
    for who in people:
        table = httpx.get(path, headers=who, timeout=60).json()
        if table["choices"]:
            return who, table
    raise AssertionError("nobody acts")


def test_a_seat_has_eight_streams_and_is_told_so(two):
    path, (me, other) = two
    with ExitStack() as stack:
        streams = [
            stack.enter_context(httpx.stream("GET", f"{path}/events", headers=me, timeout=20))
            for _ in range(8)
        ]
        held = [views(stream) for stream in streams]
        assert all(next(seen)["seat"] == 1 for seen in held)
        ninth = httpx.get(f"{path}/events", headers=me, timeout=60)
        assert ninth.status_code == 429
        assert "8 streams of this seat are open already" in ninth.json()["why"]
        assert ninth.headers["retry-after"]
        with httpx.stream("GET", f"{path}/events", headers=other, timeout=20) as stream:
            assert first(stream)["seat"] == 2, "the other seat has its own eight"
        streams[0].close()
        for _ in range(600):
            with httpx.stream("GET", f"{path}/events", headers=me, timeout=20) as stream:
                if stream.status_code == 200:
                    break
            time.sleep(0.05)
        assert stream.status_code == 200, "one was closed, so there is room for one"


def test_an_address_has_so_many_streams():
    streams = Open(2, "from your address")
    with streams.one("here"), streams.one("here"):
        with pytest.raises(HttpRefusal) as refusal:
            streams.take("here")
        assert refusal.value.status == 429
        streams.take("elsewhere")
    streams.take("here")
    assert "here" not in streams.now, "nothing is kept of who has gone"


def test_a_lost_stream_is_taken_up_where_it_was(two):
    path, people = two
    who, table = acting(path, people)
    with httpx.stream("GET", f"{path}/events", headers=who, timeout=20) as stream:
        assert first(stream)["number"] == table["number"]
    wish = {"choice": table["choices"][0]["text"], "after": table["number"]}
    chosen = httpx.post(f"{path}/choices", json=wish, headers=who, timeout=60)
    number = chosen.json()["number"]
    again = {**who, "Last-Event-ID": str(table["number"])}
    with httpx.stream("GET", f"{path}/events", headers=again, timeout=20) as stream:
        assert first(stream)["number"] == number
    again = {**who, "Last-Event-ID": str(number)}
    with httpx.stream("GET", f"{path}/events", headers=again, timeout=20) as stream:
        now, table = acting(path, people)
        wish = {"choice": table["choices"][0]["text"], "after": table["number"]}
        httpx.post(f"{path}/choices", json=wish, headers=now, timeout=60).raise_for_status()
        assert first(stream)["number"] > number, "what was seen is not sent again"


def test_who_hangs_up_before_the_answer_has_chosen(two, base):
    path, people = two
    who, table = acting(path, people)
    other = next(one for one in people if one is not who)
    body = json.dumps({"choice": table["choices"][0]["text"], "after": table["number"]})
    host, port = base.removeprefix("http://").split(":")
    with (
        httpx.stream("GET", f"{path}/events", headers=other, timeout=20) as stream,
        socket.create_connection((host, int(port))) as line,
    ):
        seen = views(stream)
        next(seen)
        line.sendall(
            f"POST {path.removeprefix(base)}/choices HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: {who['Authorization']}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        line.close()
        after = next(seen)
        assert after["number"] > table["number"], "the other hears of it"
    now = httpx.get(path, headers=who, timeout=60).json()
    assert now["number"] == after["number"]
