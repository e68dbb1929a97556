"""Cells of an experiment: a set of rules with a line-up, its seatings, and players in words."""

import hashlib
import itertools
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from yegg.text.phrases import listing, number

MANY = 24  # arrangements; of more, a fixed draw is played


@dataclass(frozen=True)
class Variant:
    """A set of rules under a name of its own."""

    name: str
    players: int
    options: tuple[tuple[str, str], ...]
    """Those that differ from the published rules."""
    game: str = field(default="", repr=False)
    """The game's name where an experiment compares games; else "", the experiment's."""
    cards: str = field(default="", repr=False)
    """The name and digest of its deck, as records have them; "": the published one."""
    title: str = field(default="", repr=False, compare=False)
    """What reports call it: the name with its options in words; "": the name."""

    @property
    def called(self) -> str:
        """What reports call it."""
        return self.title or self.name

    @property
    def settings(self) -> dict[str, str]:
        """The options, and the name of the deck."""
        return {**dict(self.options), "cards": self.cards.rpartition(" ")[0] or "published"}


@dataclass(frozen=True)
class Cell:
    """A variant with a line-up: what a block of games is played of."""

    variant: Variant
    lineup: tuple[str, ...]

    @property
    def level(self) -> str:
        """The players' names: one bot's name if it has all seats, else all names in their order."""
        return self.lineup[0] if len(set(self.lineup)) == 1 else " ".join(self.lineup)

    @property
    def slug(self) -> str:
        """A name for its folder; the digest keeps two similar names apart."""
        name = re.sub(r"[^a-z0-9]+", "-", f"{self.variant.name} {self.level}".lower()).strip("-")
        digest = hashlib.sha256(
            (repr((self.variant, self.lineup)) + self.variant.cards).encode()
        ).hexdigest()[:6]
        return f"{name[:48]}-{digest}"

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """Arrangements of the line-up on the seats: all that differ, or a fixed draw of them."""
        return seatings(self.lineup)


def seatings(lineup: Sequence[Hashable]) -> list[tuple[int, ...]]:
    """By seat, the place in the line-up of who sits there; equal players are not told apart.

    >>> seatings(["greedy", "easy", "easy"])
    [(0, 1, 2), (1, 0, 2), (1, 2, 0)]
    """
    kinds = list(dict.fromkeys(lineup))
    order = [kinds.index(player) for player in lineup]
    every = list(dict.fromkeys(itertools.permutations(order)))
    ranked = sorted(every, key=lambda row: hashlib.sha256(repr(row).encode()).digest())
    chosen = set(ranked[:MANY])
    return [_places(row, order) for row in every if row in chosen]


def _places(kinds: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """The first free place of the line-up for each kind of player, seat by seat."""
    free: dict[int, list[int]] = {}
    for at, kind in enumerate(order):
        free.setdefault(kind, []).append(at)
    return tuple(free[kind].pop(0) for kind in kinds)


def against(players: int) -> list[tuple[int, ...]]:
    """Two players, 0 and 1: one has one seat, each in turn, and the other all others.

    Each is the one and the other equally often, so both have equally many seats.
    """
    alone = [
        tuple(one if seat == at else 1 - one for seat in range(players))
        for one in (0, 1)
        for at in range(players)
    ]
    return list(dict.fromkeys(alone))


def who(level: str) -> str:
    """A level of players in words: ``medium players``, ``random play``."""
    if level == "uniform":
        return "random play"
    names = level.split()
    if len(names) == 1:
        return f"{level} players"
    if len(names) > 2 and names[0] not in names[1:] and len(set(names[1:])) == 1:
        rest = "random" if names[1] == "uniform" else names[1]
        return f"{names[0]} and {number(len(names) - 1)} {rest} players"
    return listing(["random" if name == "uniform" else name for name in names])


def among(level: str) -> str:
    """Where a figure holds: ``between medium players``, ``at random play``."""
    return f"at {who(level)}" if level == "uniform" else f"between {who(level)}"
