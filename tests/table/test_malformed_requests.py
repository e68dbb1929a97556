"""Bytes that no browser sends: each request gets one answer, and none an error of the server."""

import json
import random
import socket

import pytest

from .people import TWO, Player
from .serving import body_of, exchanged, raw_request, statuses

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
ODD = "\xff\xfe\x80"  # as bytes: not UTF-8
HUGE = "9" * 5000
HOST = b"Host: localhost\r\n"
ASK = b"GET / HTTP/1.1\r\n" + HOST
NEXT = b"GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
POST = b"POST /api/games HTTP/1.1\r\n" + HOST
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
AS_JSON = b"Content-Type: application/json\r\n"


# Requests that two programs could read differently

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
    "a chunk that is no number": CHUNKED + b"not a number\r\n",
    "a chunk without end": CHUNKED + b"fffffffffffffffff\r\nx\r\n0\r\n\r\n",
    "chunks without returns": CHUNKED + b"1\nx\n0\n\n",
    "a length after the body": CHUNKED + b"0\r\nContent-Length: 99\r\n\r\n",
    "a tunnel": b"CONNECT localhost:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "half an address": b"GET http://[::1 HTTP/1.1\r\n" + HOST + b"\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "no protocol": b"GET /live\r\n\r\n",
    "nonsense": b"nonsense\r\n\r\n",
    "a protocol to come": b"GET /live HTTP/3.7\r\n" + HOST + b"\r\n",
}
ANSWERED = {
    "a body with GET": (b"GET /live HTTP/1.1\r\n" + HOST + b"Content-Length: 5\r\n\r\nhello", 200),
    "a whole address": (b"GET http://evil.example/live HTTP/1.1\r\n" + HOST + b"\r\n", 200),
    "a name of others": (b"GET /live HTTP/1.1\r\nHost: evil.example\r\n\r\n", 400),
    "two names": (b"GET /live HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", 400),
    "no name": (b"GET /live HTTP/1.1\r\n\r\n", 400),
    "packed": (
        POST + AS_JSON + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\0",
        400,
    ),
    "too large": (POST + AS_JSON + b"Content-Length: 30000\r\n\r\n" + b"[" * 30_000, 413),
    "nested": (POST + AS_JSON + b"Content-Length: 9000\r\n\r\n" + b"[" * 9000, 400),
    "everything": (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 404),
}


@pytest.mark.parametrize("raw", ALONE.values(), ids=ALONE)
def test_what_could_be_read_in_two_ways_is_refused_and_the_line_closed(served, raw):
    assert statuses(exchanged(served.port, raw + NEXT)) == [400]


@pytest.mark.parametrize(("raw", "status"), ANSWERED.values(), ids=ANSWERED)
def test_what_is_odd_gets_an_answer_and_so_does_what_follows(served, raw, status):
    assert statuses(exchanged(served.port, raw + NEXT)) == [status, 200]


# Any bytes, wherever something is asked for


class Guest:
    """Somebody who sits at a table, by token and by cookie, and asks for odd things there."""

    def __init__(self, server):
        self.port = server.port
        ann = Player(server.client).open()
        Player(server.client).join(ann.key)
        self.key, self.path = ann.key, f"/api/games/{ann.key}"
        self.bearer = ("Authorization", f"Bearer {ann.token}")
        page = server.client.get("/")
        self.cookie = ("Cookie", f"yegg={page.cookies['yegg']}")
        self.csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
        server.client.cookies.clear()

    def check_answer(self, *what, **more):
        """The status and the text; never an error of the server."""
        heard = exchanged(self.port, raw_request(*what, **more))
        status, said = statuses(heard)[0], body_of(heard)
        assert status < 500, (what, said)
        assert "Traceback" not in said
        return status, said

    def pages(self):
        """Addresses of every kind that can be asked for."""
        own = ["", "/record", "/odds", "/review", "/events?after=9" + "9" * 9]
        pages = ["", "/now", "/at/3", "/review"]
        fixed = "/ /api/lobby /api/about /rules/secrets /static/table.js /health /api/schema"
        table = [f"{self.path}{what}" for what in own] + [f"/t/{self.key}{what}" for what in pages]
        return [*fixed.split(), *table]

    def actions(self, *what):
        return ["/api/games", *(f"{self.path}/{one}" for one in what)]


