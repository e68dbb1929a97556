"""A pile whose order nobody knows: its cards, in card order, then zeros.

The same cards are always the same bytes.  ``cards`` has room for every card,
``n`` says how many of its entries are the pile.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


def remove(cards: Ints, n: int, card: int) -> None:
    """Take a card out of the n that are there; it must be among them."""
    least = np.int32(card)  # as wide as the cards, so that the loop is a few vector steps
    for i in range(cards.size - 1):
        cards[i] = cards[i + 1] if cards[i] >= least else cards[i]
    cards[-1] = 0
