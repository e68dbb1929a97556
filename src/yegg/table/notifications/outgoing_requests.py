"""Requests to addresses of strangers: the open internet by https alone, no redirects (SSRF).

A name is looked up once, and that address is asked: it cannot change its mind in between.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from urllib.parse import SplitResult, urlsplit

LARGEST, PATIENCE = 65_536, 10  # bytes of an answer; seconds of silence
WHOLE = 20.0  # seconds for all of it
SPECIAL = [
    ipaddress.ip_network(network)
    for network in """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
    192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
    192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
    2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20""".split()  # noqa: SIM905
]
"""IANA's registries of special-purpose addresses (RFC 6890); of IPv6 what lies inside `UNICAST`.

Each version of Python knows other parts of them.  6to4 and Teredo, which hold addresses of IPv4,
are closed as a whole: nobody serves anything there any more.
"""
UNICAST = ipaddress.ip_network("2000::/3")  # all of IPv6 that IANA has given out (RFC 4291)
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # IPv6 addresses that stand for those of IPv4
LONGEST = 900  # characters of an address


class ForbiddenAddress(ValueError):
    """Raised for an address that must not be asked on anybody's behalf, with the reason."""


def checked(url: str, inside: Collection[str] = ()) -> SplitResult:
    """The parts of an address that may be asked, as far as its words tell.

    Raises ForbiddenAddress.
    """
    if len(url) > LONGEST or not url.isascii() or any(c <= " " or c in "\\\x7f" for c in url):
        raise ForbiddenAddress("this is no address that can be asked")
    try:
        where = urlsplit(url)
        port = where.port
    except ValueError:
        raise ForbiddenAddress("this is no address that can be asked") from None
    if not where.hostname or where.username is not None or where.password is not None:
        raise ForbiddenAddress("an address has a host, and no user and no password")
    if known(where, inside) and where.scheme in ("http", "https"):
        return where
    if where.scheme != "https" or port not in (None, 443):
        raise ForbiddenAddress("only https at its usual port is asked")
    return where


def known(where: SplitResult, inside: Collection[str]) -> bool:
    """Whether whoever runs the server has allowed a host that is not on the open internet."""
    return where.hostname in inside or f"{where.hostname}:{where.port}" in inside


def door(host: str, port: int, *, trusted: bool = False) -> str:
    """The IP address that will be asked, checked.  Raises ForbiddenAddress, OSError."""
    found = [str(at[4][0]) for at in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not trusted and not all(is_open(there) for there in found):
        raise ForbiddenAddress(f"{host} is not on the open internet")
    return found[0]


def is_open(there: str) -> bool:
    """Whether an address is on the open internet, and so is one that it stands for.

    >>> is_open("1.1.1.1"), is_open("::ffff:10.0.0.1"), is_open("64:ff9b::a00:1")
    (True, False, False)
    """
    at = ipaddress.ip_address(there.partition("%")[0])
    if isinstance(at, ipaddress.IPv6Address):
        meant = ipaddress.IPv4Address(int(at) & 0xFFFFFFFF) if at in NAT64 else at.ipv4_mapped
        if meant:
            return is_open(str(meant))
        if at not in UNICAST:
            return False
    return at.is_global and not any(at in network for network in SPECIAL)


@contextmanager
def in_time(line: socket.socket) -> Iterator[None]:
    """Hang up after `WHOLE` seconds: a byte now and then would keep a thread for days."""
    same = line.dup()  # TLS takes the other one for itself

    def hang_up() -> None:
        with suppress(OSError):
            same.shutdown(socket.SHUT_RDWR)

    clock = Timer(WHOLE, hang_up)
    clock.daemon = True
    clock.start()
    try:
        yield
    finally:
        clock.cancel()
        same.close()


def post(url: str, body: bytes, headers: Mapping[str, str], inside: Collection[str] = ()) -> int:
    """The answer's status; a redirect is an answer like any other.

    Raises ForbiddenAddress, OSError.
    """
    where = checked(url, inside)
    host, secure = where.hostname or "", where.scheme == "https"
    port = where.port or (443 if secure else 80)
    at = door(host, port, trusted=known(where, inside))
    path = f"{where.path or '/'}{'?' * bool(where.query)}{where.query}"
    connection = http.client.HTTPConnection(host, port)
    with socket.create_connection((at, port), PATIENCE) as line, in_time(line):
        connection.sock = line
        try:
            if secure:  # under the host's name and certificate
                context = ssl.create_default_context()
                connection.sock = context.wrap_socket(line, server_hostname=host)
            connection.request("POST", path, body, {"Host": where.netloc, **headers})
            answer = connection.getresponse()
            answer.read(LARGEST)
        except (http.client.HTTPException, BrokenPipeError) as error:
            raise OSError(f"no answer: {error}") from error
        else:
            return answer.status
        finally:
            connection.close()
