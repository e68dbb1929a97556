"""Names as letters have them: no mail program makes a link of what somebody calls themselves.

Mail programs turn into links what has a dot, a colon or an @ between letters.  So a blank is put
after each of these in a name: "evil.example" becomes "evil. example", as "J.R." becomes "J. R.".
"""

import re
import unicodedata
from collections.abc import Iterable

JOINS = frozenset(".:@\u3002")
"""What joins the parts of addresses, once other ways to write it are made alike."""


def harmless(name: str) -> str:
    """A name that looks like no address.

    >>> harmless("www.win.example/now"), harmless("http://x"), harmless("Dr. No")
    ('www. win. example/now', 'http: //x', 'Dr. No')
    """
    parts = (f"{sign} " if _joins(sign) else sign for sign in name)
    return " ".join("".join(parts).split())


def _joins(sign: str) -> bool:
    return not JOINS.isdisjoint(unicodedata.normalize("NFKC", sign))


def in_line(line: str, names: Iterable[str]) -> str:
    """A sentence in which people of these names may stand, with their names made harmless."""
    changed = {name: harmless(name) for name in names}
    unlike = sorted((name for name, now in changed.items() if now != name), key=len, reverse=True)
    if not unlike:
        return line
    return re.sub("|".join(map(re.escape, unlike)), lambda found: changed[found[0]], line)