@pytest.fixture(scope="module")
def guest(lasting):
    lasting.client.cookies.clear()
    return Guest(lasting)


DEEP = {
    "deep": b"[" * 8000 + b"]" * 8000,
    "deep within": b'{"choice":' + b"[" * 7000 + b"]" * 7000 + b',"after":1}',
    "deep beside": b'{"more":' + b"[" * 7000 + b"]" * 7000 + b"}",
    "deep options": b'{"options":' + b'{"a":' * 2500 + b"1" + b"}" * 2501,
}
NOT_TEXT = {
    "not UTF-8": b'{"choice": "\xff\xfe", "after": 1}',
    "not UTF-8 where it matters": b'{"game": "\xff\xfe", "you": "\xed\xa0\x80", "bot": "\xff"}',
}
REFUSED = [
    b"[" * 390,
    b"\xff",
    b"\0",
    b'{"you": "\\ud800", "choice": "\\ud800"}',
    b'{"choice": %s, "after": %s}' % ((HUGE.encode(),) * 2),
    b'{"choice": NaN, "after": 1e999}',
    '{"choice": "x", "after": 1}'.encode("utf-16"),
    b"\xef\xbb\xbf{}",
]


@pytest.mark.wide(but=["deep", "not UTF-8"])
@pytest.mark.parametrize("kind", [*DEEP, *NOT_TEXT])
def test_bodies_that_cannot_be_read_are_refused_with_a_reason(guest, kind):
    for path in guest.actions("join", "choices", "hand"):
        headers = [guest.bearer, ("Content-Type", JSON)]
        status, said = guest.check_answer("POST", path, headers, (DEEP | NOT_TEXT)[kind])
        assert status == 400
        why = "the body is nested too deep" if kind in DEEP else "the body is not UTF-8"
        assert json.loads(said)["why"] == why


def test_bodies_of_any_bytes_and_kind_are_answered(guest):
    ways = [
        [guest.bearer],
        [guest.bearer, ("Content-Type", f"{JSON}; charset=utf-16")],
        [guest.bearer, ("Content-Type", "application/msgpack")],
        [guest.bearer, ("Content-Type", "multipart/form-data; boundary=x")],
        [guest.bearer, ("Content-Type", ODD)],
        [guest.cookie, ("Content-Type", "multipart/form-data")],
        [guest.cookie, ("Content-Type", FORM)],
    ]
    for path in guest.actions("join", "choices", "hand", "undo"):
        for headers in ways:
            for body in [*DEEP.values(), *NOT_TEXT.values(), *REFUSED]:
                guest.check_answer("POST", path, headers, body)


FIELDS = ("you", "choice", "bot", "seat", "play", "game", "after", "who", "seat1", "opt-chips")
TEXTS = ["%ff%fe", "%00", "%ed%a0%80", "%D9%A1", "%C2%B2", "*", HUGE, "", "a&b=c", "%", ODD]


def part(name, value, more="", kind=""):
    """A part of a form of many parts."""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"{more}\r\n{kind}\r\n'
    return head.encode("latin-1") + value + b"\r\n"


@pytest.mark.wide(but=["/open", "choose"])
@pytest.mark.parametrize("where", ["/open", "choose", "undo", "join", "hand", "leave", "again"])
def test_forms_of_any_bytes_are_answered(guest, where):
    path = where if where.startswith("/") else f"/t/{guest.key}/{where}"
    for text in TEXTS:
        fields = "&".join(f"{field}={text}" for field in FIELDS)
        for form in (f"csrf={guest.csrf}&{fields}", f"csrf={text}", fields, "&" * 999, "=" * 999):
            headers = [guest.cookie, ("Content-Type", FORM)]
            guest.check_answer("POST", path, headers, form.encode("latin-1"))
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
            guest.check_answer("POST", path, headers, body)


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
QUERIES = [
    *(f"{key}={text}" for key in ("at", "game", "bare") for text in TEXTS),
    *(f"at={number}" for number in ("-1", "-" + HUGE, "1e5", "NaN", "inf", "1_0", "1.5")),
    "&" * 5000,
    "a=1&" * 3000,
    "at=1&at=2",
    "game[]=1",
    ODD,
]


