"""The numbered clauses of a game's rules: items of a list that begin with their number in bold."""

import re
from collections.abc import Iterable

NUMBER = r"[A-Z]{2,3}-\d+"
ITEM = re.compile(
    rf"^- (?P<text>\*\*(?P<number>{NUMBER})\*\*.*?)(?=^- |^#|^\s*$|\Z)", re.MULTILINE | re.DOTALL
)


def clauses(page: str) -> dict[str, str]:
    """The text of each clause of a page, in their order, by its whole number: ``SS-23``."""
    return {item["number"]: item["text"].rstrip("\n") for item in ITEM.finditer(page)}


def whole(number: str, among: Iterable[str]) -> str:
    """The whole number of a clause, with the letters of those it stands among: ``23``, ``SS-23``.

    >>> whole("23", ["SS-1", "SS-23"])
    'SS-23'
    """
    return number if "-" in number else f"{next(iter(among), '').partition('-')[0]}-{number}"
