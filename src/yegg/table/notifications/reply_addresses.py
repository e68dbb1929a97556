"""Addresses to which a letter is answered with orders, or to which it comes back.

The first carries the position: orders for a turn that is over are never taken for those of the
next.  Each is its key, too; anybody can write a sender's name.
"""

import re
from typing import NamedTuple

from yegg.engine.orders import can_be_read
from yegg.table.accounts.tokens import Signer
from yegg.table.service.table import Table

ADDRESS = re.compile(
    r"orders\+([0-9a-f]{1,8})\.([0-9a-f]{1,8})\.([0-9a-f]{1,8})\.([0-9a-f]{20})@", re.ASCII
)
BACK = re.compile(r"orders\+r([0-9a-f]{1,8})\.([0-9a-f]{20})@", re.ASCII)
MARK = 20  # characters: 80 bits


class Named(NamedTuple):
    """What an address names."""

    contact: int
    game: int
    turn: int
    """How many events the game had when the orders were asked for."""


def can_be_answered(table: Table) -> bool:
    """Whether a table's game can read orders that people write, and they are under seal."""
    return table.now.sealed and can_be_read(table.game)


def _mark(signer: Signer, said: str, what: str = "reply") -> str:
    return signer.mac(what, said)[:MARK]


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


def back_to(signer: Signer, domain: str, contact: int) -> str:
    """Where mail servers send what they report of letters to a contact."""
    said = f"{contact:x}"
    return f"orders+r{said}.{_mark(signer, said, 'back')}@{domain}"


def came_back(signer: Signer, *mentions: str) -> int | None:
    """The contact whose letters the first address of ours reports of; None if it is forged."""
    there = (BACK.search(text.lower()) for text in mentions)
    found = next(filter(None, there), None)
    if found is None or not signer.same(found[2], _mark(signer, found[1], "back")):
        return None
    return int(found[1], 16)
