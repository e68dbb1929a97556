"""Networks of machines, as those who look after a house name them."""

import ipaddress
from collections.abc import Iterable

from yegg.engine import Refused
from yegg.text.untrusted import quoted

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


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
