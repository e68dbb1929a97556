"""A card of the Decktet as Magnate shows it, and tokens in words."""

from collections.abc import Sequence
from typing import Any

from yegg.parts.decktet import KIND, NAMES, RANK, SLUGS, SUIT_COUNT, SUIT_NAMES, SUITS, Kind

SINGLE = ("moon", "sun", "wave", "leaf", "wyrm", "knot")


def suits(card: int) -> list[int]:
    """Its suits."""
    return [int(SUITS[card, i]) for i in range(SUIT_COUNT[card])]


def printed(card: int) -> dict[str, Any]:
    """What is printed on a card."""
    rank = {Kind.ACE: "A", Kind.COURT: "C"}.get(Kind(KIND[card])) or str(RANK[card])
    signs = [SUIT_NAMES[suit] for suit in suits(card)]
    kind = "" if KIND[card] == Kind.ACE else "Court, " if KIND[card] == Kind.COURT else "rank "
    number = rank if KIND[card] == Kind.NUMBER else ""
    begins = f"{kind}{number}".strip(", ")
    label = ", ".join(part for part in (NAMES[card], begins, " and ".join(signs)) if part)
    return {"card": SLUGS[card], "name": NAMES[card], "rank": rank, "suits": signs, "label": label}


def home(card: int) -> str:
    """A district's name without its article."""
    return NAMES[card].removeprefix("The ").removeprefix("Ace of ")


def tokens(counts: Sequence[tuple[int, int]]) -> str:
    """``3 waves, a knot`` from pairs of suit and number."""
    return ", ".join(
        f"a {SINGLE[suit]}" if n == 1 else f"{n} {SUIT_NAMES[suit]}" for suit, n in counts if n
    )


def named(which: Sequence[int]) -> str:
    """Suits in a list: ``moons, suns and waves``."""
    words = [SUIT_NAMES[suit] for suit in which]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
