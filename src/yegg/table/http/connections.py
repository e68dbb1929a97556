"""How many connections a server may have, in all and from one address.

Each connection is a file to the system, which allows a process so many.  Some are kept for the
database, for its files and for whoever is refused.
"""

from collections import Counter
from contextlib import suppress

from yegg.table import networks

RESERVE = 64  # files that no connection may take
PART = 4  # one address may have a quarter of all connections
WITHOUT_LIMIT = 10_000  # where the system has no limit of files, as Windows
open_from: Counter[str] = Counter()
"""How many connections each address has, as `caller <yegg.table.networks.caller>` counts them."""


def allowed() -> int:
    """How many connections there may be."""
    try:
        import resource
    except ImportError:
        return WITHOUT_LIMIT
    return max(1, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE)


def allow_more() -> None:
    """Raise the limit of open files as far as the system lets this process."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def gone(caller: str) -> None:
    """One connection fewer of somebody."""
    open_from[caller] -= 1
    if not open_from[caller]:
        del open_from[caller]


def too_many_from(host: str) -> bool:
    """Whether an address has more than its part.  This machine's own may be a proxy's: it may."""
    return not networks.is_local(host) and open_from[networks.caller(host)] > allowed() // PART
