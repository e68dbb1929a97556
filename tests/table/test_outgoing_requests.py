"""Addresses of strangers are asked only on the open internet."""

import ipaddress
import socket
import threading

import pytest

from yegg.table.notifications import outgoing_requests

INSIDE = """127.0.0.1 10.1.2.3 192.168.0.1 172.16.5.4 169.254.169.254 100.64.0.1 0.0.0.0 ::1 fd00::1
fe80::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 224.0.0.1 255.255.255.255 ff02::1 :: 64:ff9b::a00:1
2002:7f00:1:: ::7f00:1 fec0::1""".split()  # noqa: SIM905
STANDS_FOR_ANOTHER = """192.0.0.192 64:ff9b:1::1 64:ff9b:1::5db8:d70e ::ffff:0:93.184.215.14
::ffff:192.168.0.1 ::ffff:192.0.0.192 64:ff9b::c0a8:1 64:ff9b::192.0.0.192 2002:a00:1::1
2002:5db8:d70e::1 2001:0:5db8:d70e:0:0:f5ff:fffe fe80::1%eth0""".split()  # noqa: SIM905
"""The last but one is Teredo to 10.0.0.1."""
OPEN = "93.184.215.14"
SPECIAL = """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
::/128 ::1/128 ::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32
2001:2::/48 2001:20::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7
fe80::/10 fec0::/10 ff00::/8""".split()  # noqa: SIM905
"""The registries of special-purpose addresses, and what older standards kept for themselves."""

NOT_ASKED = [
    *"""http://a.example/ https://a.example:8443/ https://me@a.example/ https://me:x@a.example/
    https://a.example:99999/ file:///etc/passwd https:///x gopher://a.example/ https://[::1/
    https://ä.example/ https://a.example\\@b.example/""".split(),  # noqa: SIM905
    "https://a.example/\r\nHost: b.example",
    "https://a.example/ x",
    "",
    "https://a.example/" + "x" * 900,
]


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
    with pytest.raises(outgoing_requests.ForbiddenAddress):
        outgoing_requests.post("https://friendly.example/hook", b"", {})


@pytest.mark.parametrize("network", SPECIAL)
def test_no_special_network_is_open_whatever_python_says_of_it(network, monkeypatch):
    at = ipaddress.ip_network(network)
    for one in (at[0], at[at.num_addresses // 3], at[-1]):
        assert not outgoing_requests.is_open(str(one)), one
    for kind in (ipaddress.IPv4Address, ipaddress.IPv6Address):
        monkeypatch.setattr(kind, "is_global", property(lambda _: True))
    for one in (at[0], at[at.num_addresses // 3], at[-1]):
        assert not outgoing_requests.is_open(str(one)), (
            f"{one}: our own list must not need Python's"
        )


@pytest.mark.parametrize("address", STANDS_FOR_ANOTHER)
def test_an_address_that_stands_for_another_is_not_open(address):
    assert not outgoing_requests.is_open(address)


@pytest.mark.parametrize(
    "address",
    [OPEN, "1.1.1.1", "2606:4700::1111", "2a01:4f8::1", f"::ffff:{OPEN}", f"64:ff9b::{OPEN}"],
)
def test_the_open_internet_is_open(address):
    assert outgoing_requests.is_open(address)


@pytest.mark.parametrize("url", NOT_ASKED)
def test_only_plain_https(url):
    with pytest.raises(outgoing_requests.ForbiddenAddress):
        outgoing_requests.post(url, b"", {})


@pytest.fixture
def went(monkeypatch):
    """The addresses that were connected to; nobody answers."""
    went = []

    def connect(address, *_, **__):
        went.append(address)
        raise OSError("no net here")

    monkeypatch.setattr(socket, "create_connection", connect)
    return went


def test_a_name_is_looked_up_once(monkeypatch, went):
    asked = []

    def look(*_, **__):
        asked.append(1)
        return answers(OPEN if len(asked) == 1 else "127.0.0.1")()

    monkeypatch.setattr(socket, "getaddrinfo", look)
    with pytest.raises(OSError, match="no net"):
        outgoing_requests.post("https://rebinding.example/", b"", {})
    assert went == [(OPEN, 443)]
    assert len(asked) == 1


def test_what_the_host_has_allowed_may_be_asked(went):
    with pytest.raises(OSError, match="no net"):
        outgoing_requests.post("http://127.0.0.1:9/x", b"", {}, ["127.0.0.1:9"])
    assert went == [("127.0.0.1", 9)]
    with pytest.raises(outgoing_requests.ForbiddenAddress):
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
    with pytest.raises(OSError, match=r"EOF|no answer|[Cc]losed|reset"):
        outgoing_requests.post(drip, b"", {}, ["127.0.0.1"])
