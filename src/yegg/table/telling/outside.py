"""Asking addresses that strangers gave us: only the open internet, only https, no detours.

A name is looked up once, and that address is asked: it cannot change its mind in between.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Collection, Mapping
from urllib.parse import SplitResult, urlsplit

LARGEST, PATIENCE = 65_536, 10  # bytes of an answer; seconds
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # IPv6 addresses that stand for those of IPv4
LONGEST = 900  # characters of an address


class Inside(ValueError):
    """An address that is not asked on anybody's behalf; why, in words."""


def checked(url: str, inside: Collection[str] = ()) -> SplitResult:
    """The parts of an address that may be asked, as far as its words tell.  Raises Inside."""
    if len(url) > LONGEST or not url.isascii() or any(c <= " " or c in "\\\x7f" for c in url):
        raise Inside("this is no address that can be asked")
    try:
        where = urlsplit(url)
        port = where.port
    except ValueError:
        raise Inside("this is no address that can be asked") from None
    if not where.hostname or where.username is not None or where.password is not None:
        raise Inside("an address has a host, and no user and no password")
    if known(where, inside) and where.scheme in ("http", "https"):
        return where
    if where.scheme != "https" or port not in (None, 443):
        raise Inside("only https at its usual port is asked")
    return where


def known(where: SplitResult, inside: Collection[str]) -> bool:
    """Whether whoever runs the server has allowed a host that is not on the open internet."""
    return where.hostname in inside or f"{where.hostname}:{where.port}" in inside


def door(host: str, port: int, *, trusted: bool = False) -> str:
    """The one address that will be asked.  Raises Inside, OSError."""
    found = [str(at[4][0]) for at in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not trusted and not all(is_open(there) for there in found):
        raise Inside(f"{host} is not on the open internet")
    return found[0]


def is_open(there: str) -> bool:
    """Whether an address is on the open internet, and so is one that it stands for.

    >>> is_open("1.1.1.1"), is_open("::ffff:10.0.0.1"), is_open("64:ff9b::a00:1")
    (True, False, False)
    """
    at = ipaddress.ip_address(there.partition("%")[0])
    meant: list[ipaddress.IPv4Address | ipaddress.IPv6Address | None] = [at]
    if isinstance(at, ipaddress.IPv6Address):
        if at.ipv4_mapped:
            meant = [at.ipv4_mapped]
        meant += [at.sixtofour, *(at.teredo or ())]
        if at in NAT64:
            meant.append(ipaddress.IPv4Address(int(at) & 0xFFFFFFFF))
    return all(one.is_global and not one.is_multicast for one in meant if one)


class _Pinned(http.client.HTTPSConnection):
    """A connection to one address, under a host's name and certificate."""

    at = ""

    def connect(self) -> None:
        raw = socket.create_connection((self.at, self.port), PATIENCE)
        self.sock = ssl.create_default_context().wrap_socket(raw, server_hostname=self.host)


def post(url: str, body: bytes, headers: Mapping[str, str], inside: Collection[str] = ()) -> int:
    """The answer's status; a redirect is an answer like any other.  Raises Inside, OSError."""
    where = checked(url, inside)
    host, secure = where.hostname or "", where.scheme == "https"
    port = where.port or (443 if secure else 80)
    at = door(host, port, trusted=known(where, inside))
    connection: http.client.HTTPConnection
    if secure:
        connection = pinned = _Pinned(host, port, timeout=PATIENCE)
        pinned.at = at
    else:
        connection = http.client.HTTPConnection(at, port, timeout=PATIENCE)
    path = f"{where.path or '/'}{'?' * bool(where.query)}{where.query}"
    try:
        connection.request("POST", path, body, {"Host": where.netloc, **headers})
        answer = connection.getresponse()
        answer.read(LARGEST)
    except http.client.HTTPException as error:
        raise OSError(f"no answer: {error}") from error
    else:
        return answer.status
    finally:
        connection.close()
