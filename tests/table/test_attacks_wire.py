"""Requests that two programs could read differently, and what a proxy passes on from anybody."""

import json
import re
import socket
import sqlite3
import urllib.request

import pytest

from .conftest import Player
from .serving import Served
from .test_promised_dice import shapes
from .timed import SS

pytestmark = pytest.mark.wide
HOST = b"Host: localhost\r\n"
NEXT = b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
POST = b"POST /api/games HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
JSON = b"Content-Type: application/json\r\n"
PACKED = POST + JSON + b"Content-Encoding: gzip\r\n"
SEED = "SELECT seed FROM dice JOIN games ON games.id = dice.game WHERE key = ?"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    server = Served(folder, limits=True).start()
    server.file = folder / "serve.log"
    server.data = folder / "t.db"
    yield server
    server.close()


def asked(port, raw):
    """The statuses of all answers, until the server hangs up."""
    heard = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(raw)
        try:
            while piece := line.recv(65536):
                heard += piece
        except ConnectionResetError:
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+)", heard)]


ALONE = {  # refused, and nothing that follows is taken for a request
    "two lengths": POST + b"Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
    "a list of lengths": POST + b"Content-Length: 0, 40\r\n\r\n",
    "length and chunks": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks twice": POST
    + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n",
    "chunks of a kind": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks are not last": POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "a tab before chunks": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a space before the colon": POST + b"Content-Length : 0\r\n\r\n",
    "a length with a sign": POST + b"Content-Length: +0\r\n\r\n",
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a length without end": POST + b"Content-Length: 99999999999999999999\r\n\r\n",
    "a length in two parts": POST + b"Content-Length: 4 0\r\n\r\n",
    "a folded line": POST + b"X: a\r\n Content-Length: 40\r\nContent-Length: 0\r\n\r\n",
    "lines without a return": b"GET /live HTTP/1.1\nHost: localhost\n\n",
    "a return within a line": b"GET /live HTTP/1.1\r\nX: a\rHost: b\r\n" + HOST + b"\r\n",
    "a zero byte": b"GET /live HTTP/1.1\r\nX: a\0b\r\n" + HOST + b"\r\n",
    "a negative chunk": CHUNKED + b"-1\r\nx\r\n0\r\n\r\n",
    "a chunk without end": CHUNKED + b"fffffffffffffffff\r\nx\r\n0\r\n\r\n",
    "chunks without returns": CHUNKED + b"1\nx\n0\n\n",
    "a length after the body": CHUNKED + b"0\r\nContent-Length: 99\r\n\r\n",
    "a tunnel": b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "no protocol": b"GET /live\r\n\r\n",
    "a protocol to come": b"GET /live HTTP/3.7\r\n" + HOST + b"\r\n",
}


@pytest.mark.parametrize("raw", ALONE.values(), ids=ALONE)
def test_what_could_be_read_in_two_ways_is_refused_and_the_line_closed(served, raw):
    assert asked(served.port, raw + NEXT) == [400]


ANSWERED = {
    "a body with GET": (b"GET /live HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello", 200),
    "a whole address": (b"GET http://evil.example/live HTTP/1.1\r\n" + HOST + b"\r\n", 200),
    "a name of others": (b"GET /live HTTP/1.1\r\nHost: evil.example\r\n\r\n", 400),
    "two names": (b"GET /live HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", 400),
    "no name": (b"GET /live HTTP/1.1\r\n\r\n", 400),
    "packed": (
        PACKED + b"Content-Length: 4\r\n\r\n\x1f\x8b\x08\0",
        400,
    ),
    "too large": (POST + JSON + b"Content-Length: 30000\r\n\r\n" + b"[" * 30_000, 413),
    "nested": (POST + JSON + b"Content-Length: 9000\r\n\r\n" + b"[" * 9000, 400),
    "everything": (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 404),
}


@pytest.mark.parametrize(("raw", "status"), ANSWERED.values(), ids=ANSWERED)
def test_what_is_odd_gets_an_answer_and_so_does_what_follows(served, raw, status):
    assert asked(served.port, raw + NEXT) == [status, 200]


def opened(server, forwarded):
    body = json.dumps({"game": SS, "seats": ["me", "open"]}).encode()
    head = {"Content-Type": "application/json", "X-Forwarded-For": forwarded}
    url = f"{server.base}/api/games"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, head), timeout=60) as got:  # noqa: S310
            return got.status
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize(
    "forwarded",
    [
        "198.51.100.{}, 203.0.113.1",  # what a visitor says himself stands before
        "2001:db8:0:1::{}",
        "not an address {}",
        "x{}" + "y" * 30_000,
        "203.0.113.2:{}",
    ],
)
def test_nobody_escapes_a_limit_by_what_a_proxy_passes_on(served, forwarded):
    for i in range(200):
        if (status := opened(served, forwarded.replace("{}", str(i + 1)))) != 201:
            break
    assert status == 429
    assert opened(served, f"192.0.2.{len(forwarded) % 250 + 1}") == 201, "others are not limited"


def test_nothing_outside_the_table_says_the_seed_of_its_dice(served):
    import httpx

    with httpx.Client(base_url=served.base, timeout=60) as asking:
        ann, ben = Player(asking, seed=1), Player(asking, seed=2)
        ann.open(SS, ["me", "open"], salt="one")
        ben.join(ann.key, salt="two")
        for _ in range(12):
            ann.act(), ben.act()
        with sqlite3.connect(served.data) as data:
            (seed,) = data.execute(SEED, (ann.key,)).fetchone()
        assert not ann.table["over"]
        for path in ("/metrics", "/health", "/ready", "/api/schema/openapi.json", "/api/about"):
            ann.get(path)
        for end in ("dice", "record", "steps", "now", "at/3", "marks", "review", "course", "?at=2"):
            ann.get(f"/t/{ann.key}/{end}".replace("/?", "?"))
        for end in ("advice", "odds", "review", "dice", "record", "nothing", "events?after=x"):
            ann.get(f"/api/games/{ann.key}/{end}")
        for body in (None, [], {"choice": "x", "after": 0}, {"choice": "x", "after": 9}):
            ann.post(f"/api/games/{ann.key}/choices", body)
        assert asking.get(f"/api/games/{ann.key}/dice").headers["cache-control"] == "no-store"
    log = served.file.read_bytes()
    assert b'"event": "open"' in log
    for shape in shapes(seed):
        assert shape not in ann.bytes + ben.bytes
        assert shape not in log
    assert ann.token.encode() not in log
    assert ann.key.encode() not in log
