"""A card of the Decktet as Magnate shows it."""

from typing import Any

from yegg.games.magnate.purse import suits_of
from yegg.parts.decktet import KIND, NAMES, RANK, SLUGS, SUIT_NAMES, Kind
from yegg.text.phrases import listing


def printed(card: int) -> dict[str, Any]:
    """What is printed on a card."""
    rank = {Kind.ACE: "A", Kind.COURT: "C"}.get(Kind(KIND[card])) or str(RANK[card])
    signs = [SUIT_NAMES[suit] for suit in suits_of(card)]
    kind = "" if KIND[card] == Kind.ACE else "Court, " if KIND[card] == Kind.COURT else "rank "
    number = rank if KIND[card] == Kind.NUMBER else ""
    begins = f"{kind}{number}".strip(", ")
    label = ", ".join(part for part in (NAMES[card], begins, listing(signs)) if part)
    return {"card": SLUGS[card], "name": NAMES[card], "rank": rank, "suits": signs, "label": label}


def home(card: int) -> str:
    """A district's name without its article."""
    return NAMES[card].removeprefix("The ").removeprefix("Ace of ")
