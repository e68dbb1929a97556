"""Addresses of strangers are asked only on the open internet."""

import socket
import threading

import pytest

from yegg.table.notifications import outgoing_requests

INSIDE = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "172.16.5.4",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",  # noqa: S104  nothing listens there
    "::1",
    "fd00::1",
    "fe80::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "ff02::1",
    "::",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "::7f00:1",
    "fec0::1",
]
OPEN = "93.184.215.14"


def answers(*there):
    found = [
        (socket.AF_INET6 if ":" in at else socket.AF_INET, socket.SOCK_STREAM, 6, "", (at, 443))
        for at in there
    ]
    return lambda *_, **__: found


@pytest.mark.parametrize("address", INSIDE)
@pytest.mark.parametrize("first", [True, False])
def test_nobody_is_asked_inside(monkeypatch, address, first):
    there = [address, OPEN] if first else [OPEN, address]
    monkeypatch.setattr(socket, "getaddrinfo", answers(*there))
    with pytest.raises(outgoing_requests.Inside):
        outgoing_requests.post("https://friendly.example/hook", b"", {})


@pytest.mark.parametrize(
    "url",
    [
        "http://a.example/",
        "https://a.example:8443/",
        "https://me@a.example/",
        "https://me:x@a.example/",
        "https://a.example:99999/",
        "file:///etc/passwd",
        "https:///x",
        "gopher://a.example/",
        "https://a.example/\r\nHost: b.example",
        "https://a.example/ x",
        "https://[::1/",
        "https://ä.example/",
        "https://a.example\\@b.example/",
        "",
        "https://a.example/" + "x" * 900,
    ],
)
def test_only_plain_https(url):
    with pytest.raises(outgoing_requests.Inside):
        outgoing_requests.post(url, b"", {})


def test_a_name_is_looked_up_once(monkeypatch):
    asked, went = [], []

    def look(*_, **__):
        asked.append(1)
        return answers(OPEN if len(asked) == 1 else "127.0.0.1")()

    def connect(address, *_, **__):
        went.append(address)
        raise OSError("no net here")

    monkeypatch.setattr(socket, "getaddrinfo", look)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError, match="no net"):
        outgoing_requests.post("https://rebinding.example/", b"", {})
    assert went == [(OPEN, 443)]
    assert len(asked) == 1


def test_what_the_host_has_allowed_may_be_asked(monkeypatch):
    went = []

    def connect(address, *_, **__):
        went.append(address)
        raise OSError("not today")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(OSError, match="not today"):
        outgoing_requests.post("http://127.0.0.1:9/x", b"", {}, ["127.0.0.1:9"])
    assert went == [("127.0.0.1", 9)]
    with pytest.raises(outgoing_requests.Inside):
        outgoing_requests.post("http://127.0.0.1:10/x", b"", {}, ["127.0.0.1:9"])


@pytest.fixture(params=[b"", b"\x16\x03\x03\x3f\xff"], ids=["http", "https"])
def drip(request):
    """A server that sends a byte now and then, for ever; where it can be asked."""
    ended = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def send():
        line, _ = listening.accept()
        with line:
            try:
                line.sendall(request.param)  # the head of a long record of TLS
                while not ended.wait(0.02):
                    line.sendall(b"H")
            except OSError:
                pass

    thread = threading.Thread(target=send)
    thread.start()
    scheme = "https" if request.param else "http"
    yield f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/"
    ended.set()
    thread.join()
    listening.close()


def test_whoever_answers_byte_by_byte_is_not_heard_out(monkeypatch, drip):
    monkeypatch.setattr(outgoing_requests, "WHOLE", 0.3)
    with pytest.raises(OSError, match=r"EOF|no answer|closed|reset"):
        outgoing_requests.post(drip, b"", {}, ["127.0.0.1"])
