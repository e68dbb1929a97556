"""A client of somebody else's server: whatever answers, it ends in a sentence, and soon."""

import gzip
import re
import subprocess
import sys
import threading
import time
from email.utils import formatdate

import pytest

import yegg
from yegg.client import answers, sit
from yegg.engine import Match, Refused

from .odd_server import KEY, event, serving, table

MATCH = Match("second-story", 2, seed=3, how="plain")
MEGABYTES = 200
MEASURED = """
import atexit, pathlib, sys
from yegg.cli import main
atexit.register(lambda: print(pathlib.Path("/proc/self/status").read_text()))
sys.exit(main())
"""
ENOUGH = 40 * answers.LARGEST
DEEP = b"[" * 200_000
BUSY = {"error": "busy"}


class First(yegg.Player):
    def choose(self, view):
        return view.choices[0]


def says(answer, status=200, **head):
    """An odd answer."""
    return lambda to: to.tell(answer, status, **head)


def endless(piece, head=b"", kind="application/json"):
    """An answer without an end, or nearly so."""

    def write(to):
        to.start({"content-type": kind, "connection": "close"})
        to.wfile.write(head)
        for _ in range(ENOUGH // len(piece)):
            to.wfile.write(piece)

    return write


def raw(*lines, times=1):
    """Bytes in place of an answer."""
    return lambda to: [to.wfile.write(b"".join(lines)) for _ in range(times)]


def streamed(*views):
    """A stream of these events."""
    return lambda to: (to.start({"connection": "close"}), to.wfile.write(b"".join(views)))


def seen(**changed):
    """A stream with one view, changed."""
    return {"events": streamed(event(table(MATCH) | changed))}


def misplaced(**changed):
    """A stream with a view of a changed position."""
    return seen(position=table(MATCH)["position"] | changed)


BOMB = gzip.compress(bytes(1 << 24))
PACKED = {"content_encoding": "gzip"}
ODD = {
    "asks to wait until the year 9999": (
        {"about": says(BUSY, 503, retry_after="Fri, 31 Dec 9999 23:59:59 GMT")},
        "asks to wait for more than 10 minutes",
    ),
    "asks to wait for 30 years": (
        {"about": says(BUSY, 429, retry_after="1000000000")},
        "asks to wait for more than 10 minutes",
    ),
    "asks to wait for a number of many digits": (
        {"about": says(BUSY, 429, retry_after="9" * 5000)},
        "asks to wait for more than 10 minutes",
    ),
    "the stream asks to wait for 30 years": (
        {"events": says(BUSY, 503, retry_after="1000000000")},
        "asks to wait for more than 10 minutes",
    ),
    "a packed answer": ({"table": says(BOMB, **PACKED)}, "its answer is packed ('gzip')"),
    "a packed stream": ({"events": says(BOMB, **PACKED)}, "its answer is packed ('gzip')"),
    "another packing": ({"about": says(b"x", content_encoding="zstd")}, "is packed ('zstd')"),
    "an endless line": ({"events": endless(b"x" * 65536, b"data: ")}, "more than 1,048,576 bytes"),
    "lines without an end": ({"events": endless(b"data: x\n" * 999)}, "more than 1,048,576 bytes"),
    "an endless answer": ({"table": endless(b" " * 65536)}, "more than 1,048,576 bytes"),
    "an endless refusal": (
        {"join": lambda to: (to.start({}, 409), endless(b"x" * 65536)(to))},
        "more than 1,048,576 bytes",
    ),
    "sends everybody on": (
        {"table": says(b"", 302, location=f"/api/games/{KEY}")},
        "it sends everybody on to",
    ),
    "a page": ({"table": says(b"<h1>Welcome</h1>")}, "is no server of yegg"),
    "nothing": ({"about": says(b"")}, "is no server of yegg"),
    "no UTF-8": ({"dice": says(b'{"promise": "\xff\xfe"}')}, "is no server of yegg"),
    "nested too deeply": ({"about": says(b'{"a":' + DEEP)}, "nested too deeply"),
    "a position nested too deeply": (
        {
            "events": streamed(
                event(table(MATCH)).replace(b'"position": {', b'"position": {"a":' + DEEP)
            )
        },
        "nested too deeply",
    ),
    "a list for an object": ({"table": says([1, 2])}, "is no server of yegg"),
    "a token of two lines": ({"tokens": says({"token": "a\r\nb: c"})}, "is no server of yegg"),
    "rules without a version": ({"about": says({"games": []})}, "does not say which Second Story"),
    "a version that is none": (
        {"about": says({"games": {"second-story": {"version": ["x"] * 9999}}})},
        "the server plays version a list of Second Story",
    ),
    "a refusal that is none": ({"join": says([], 999)}, "the server answered 999"),
    "no HTTP": ({"table": raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")}, "nobody answers at"),
    "no HTTP later": ({"dice": raw(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")}, "is no server of yegg"),
    "a head without an end": (
        {"about": raw(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n" * 40_000)},
        "is no server of yegg",
    ),
    "streams without an event": ({"events": streamed()}, "its streams of events are empty"),
    "an event that is no table": ({"events": streamed(b"data: 7\n\n")}, "is no server of yegg"),
    "seat 99": (seen(seat=99), "is no server of yegg"),
    "seat 0": (seen(seat=0), "is no server of yegg"),
    "a seat of somebody else": (seen(seat=7), "this is not your seat any more"),
    "a number of many digits": (seen(number=10**30), "is no server of yegg"),
    "words for places": (seen(over=True, places=["first"]), "is no server of yegg"),
    "another game": (
        {
            "events": streamed(
                event(table(MATCH) | {"choices": []}), event(table(Match("secrets", 3)))
            )
        },
        "is now one of secrets",
    ),
    "choices that are none": (
        seen(choices=[{"choice": 10**6, "text": "fly"}]),
        "these are no choices of seat 1",
    ),
    "a position of nothing": (seen(position={}), "the field 'players' is missing"),
    "a field too many": (misplaced(wings=2), "there is no field 'wings'"),
    "a truth value": (misplaced(turn=True), "turn is a whole number, not True"),
    "a fraction": (misplaced(turn=0.5), "turn is a whole number, not 0.5"),
    "a row too short": (misplaced(bank=[1]), "bank is 6 whole numbers, not a list"),
    "a number beyond": (misplaced(house=10**9), "house is 0 to 44, not 1000000000"),
    "a number far beyond": (misplaced(house=-(10**99)), "house is a whole number"),
    "chips from nowhere": (misplaced(bank=[20] * 6), "there are not 10 chips of each suit"),
}


@pytest.mark.parametrize("case", ODD)
def test_an_odd_answer_ends_in_a_sentence(case):
    odd, why = ODD[case]
    begun = time.monotonic()
    with (
        serving(dict(odd), MATCH) as server,
        pytest.raises(Refused, match=re.escape(why)) as refused,
    ):
        sit(server.link, First)
    assert len(str(refused.value)) < 700, "a sentence"
    assert "\n" not in str(refused.value)
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    "asked",
    ["NaN", "-1", "soon", "1e9", "0", "", pytest.param(formatdate(usegmt=True), id="now"), "Fri"],
)
def test_a_wait_that_is_none_is_a_short_one(asked):
    """The server is busy once, and asks to wait for a time that is none, or over."""
    times = []

    def busy(to):
        times.append(1)
        if len(times) > 1:
            to.tell(to.server.usual["about"])
        else:
            to.tell(BUSY, 503, retry_after=asked)

    with serving({"about": busy}, MATCH) as server:
        assert sit(server.link, First) == [1, 2]
        assert "choices" in server.asked, "it has played"
    assert len(times) == 2


def test_a_server_that_stays_busy_is_left(monkeypatch):
    monkeypatch.setattr(answers, "LONGEST_BUSY", 1.0)
    with (
        serving({"about": says(BUSY, 503, retry_after="0")}, MATCH) as server,
        pytest.raises(Refused, match="has been busy for"),
    ):
        sit(server.link, First)
    assert server.asked.count("about") < 6, "it does not ask without a pause"


@pytest.mark.parametrize("what", ["about", "events"])
def test_an_answer_that_comes_byte_by_byte_is_hung_up_on(what, monkeypatch):
    monkeypatch.setattr(answers, "LONGEST", 0.5)
    hung_up = threading.Event()

    def drip(to):
        to.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not hung_up.wait(0.1):
            to.wfile.write(b"a: b\r\n")

    with (
        serving({what: drip}, MATCH) as server,
        pytest.raises(Refused, match=r"an answer was not whole after 0.5 s"),
    ):
        sit(server.link, First)
    hung_up.set()


@pytest.mark.parametrize("case", ["a packed stream", "an endless line", "nested too deeply"])
def test_the_command_ends_with_a_line_and_little_memory(case, tmp_path):
    odd, why = ODD[case]
    (tmp_path / "mine.py").write_text("class First:\n    def choose(self, view): return 0\n")
    with serving(dict(odd), MATCH) as server:
        line = [sys.executable, "-c", MEASURED, "sit", server.link, "--bot", "mine:First"]
        pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        done = subprocess.run(line, cwd=tmp_path, timeout=60, check=False, **pipes)
    assert done.returncode == 2, done.stderr
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    (most,) = re.findall(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert int(most) / 1024 < MEGABYTES
