"""Tokens of Magnate in words: ``3 waves and 1 leaf`` beside a choice, ``a leaf`` in the story."""

from collections.abc import Iterable, Sequence

from yegg.parts.decktet import ONE_SUIT, SUIT_COUNT, SUIT_NAMES, SUITS
from yegg.text.phrases import counted, listing, worded


def suits_of(card: int) -> list[int]:
    """The suits of a card, in suit order."""
    return [int(SUITS[card, i]) for i in range(SUIT_COUNT[card])]


def named(suits: Sequence[int], last: str = "and") -> str:
    """Suits in a row: ``moons, suns and waves``."""
    return listing([SUIT_NAMES[suit] for suit in suits], last)


def token(n: int, suit: int) -> str:
    """So many tokens of a suit: ``1 leaf``, ``3 waves``."""
    return counted(n, ONE_SUIT[suit], SUIT_NAMES[suit])


def tokens(counts: Iterable[tuple[int, int]], last: str = "and") -> str:
    """``3 waves and 1 leaf`` from pairs of suit and number; nothing where there are none."""
    return listing([token(int(n), suit) for suit, n in counts if n > 0], last)


def in_words(counts: Iterable[int]) -> str:
    """``three waves and a leaf`` from a number for each suit, as a story tells it."""
    there = [(int(n), suit) for suit, n in enumerate(counts) if n > 0]
    return listing([worded(n, ONE_SUIT[suit], SUIT_NAMES[suit]) for n, suit in there])
