"""What a connection may cost: long heads, slow heads, many requests, clients that do not read."""

import random
import re
import socket
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
import uvicorn
from waiting import takes, until

from yegg.table.http import protocol_limits

from .people import TWO, Player
from .serving import running
from .test_promised_dice import shapes

ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
LINE = b"X: " + b"a" * 1000 + b"\r\n"


async def quiet(scope, receive, send):
    """Answers every request; `/long` goes on while somebody reads, and notes when it ends."""
    assert scope["type"] == "http"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    ENDED.pop(scope["path"], None)
    for _ in range(10_000 if scope["path"] == "/long" else 0):
        message = {"type": "http.response.body", "body": b"x" * 65536, "more_body": True}
        await send(message)
    if scope["path"] == "/wait":
        while (await receive())["type"] != "http.disconnect":
            pass
        ENDED[scope["path"]] = True
    await send({"type": "http.response.body", "body": b"yes", "more_body": False})
    ENDED[scope["path"]] = True


ENDED = {}


@pytest.fixture
def port(monkeypatch):
    """A server with little patience, in a thread."""
    monkeypatch.setattr(protocol_limits, "PATIENCE", 0.5)
    monkeypatch.setattr(protocol_limits, "STUCK", 0.5)
    monkeypatch.setattr(protocol_limits, "LINGER", 0.2)
    config = uvicorn.Config(
        quiet,
        port=0,
        http=protocol_limits.LimitedProtocol,
        ws="none",
        loop="uvloop",
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join()


@pytest.fixture
def arrived(port, monkeypatch):
    """How many bytes the server has been sent so far."""
    many, hear = [0], protocol_limits.LimitedProtocol.data_received

    def counted(protocol, data):
        hear(protocol, data)
        many[0] += len(data)

    monkeypatch.setattr(protocol_limits.LimitedProtocol, "data_received", counted)
    return many


@pytest.fixture
def dial(port):
    """Make connections."""
    made = []

    def call():
        made.append(socket.create_connection(("127.0.0.1", port), timeout=10))
        return made[-1]

    yield call
    for one in made:
        one.close()


def rest(line):
    """All data until the other side hangs up."""
    heard = b""
    try:
        while piece := line.recv(65536):
            heard += piece
    except ConnectionResetError:
        pass
    return heard


def status(heard):
    return int(heard.split(b" ", 2)[1])


def test_a_head_in_pieces_is_answered(dial, arrived):
    line, sent = dial(), 0
    for piece in (ASK[:5], ASK[5:], LINE * 20, LINE * 20, b"Connection: close\r\n\r\n"):
        line.sendall(piece)
        sent += len(piece)
        until(lambda: arrived[0] >= sent)  # noqa: B023
    assert status(rest(line)) == 200


@pytest.mark.parametrize("pieces", [1, 5, 100])
@pytest.mark.parametrize("ends", [b"\r\n", b""], ids=["whole", "without an end"])
def test_a_head_that_is_too_long_is_refused(dial, pieces, ends):
    line = dial()
    head = ASK + LINE * (70 if ends else 150) + ends
    for i in range(pieces):
        line.sendall(head[i * len(head) // pieces : (i + 1) * len(head) // pieces])
    assert status(rest(line)) == 431


@pytest.mark.parametrize(
    "endless", [b"GET /" + b"a" * 200_000, ASK + b"X: " + b"a" * 200_000, ASK + b"X" * 200_000]
)
def test_a_line_without_an_end_is_refused(dial, endless):
    line = dial()
    try:
        line.sendall(endless)
        heard = rest(line)
    except ConnectionError:
        return
    assert status(heard) in (400, 431)


def test_a_head_that_dribbles_is_given_up(dial):
    line = dial()
    line.settimeout(0.05)
    heard = b""
    for byte in (ASK + LINE).decode():
        try:
            line.sendall(byte.encode())
            heard = line.recv(1000)
            break
        except TimeoutError:
            continue
    assert status(heard) == 408


@pytest.mark.parametrize(
    "begun",
    [b"", b"\r\n", ASK, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"],
)
def test_a_connection_without_a_request_is_closed(dial, begun):
    line, start = dial(), time.monotonic()
    line.sendall(begun)
    rest(line)
    assert time.monotonic() - start > 0.3


@pytest.mark.wide
def test_empty_lines_keep_no_connection_open(dial):
    line = dial()

    def closed():
        try:
            line.sendall(b"\r\n")
        except ConnectionError:
            return True
        return False

    assert until(closed)


@pytest.mark.wide
def test_who_waits_for_an_answer_may_wait(dial):
    line = dial()
    line.sendall(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
    line.settimeout(1.2)  # longer than anybody's patience
    line.recv(1000)
    with pytest.raises(TimeoutError):
        line.recv(1000)


def ends(path):
    """Wait until the answer to a path is no longer being sent."""
    return until(lambda: path in ENDED)


def test_a_client_that_leaves_with_open_requests_leaves_nothing_behind(dial, arrived):
    line = dial()
    line.sendall(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
    line.recv(1000)
    before, more = arrived[0], (ASK + b"\r\n") * 2
    line.sendall(more)
    until(lambda: arrived[0] == before + len(more))
    assert "/wait" not in ENDED
    line.close()
    assert ends("/wait")


def test_only_so_many_requests_may_wait_on_a_connection(dial):
    line = dial()
    line.sendall(b"GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
    line.recv(1000)
    try:
        line.sendall((ASK + b"\r\n") * 2000)
        rest(line)
    except ConnectionError:
        pass
    assert ends("/wait")


def test_requests_one_after_the_other_without_waiting_are_answered(dial):
    line = dial()
    line.sendall((ASK + b"\r\n") * 9 + ASK + b"Connection: close\r\n\r\n")
    assert rest(line).count(b"200 OK") == 10


@pytest.mark.wide
def test_an_answer_that_nobody_reads_is_given_up(dial):
    line = dial()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert ends("/long")


@pytest.mark.wide
def test_an_answer_that_is_read_slowly_is_not(dial):
    line = dial()
    line.sendall(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n")
    for _ in range(15):
        takes(0.1)
        heard = 0
        while heard < 5_000_000:
            heard += len(line.recv(1 << 20))
    assert "/long" not in ENDED


# The server itself ---------------------------------------------------------------------------


WRONG = [
    ASK + LINE * 70 + b"\r\n",  # at once, and longer than a head may be
    ASK + LINE * 64 + b"X: " + b"a" * 1400 + b"\r\n\r\n",
    ASK + LINE * 200 + b"\r\n",
    b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ASK + b"X" * 70_000 + b": a\r\n\r\n",
    (ASK + b"\r\n") * 40,
    ASK + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ASK + b"Expect: 100-continue\r\nContent-Length: 5\r\n\r\nab",
    b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{}",
    b"GET http://[::1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\0" * 100_000,
]
WHOLE = [
    b"GET /t/xxxxxxxxxxxxxxxxxxxxxx?at=1 HTTP/1.1\r\nHost: localhost\r\nCookie: yegg=a.b\r\n\r\n",
    ASK.replace(b"GET /", b"POST /api/games")
    + b"Content-Type: application/json\r\nAuthorization: Bearer x\r\nContent-Length: 2\r\n\r\n{}",
    ASK.replace(b"GET /", b"POST /open")
    + b"Transfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n"
    + b"3\r\nabc\r\n0\r\n\r\n",
]
ODD = [b"\0", b"\r\n", b"\xff", b":", b" ", b"9"]


def spoilt(dice):
    """A request that is whole but for some bytes, and perhaps far too long."""
    raw = bytearray(dice.choice(WHOLE))
    for _ in range(dice.choice([1, 1, 2, 5, 20])):
        at = dice.randrange(len(raw))
        raw[at : at + dice.choice([0, 1, 3])] = dice.choice(ODD) * dice.choice([1, 1, 2, 9])
    if dice.random() < 0.1:
        raw[10:10] = b"a" * dice.choice([65_500, 65_536, 131_072])
    return bytes(raw)


@pytest.mark.wide
def test_whatever_is_sent_the_log_has_one_short_line_for_it_at_most(strict):
    dice = random.Random(7)
    several = [WRONG[0] + WRONG[0], WHOLE[0] * 3 + WRONG[0], WRONG[5] + WRONG[0]]
    for raw in (*WRONG, *several, *(spoilt(dice) for _ in range(400))):
        before = strict.log.stat().st_size
        with (
            suppress(ConnectionError),
            socket.create_connection(("127.0.0.1", strict.port), timeout=20) as line,
        ):
            line.sendall(raw)
            line.shutdown(socket.SHUT_WR)
            rest(line)
        with strict.log.open() as log:
            log.seek(before)
            said = log.read()
        assert said.count("\n") <= 1, (raw[:200], said)
        assert len(said) < 300, (raw[:200], said)
    assert "Traceback" not in strict.log.read_text()
    assert strict.asked("/live") == 200


def streams(strict):
    said = strict.client.get("/metrics").text
    return float(re.search(r"(?m)^yegg_streams (\S+)", said)[1])


@pytest.mark.wide
def test_a_hundred_megabytes_of_headers_are_not_kept(strict):
    def memory():
        return int(Path(f"/proc/{strict.process.pid}/statm").read_text().split()[1]) * 4096

    before = memory()
    with socket.create_connection(("127.0.0.1", strict.port), timeout=20) as line:
        line.sendall(ASK)
        piece, most = LINE * 1000, 0
        try:
            for _ in range(100):
                line.sendall(piece)
                most = max(most, memory())
        except ConnectionError:
            pass
    assert most - before < 10e6
    assert strict.asked("/health") == 200


@pytest.mark.wide
def test_a_stream_ends_with_its_connection_whatever_else_was_asked_there(strict):
    key = Player(strict.client).open().key
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", strict.port), timeout=20) as line:
            head = f"GET /api/games/{key}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            line.sendall(head.encode())
            line.recv(100)
            line.sendall(ASK + b"\r\n")
    assert until(lambda: streams(strict) == 0)


@pytest.mark.wide
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
def test_nobody_escapes_a_limit_by_what_a_proxy_passes_on(strict, forwarded):
    def opened(said):
        head = {"X-Forwarded-For": said}
        return strict.client.post("/api/games", json=TWO, headers=head).status_code

    made = [opened(forwarded.replace("{}", str(i + 1))) for i in range(200)]
    assert 429 in made
    assert opened(f"192.0.2.{len(forwarded) % 250 + 1}") == 201, "others are not limited"


SEED = "SELECT seed FROM dice JOIN games ON games.id = dice.game WHERE key = ?"


@pytest.mark.wide
def test_nothing_outside_the_table_says_the_seed_of_its_dice(tmp_path):
    with running(tmp_path, limits=True) as server:
        ann, ben = Player(server.client, seed=1), Player(server.client, seed=2)
        ann.open(salt="one")
        ben.join(ann.key, salt="two")
        for _ in range(12):
            ann.act(), ben.act()
        with sqlite3.connect(tmp_path / "t.db") as data:
            (seed,) = data.execute(SEED, (ann.key,)).fetchone()
        assert not ann.table["over"]
        for path in ("/metrics", "/health", "/ready", "/api/schema/openapi.json", "/api/about"):
            ann.get(path)
        for end in ("dice", "record", "steps", "now", "at/3", "marks", "review", "course"):
            ann.page(f"/{end}")
        ann.page("?at=2")
        for end in ("advice", "odds", "review", "dice", "record", "nothing", "events?after=x"):
            ann.ask(end)
        for body in (None, [], {"choice": "x", "after": 0}, {"choice": "x", "after": 9}):
            ann.post(f"/api/games/{ann.key}/choices", body)
        assert ann.ask("dice").headers["cache-control"] == "no-store"
    log = server.log.read_bytes()
    assert b'"event": "open"' in log
    for shape in shapes(seed):
        assert shape not in ann.bytes + ben.bytes
        assert shape not in log
    assert ann.token.encode() not in log
    assert ann.key.encode() not in log
