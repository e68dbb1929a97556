"""A cell of an experiment: one set of rules with one line-up of players."""

import hashlib
import re
from dataclasses import dataclass

from .seating import seatings


@dataclass(frozen=True)
class Variant:
    """A set of rules under a name of its own."""

    name: str
    players: int
    options: tuple[tuple[str, str], ...]
    """Those that differ from the published rules."""


@dataclass(frozen=True)
class Cell:
    """A variant with a line-up: what a block of games is played of."""

    variant: Variant
    lineup: tuple[str, ...]

    @property
    def level(self) -> str:
        """Who plays: a bot's name if it has all seats, else all names in their order."""
        return self.lineup[0] if len(set(self.lineup)) == 1 else " ".join(self.lineup)

    @property
    def slug(self) -> str:
        """A name for its folder; the digest keeps two similar names apart."""
        name = re.sub(r"[^a-z0-9]+", "-", f"{self.variant.name} {self.level}".lower()).strip("-")
        digest = hashlib.sha256(repr((self.variant, self.lineup)).encode()).hexdigest()[:6]
        return f"{name[:48]}-{digest}"

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Who of the line-up sits where: all arrangements that differ, or a fixed draw of them."""
        return seatings(self.lineup)
