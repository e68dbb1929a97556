"""IP addresses and networks: what they contain, whom limits count as one, the server's own."""

import ipaddress
import socket
from collections.abc import Iterable
from functools import lru_cache

from yegg.engine import Refused
from yegg.text.untrusted import quoted

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  what a server listens at to be reached from outside
# Nothing is sent to these.  They only show which of its own addresses this machine would use to
# reach each network.  The first and the last are reserved for examples and mean the Internet.
OUTSIDE = {
    socket.AF_INET: ("192.0.2.1", "10.255.255.255", "172.31.255.255", "192.168.255.255"),
    socket.AF_INET6: ("2001:db8::1",),
}


def network(who: str) -> Network | None:
    """The network of that name, which may be a single machine; None for anything else."""
    try:
        return ipaddress.ip_network(who, strict=False)
    except ValueError:
        return None


def networks(said: Iterable[str]) -> list[Network]:
    """The networks of those names.  Raises Refused."""
    return [network(who) or _refuse(who) for who in said]


def _refuse(who: str) -> Network:
    raise Refused(f"{quoted(who)} is no machine or network, as 192.0.2.7 or 192.0.2.0/24")


def among(address: str, there: Iterable[Network]) -> bool:
    """Whether an address is in one of some networks.

    >>> among("192.0.2.7", networks(["192.0.2.0/24"])), among("::ffff:192.0.2.7", networks(["::1"]))
    (True, False)
    """
    try:
        at = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    at = getattr(at, "ipv4_mapped", None) or at
    return any(at in one for one in there)


def is_local(host: str) -> bool:
    """Whether a host in an address only ever means the machine that reads it.

    >>> is_local("localhost"), is_local("127.0.0.1"), is_local("[::1]"), is_local("192.168.0.7")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@lru_cache(4096)
def caller(host: str) -> str:
    """The key of an address under which rate limits count it.

    Whoever has one address of IPv6 has all of its network.  What is no address, as a proxy may
    pass on from anybody, is one caller for all.

    >>> caller("203.0.113.7"), caller("2001:db8::1:2:3"), caller("::ffff:203.0.113.7"), caller("x")
    ('203.0.113.7', '2001:db8::/64', '203.0.113.7', 'unknown')
    """
    try:
        at = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(at, ipaddress.IPv4Address):
        return str(at)
    return str(at.ipv4_mapped or ipaddress.IPv6Network((at.packed, 64), strict=False))


def plain(host: str) -> str:
    """A host to listen at, an address in its usual form; a name stays as it is, without brackets.

    >>> plain("0"), plain("0:0::0"), plain("[::1]"), plain("localhost")
    ('0.0.0.0', '::', '::1', 'localhost')
    """
    host = host.strip().removeprefix("[").removesuffix("]")
    if "%" in host:  # the interface that an address belongs to would be lost
        return host.removesuffix(".")
    try:
        return str(socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)[0][4][0])
    except (OSError, ValueError):
        return host.removesuffix(".")


def doors(listens: str) -> list[str]:
    """The hosts to open sockets at for a server that listens there: `::` means both kinds."""
    return [EVERYWHERE[1], EVERYWHERE[0]] if listens == EVERYWHERE[1] else [listens]


def url(host: str, port: int) -> str:
    """The address of a server.

    >>> url("192.168.0.7", 8000), url("fd00::7", 8000)
    ('http://192.168.0.7:8000/', 'http://[fd00::7]:8000/')
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def here(listens: str) -> str:
    """The host name by which this machine itself reaches a server that listens there."""
    return "localhost" if listens in EVERYWHERE or listens == "127.0.0.1" else listens


def outside(listens: str) -> list[str]:
    """Host names by which others in the network reach a server that listens there, the best first.

    Empty where only this machine reaches it, or where the machine is in no network.
    """
    if listens not in EVERYWHERE:
        return [] if is_local(listens) else [listens]
    families = [socket.AF_INET] if listens == EVERYWHERE[0] else [*OUTSIDE]
    routes = [_by_route(family, far) for family in families for far in OUTSIDE[family]]
    return list(dict.fromkeys(own for own in routes if own and _is_reachable(own)))


def every_outside(listens: str) -> list[str]:
    """As `outside`, and the addresses of the machine's name; looking these up may take long."""
    found = outside(listens)
    if listens in EVERYWHERE:
        try:
            named = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
        except OSError:
            named = []
        families = [socket.AF_INET] if listens == EVERYWHERE[0] else [*OUTSIDE]
        found += [str(at[0]) for family, *_, at in named if family in families]
    return list(dict.fromkeys(own for own in found if _is_reachable(own)))


def _by_route(family: socket.AddressFamily, far: str) -> str | None:
    """The address of this machine on the way to a distant one; None without such a way."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None


def _is_reachable(host: str) -> bool:
    try:
        own = ipaddress.ip_address(host)
    except ValueError:
        return True  # a name
    return not (own.is_loopback or own.is_link_local or own.is_unspecified)