@pytest.mark.wide
def test_headers_queries_and_methods_of_any_bytes_are_answered(guest):
    for path in guest.pages():
        for name, values in HEADERS.items():
            for value in values:
                guest.check_answer("GET", path, [(name, value)])
        for query in QUERIES:
            guest.check_answer("GET", f"{path}{'&' if '?' in path else '?'}{query}")
        for method in METHODS.split():
            guest.check_answer(method, path)
            guest.check_answer(method, path, [guest.bearer, ("Content-Type", JSON)], b"{}")


def test_an_event_s_number_of_any_bytes_is_no_number(guest):
    for number in (ODD, HUGE, "-1", "\xb2", "1e3", "0x1", "", " 1", "1\t1"):
        raw = raw_request("GET", f"{guest.path}/events", [("Last-Event-ID", number)])
        with socket.create_connection(("127.0.0.1", guest.port), timeout=30) as line:
            line.sendall(raw)
            heard = b""
            while b"event: view" not in heard:
                heard += line.recv(1 << 16)
        assert heard.startswith(b"HTTP/1.1 200 ")


PLACES = r"""
    // /.. /%2e%2e/%2e%2e/etc/passwd /static/%2e%2e%2fapp.py /static//etc /static/%00 * //evil/
    /static/..%5capp.py http://localhost/ /% /%zz /# http://[::1 /api /api/ /api/%2f /; /?
    /static/../app.py /static/..\app.py /static/base.css%00 /rules/..%2f..%2fetc /print/..%2f/aid
    /api/schema/..%2fx
"""


def test_paths_of_any_bytes_are_answered(guest):
    key = "a" * 22
    keys = [key, "x", "%ff" * 22, f"{key[:21]}%0a", f"{key}%0a", "%C3%A9" * 22, "..", "", HUGE]
    starts = ("/t/", "/api/games/", "/rules/", "/static/")
    paths = [f"{start}{key}" for start in starts for key in keys]
    numbers = [HUGE, "-1", "-" + HUGE, "%D9%A1", "1.5", "1e3", "nan", "1_0", "%31"]
    paths += [f"/t/{guest.key}/at/{number}" for number in numbers]
    paths += PLACES.split()
    paths += ["/a b", "/a\tb", "/\xff"]
    for path in paths:
        for method, body in (("GET", b""), ("POST", b"{}"), ("HEAD", b""), ("OPTIONS", b"")):
            guest.check_answer(method, path, [guest.bearer, ("Content-Type", JSON)], body)
        assert "import" not in guest.check_answer("GET", path)[1]


HOSTS = ["localhost:99999", "localhost:abc", "localhost:-1", "localhost:\xb2", f"localhost:{HUGE}"]
HOSTS += ["1.2.3.4:@evil.example", "localhost:@evil.example", "localhost:1/x?", "localhost:1#", ODD]
HOSTS += ["[::1", "[::1]:x", "[1.2.3.4]", "[dead.beef]", "[v1.x]", "[::1]x", "::1", ""]
HOSTS += ["evil.example", "a,localhost", "localhost\r\nHost: evil.example", "localhost/"]
HOSTS += ["evil.example\r\nHost: localhost", "localhost:\"'><b>", "localhost@evil.example"]


def test_an_invalid_host_is_refused(guest):
    for host in HOSTS:
        for path in ("/", f"/t/{guest.key}", guest.path):
            status, said = guest.check_answer("GET", path, host=host)
            assert status == 400, host
            assert "evil" not in said
        wish = json.dumps(TWO).encode()
        made = guest.check_answer("POST", "/api/games", [("Content-Type", JSON)], wish, host=host)
        assert made[0] == 400, host


@pytest.mark.wide
def test_random_bytes_are_answered(guest, served):
    dice = random.Random(13)
    headers = [guest.bearer, ("Content-Type", JSON)]
    whole = raw_request("POST", f"{guest.path}/choices", headers, b"{}")
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
        with socket.create_connection(("127.0.0.1", guest.port), timeout=30) as line:
            line.sendall(raw)
            line.shutdown(socket.SHUT_WR)
            try:
                answer = line.recv(1 << 16)
            except ConnectionError:
                continue
        assert not answer.startswith(b"HTTP/1.1 5"), (raw, answer)
    assert served.asked("/health") == 200
