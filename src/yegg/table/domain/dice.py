"""Dice of a table: they follow from a promised seed; at older tables from random numbers.

How dice follow from seed and salts stands in `yegg.engine.promised`.
"""

import hmac
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from yegg.engine import Refused, promised
from yegg.engine.promised import UNPROMISED, Pledge
from yegg.text.untrusted import quoted

from .state import TableState

DICE = random.SystemRandom()
Chance = Callable[[TableState], int]
"""Which of the legal choices chance makes at a position."""


def unpromised(now: TableState) -> int:
    """Chance at a table that was opened before dice were promised."""
    return DICE.choice(now.match.choices)


class Shown(NamedTuple):
    """The public part of promised dice, at any time."""

    promise: str
    after: int
    """How many of the first events were played before the promise."""
    early: bool
    """Whether it could be seen before anybody sat down."""


@dataclass(frozen=True)
class Promised:
    """Chance that follows from a seed, from the salts of those who sat down, and from nothing else.

    Each process of a server finds the same, before and after a restart.
    """

    seed: bytes = field(repr=False)
    after: int = 0
    early: bool = False
    origin: str | None = None
    """The promise that the first events were played under."""

    @property
    def promise(self) -> str:
        """The commitment to the seed."""
        return promised.promise(self.seed)

    @property
    def shown(self) -> Shown:
        """What may be shown while the game goes on."""
        return Shown(self.promise, self.after, self.early)

    def __call__(self, now: TableState) -> int:
        """The choice that is due."""
        kind, choices = promised.kind_of(now.match), now.match.choices
        key = promised.key(self.seed, now.salts, self.after)
        return choices[promised.index(key, kind, now.drawn.get(kind, 0) + 1, len(choices))]

    def pledge(self, now: TableState) -> Pledge:
        """What everybody may know: salts once the game has begun, the seed once it is over."""
        seed = self.seed.hex() if now.over else None
        salts = now.salts if now.begun else {}
        return Pledge(self.promise, salts, self.after, seed, self.origin)

    def behind(self, events: int) -> str | None:
        """The promise that so many first events were played under, or the last of them."""
        return self.promise if events > self.after else self.origin if events else None

    def row(self, game: int) -> dict[str, Any]:
        """The row of these dice in the database."""
        kept = {"game": game, "promise": self.promise, "seed": self.seed.hex()}
        return {**kept, "after": self.after, "early": self.early, "origin": self.origin}


def chance_of(row: Any) -> Promised | None:
    """The chance of a table, by its row; None if its dice were not promised."""
    if not row.seed:
        return None
    return Promised(bytes.fromhex(row.seed), row.after, row.early, row.dice_origin)


def heading(dice: Promised | None, now: TableState) -> list[str]:
    """The comments about its dice in the head of a record."""
    return dice.pledge(now).lines() if dice else [UNPROMISED]


def promised_anew(after: int = 0, *, early: bool = False, origin: str | None = None) -> Promised:
    """A seed that nobody has seen."""
    return Promised(os.urandom(promised.SEED), after, early, origin)


def promised_for(ticket: str, secret: str) -> Promised:
    """The seed that was promised to whoever has the ticket, before there was a table.

    ``secret`` is the server's: 256 bits, and used for nothing else.
    """
    seed = hmac.digest(bytes.fromhex(secret), f"seed of {ticket}".encode(), "sha256")
    return Promised(seed, early=True)


def fit_salt(text: str) -> str:
    """A salt that somebody gives, or "" for none.  Raises Refused."""
    if text and not promised.SALT.fullmatch(text):
        why = "1 to 64 of the letters a to z and A to Z, digits, - and _"
        raise Refused(f"{quoted(text)} cannot be salt for the dice: it needs {why}")
    return text
