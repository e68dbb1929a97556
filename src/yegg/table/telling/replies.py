"""Addresses to which a letter is answered with orders.

Such an address carries the position: orders for a turn that is over are never taken for those of
the next.  It is the key, too; anybody can write a sender's name.
"""

import re
from typing import NamedTuple

from yegg.table.identity import Signer
from yegg.table.tables.table import Table

ADDRESS = re.compile(
    r"orders\+([0-9a-f]{1,8})\.([0-9a-f]{1,8})\.([0-9a-f]{1,8})\.([0-9a-f]{20})@", re.ASCII
)
MARK = 20  # characters: 80 bits


class Named(NamedTuple):
    """What an address names."""

    contact: int
    game: int
    turn: int
    """How many events the game had when the orders were asked for."""


def can_be_answered(table: Table) -> bool:
    """Whether a table's game can read orders that people write, and they are under seal."""
    return table.now.sealed and hasattr(table.game.part("orders"), "read")


def _mark(signer: Signer, said: str) -> str:
    return signer.mac("reply", said)[:MARK]


def reply_to(signer: Signer, domain: str, contact: int, game: int, turn: int) -> str:
    """Where orders for one turn go: lower case, since mail servers may fold it; short enough."""
    said = f"{contact:x}.{game:x}.{turn:x}"
    return f"orders+{said}.{_mark(signer, said)}@{domain}"


def named(signer: Signer, *mentions: str) -> Named | None:
    """What the first address of ours names; None if there is none, or it is forged."""
    there = (ADDRESS.search(text.lower()) for text in mentions)
    found = next(filter(None, there), None)
    if found is None:
        return None
    said = ".".join(found.groups()[:3])
    if not signer.same(found[4], _mark(signer, said)):
        return None
    return Named(*(int(part, 16) for part in found.groups()[:3]))
