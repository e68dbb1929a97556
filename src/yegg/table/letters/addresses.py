"""Addresses to which answers and bounces come.

That for orders carries the position: orders for a turn that is over are never taken for those of
the next.  Each address is its key, too; anybody can write a sender's name.
"""

import re
from typing import NamedTuple

from yegg.table.accounts.tokens import Signer

MARK = 20  # characters of a signature: 80 bits
NUMBER = "[0-9a-f]{1,8}"
REPLY, BACK = "reply", "back"
"""For orders, with the numbers of `Named`; and for reports about letters to a contact."""
ADDRESSES = {
    REPLY: re.compile(rf"orders\+({NUMBER}\.{NUMBER}\.{NUMBER})\.([0-9a-f]{{20}})@", re.ASCII),
    BACK: re.compile(rf"orders\+r({NUMBER})\.([0-9a-f]{{20}})@", re.ASCII),
}


class Named(NamedTuple):
    """The content of an address for orders: contact, game and turn."""

    contact: int
    game: int
    turn: int
    """How many events the game had when the orders were asked for."""


def address(signer: Signer, domain: str, purpose: str, *numbers: int) -> str:
    """An address of ours.  Lower case, since mail servers may fold it; short enough."""
    text = ".".join(f"{number:x}" for number in numbers)
    mark = signer.mac(purpose, text)[:MARK]
    return f"orders+{'r' if purpose == BACK else ''}{text}.{mark}@{domain}"


def named(signer: Signer, purpose: str, *mentions: str) -> list[int]:
    """The numbers of the first address for this purpose; none if it is forged."""
    matches = (ADDRESSES[purpose].search(text.lower()) for text in mentions)
    match = next(filter(None, matches), None)
    if match is None or not signer.same(match[2], signer.mac(purpose, match[1])[:MARK]):
        return []
    return [int(number, 16) for number in match[1].split(".")]
