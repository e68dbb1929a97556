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
    for there in found:
        at = ipaddress.ip_address(there.partition("%")[0])
        at = getattr(at, "ipv4_mapped", None) or at
        if not trusted and (not at.is_global or at.is_multicast):
            raise Inside(f"{host} is not on the open internet")
    return found[0]


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
