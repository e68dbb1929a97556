"""Bytes that no browser sends: every request is answered, and none with an error of the server."""

import json
import random
import re
import socket

import pytest

from .serving import Served

GAME = "second-story"
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
ODD = "\xff\xfe\x80"  # as bytes: not UTF-8
HUGE = "9" * 5000


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("server")).start()
    yield server
    server.close()


def told(port, raw):
    """The answer to raw bytes: its status, and all of it."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.sendall(raw)
        answer = b""
        while piece := line.recv(1 << 16):
            answer += piece
    return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2].decode("latin-1")


def request(method, path, headers=(), body=b"", host="localhost"):
    """A request, each character of its texts one byte."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{key}: {value}" for key, value in headers]
    lines += [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


class Guest:
    """Somebody who sits at a table, by token and by cookie, and asks for odd things there."""

    def __init__(self, served):
        self.port = served.port
        wish = json.dumps({"game": GAME, "seats": ["me", "open"]}).encode()
        _, said = told(self.port, request("POST", "/api/games", [("Content-Type", JSON)], wish))
        opened = json.loads(said)
        self.key = opened["id"]
        self.path = f"/api/games/{self.key}"
        self.bearer = ("Authorization", f"Bearer {opened['token']}")
        told(self.port, request("POST", f"{self.path}/join", [("Content-Type", JSON)], b"{}"))
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as line:
            line.sendall(request("GET", "/"))
            page = b"".join(iter(lambda: line.recv(1 << 16), b"")).decode()
        self.csrf = re.search(r'name="csrf" value="([0-9a-f]+)"', page)[1]
        self.cookie = ("Cookie", re.search(r"(?i)set-cookie: ([^;]+)", page)[1])

    def ask(self, *what, **more):
        """The status and the text; never an error of the server."""
        status, said = told(self.port, request(*what, **more))
        assert status < 500, (what, said)
        assert "Traceback" not in said
        return status, said


@pytest.fixture(scope="module")
def guest(served):
    return Guest(served)


BODIES = {
    "deep": b"[" * 8000 + b"]" * 8000,
    "deep within": b'{"choice":' + b"[" * 7000 + b"]" * 7000 + b',"after":1}',
    "deep beside": b'{"more":' + b"[" * 7000 + b"]" * 7000 + b"}",
    "deep options": b'{"options":' + b'{"a":' * 2500 + b"1" + b"}" * 2501,
    "not UTF-8": b'{"choice": "\xff\xfe", "after": 1}',
    "not UTF-8 where it matters": b'{"game": "\xff\xfe", "you": "\xed\xa0\x80", "bot": "\xff"}',
}
REFUSED = {
    "deep and small": b"[" * 390,
    "odd": b"\xff",
    "nothing": b"\0",
    "half a pair": b'{"you": "\\ud800", "choice": "\\ud800"}',
    "a large number": b'{"choice": %s, "after": %s}' % ((HUGE.encode(),) * 2),
    "no number": b'{"choice": NaN, "after": 1e999}',
    "UTF-16": '{"choice": "x", "after": 1}'.encode("utf-16"),
    "marked": b"\xef\xbb\xbf{}",
}


@pytest.mark.parametrize("what", ["", "/join", "/choices", "/hand"])
@pytest.mark.parametrize("kind", BODIES)
def test_bodies_that_cannot_be_read_are_refused_with_a_reason(guest, what, kind):
    path = f"{guest.path}{what}" if what else "/api/games"
    headers = [guest.bearer, ("Content-Type", JSON)]
    status, said = guest.ask("POST", path, headers, BODIES[kind])
    assert status == 400
    why = json.loads(said)["why"]
    assert why == ("the body is nested too deep" if "deep" in kind else "the body is not UTF-8")


@pytest.mark.parametrize("what", ["", "/join", "/choices", "/hand", "/undo"])
def test_bodies_of_any_bytes_and_kind_are_answered(guest, what):
    path = f"{guest.path}{what}" if what else "/api/games"
    ways = [
        [guest.bearer],
        [guest.bearer, ("Content-Type", f"{JSON}; charset=utf-16")],
        [guest.bearer, ("Content-Type", "application/msgpack")],
        [guest.bearer, ("Content-Type", "multipart/form-data; boundary=x")],
        [guest.bearer, ("Content-Type", ODD)],
        [guest.cookie, ("Content-Type", "multipart/form-data")],
        [guest.cookie, ("Content-Type", FORM)],
    ]
    for headers in ways:
        for body in {**BODIES, **REFUSED}.values():
            guest.ask("POST", path, headers, body)


FORMS = ["/open", "choose", "undo", "join", "hand", "leave", "again"]
FIELDS = ("you", "choice", "bot", "seat", "play", "game", "after", "who", "seat1", "opt-chips")
TEXTS = ["%ff%fe", "%00", "%ed%a0%80", "%D9%A1", "%C2%B2", "*", "9" * 5000, "", "a&b=c", "%", ODD]


def part(name, value, more="", kind=""):
    """A part of a form of many parts."""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"{more}\r\n{kind}\r\n'
    return head.encode("latin-1") + value + b"\r\n"


@pytest.mark.parametrize("where", FORMS)
def test_forms_of_any_bytes_are_answered(guest, where):
    path = where if where.startswith("/") else f"/t/{guest.key}/{where}"
    for text in TEXTS:
        fields = "&".join(f"{field}={text}" for field in FIELDS)
        for form in (f"csrf={guest.csrf}&{fields}", f"csrf={text}", fields, "&" * 999, "=" * 999):
            headers = [guest.cookie, ("Content-Type", FORM)]
            guest.ask("POST", path, headers, form.encode("latin-1"))
    csrf = part("csrf", guest.csrf.encode())
    many = [
        part("you", b"\xff") + part("choice", b"\xff"),
        part("you", b"a", kind="Content-Type: text/plain; charset=nonsense\r\n"),
        part("you", b"a", kind="Content-Type: text/plain; charset=zip\r\n"),
        b"".join(part(field, b"1", '; filename="a"') for field in FIELDS),
        part(ODD, b"1"),
        part("a", b"1") * 150,
        b"--x\r\nContent-Disp",
    ]
    for body in (*(csrf + one + b"--x--\r\n" for one in many), *many, b"--x--", b"no parts"):
        for kind in ("boundary=x", "", "boundary=", f"boundary={ODD}", "boundary=" + "x" * 300):
            headers = [guest.cookie, ("Content-Type", f"multipart/form-data; {kind}")]
            guest.ask("POST", path, headers, body)


HEADERS = {
    "Cookie": [
        *(f"yegg={ODD}", "yegg=\xff.\xff", 'yegg="\\377.\\377"', ";;=;=\xff", "a=b;" * 8000),
        *("yegg-name=%ff%fe; yegg=.", "yegg-name=%ed%a0%80", f"yegg-name=%00%0d%0a{ODD}"),
    ],
    "Authorization": [f"Bearer {ODD}", "Bearer ", "Bearer", ODD, "Basic \xff", "Bearer \xed\xa0"],
    "If-None-Match": [ODD, '"' * 99, "*", HUGE],
    "Accept": [ODD, "text/html;q=nan,*/*;q=zzz,;;;", "*/*;q=" + HUGE],
    "Accept-Encoding": [ODD, "gzip;q=\xff"],
    "X-Forwarded-For": [ODD, "::1%" + "z" * 500, ",,,"],
    "X-Forwarded-Proto": [ODD, "gopher"],
    "Content-Type": [ODD, ";;;=", "multipart/form-data"],
    "Origin": [ODD],
    "Range": ["bytes=0-" + HUGE],
    "Expect": ["100-continue", ODD],
    "Upgrade": ["websocket\r\nConnection: upgrade", "h2c\r\nHTTP2-Settings: \xff"],
}
METHODS = "HEAD OPTIONS PUT DELETE PATCH TRACE POST CONNECT PROPFIND M-SEARCH get FOO PRI"


def looked_at(guest):
    """Every page and answer that can be asked for."""
    own = ["", "/record", "/odds", "/review", "/events?after=9" + "9" * 9]
    pages = ["", "/now", "/at/3", "/review"]
    fixed = "/ /api/lobby /api/about /rules/secrets /static/table.js /health /metrics /api/schema"
    table = [f"{guest.path}{what}" for what in own] + [f"/t/{guest.key}{what}" for what in pages]
    return [*fixed.split(), "/api/schema/openapi.json", *table]


@pytest.mark.parametrize("name", HEADERS)
def test_headers_of_any_bytes_are_answered(guest, name):
    for path in looked_at(guest):
        for value in HEADERS[name]:
            guest.ask("GET", path, [(name, value)])


def test_an_event_s_number_of_any_bytes_is_no_number(guest):
    for number in (ODD, HUGE, "-1", "\xb2", "1e3", "0x1", "", " 1", "1\t1"):
        raw = request("GET", f"{guest.path}/events", [("Last-Event-ID", number)])
        with socket.create_connection(("127.0.0.1", guest.port), timeout=60) as line:
            line.sendall(raw)
            heard = b""
            while b"event: view" not in heard:
                heard += line.recv(1 << 16)
        assert heard.startswith(b"HTTP/1.1 200 ")


QUERIES = [
    *(f"{key}={text}" for key in ("at", "game", "bare") for text in TEXTS),
    *(f"at={number}" for number in ("-1", "-" + HUGE, "1e5", "NaN", "inf", "1_0", "1.5")),
    "&" * 5000,
    "a=1&" * 3000,
    "at=1&at=2",
    "game[]=1",
    ODD,
]


def test_queries_of_any_bytes_are_answered(guest):
    for path in looked_at(guest):
        for query in QUERIES:
            guest.ask("GET", f"{path}{'&' if '?' in path else '?'}{query}")


def test_paths_of_any_bytes_are_answered(guest):
    key = "a" * 22
    keys = [key, "x", "%ff" * 22, f"{key[:21]}%0a", f"{key}%0a", "%C3%A9" * 22, "..", "", HUGE]
    paths = [
        f"{start}{key}" for start in ("/t/", "/api/games/", "/rules/", "/static/") for key in keys
    ]
    numbers = [HUGE, "-1", "-" + HUGE, "%D9%A1", "1.5", "1e3", "nan", "1_0", "%31"]
    paths += [f"/t/{guest.key}/at/{number}" for number in numbers]
    paths += ["//", "/..", "/%2e%2e/%2e%2e/etc/passwd", "/static/%2e%2e%2fapp.py", "/static//etc"]
    paths += [
        "/static/..%5capp.py",
        "*",
        "http://localhost/",
        "//evil/",
        "/%",
        "/%zz",
        "/\xff",
        "/#",
    ]
    paths += [
        "/static/%00",
        "http://[::1",
        "/api",
        "/api/",
        "/api/%2f",
        "/;",
        "/?",
        "/a b",
        "/a\tb",
    ]
    for path in paths:
        for method, body in (("GET", b""), ("POST", b"{}"), ("HEAD", b""), ("OPTIONS", b"")):
            guest.ask(method, path, [guest.bearer, ("Content-Type", JSON)], body)
        assert "import" not in guest.ask("GET", path)[1]


def test_methods_of_any_name_are_answered(guest):
    for path in looked_at(guest):
        for name in METHODS.split():
            guest.ask(name, path)
            guest.ask(name, path, [guest.bearer, ("Content-Type", JSON)], b"{}")


@pytest.mark.parametrize(
    "host",
    [
        *(
            "localhost:99999",
            "localhost:abc",
            "localhost:-1",
            "localhost:\xb2",
            f"localhost:{HUGE}",
        ),
        *(
            "1.2.3.4:@evil.example",
            "localhost:@evil.example",
            "localhost:1/x?",
            "localhost:1#",
            ODD,
        ),
        *(
            "[::1",
            "[::1]:x",
            "[1.2.3.4]",
            "[dead.beef]",
            "[v1.x]",
            "[::1]x",
            "::1",
            "",
            "a,localhost",
        ),
        *(
            "localhost\r\nHost: evil.example",
            "evil.example\r\nHost: localhost",
            "localhost:\"'><b>",
        ),
    ],
)
def test_an_invalid_host_is_refused(guest, host):
    for path in ("/", f"/t/{guest.key}", guest.path):
        status, said = guest.ask("GET", path, host=host)
        assert status == 400
        assert "evil" not in said
    wish = json.dumps({"game": GAME, "seats": ["me", "open"]}).encode()
    assert guest.ask("POST", "/api/games", [("Content-Type", JSON)], wish, host=host)[0] == 400


@pytest.mark.wide
def test_random_bytes_are_answered(guest):
    dice = random.Random(13)
    whole = request("POST", f"{guest.path}/choices", [guest.bearer, ("Content-Type", JSON)], b"{}")
    for _ in range(3000):
        raw = bytearray(whole)
        for _ in range(dice.randrange(1, 6)):
            at = dice.randrange(len(raw))
            match dice.randrange(3):
                case 0:
                    raw[at] = dice.randrange(256)
                case 1:
                    del raw[at]
                case 2:
                    raw[at:at] = dice.randbytes(dice.randrange(1, 9))
        with socket.create_connection(("127.0.0.1", guest.port), timeout=60) as line:
            line.sendall(raw)
            line.shutdown(socket.SHUT_WR)
            try:
                answer = line.recv(1 << 16)
            except ConnectionError:
                continue
        assert not answer.startswith(b"HTTP/1.1 5"), (raw, answer)
    assert guest.ask("GET", "/health")[0] == 200
