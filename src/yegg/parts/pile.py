"""A pile whose order nobody knows: its cards, in card order, then zeros.

The same cards are always the same bytes.  ``cards`` has room for every card,
``n`` says how many of its entries are the pile.
"""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


def remove(cards: Ints, n: int, card: int) -> None:
    """Take a card out of the n that are there; it must be among them."""
    behind = np.int32(0)
    for k in range(1, n + 1):  # from the end: each takes the place before its own
        i = np.uint64(n - k)  # compiled code asks of no such number whether it is below 0
        this = cards[i]
        cards[i] = behind
        if this == card:
            return
        behind = this
