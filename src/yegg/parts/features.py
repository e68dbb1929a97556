"""A card of the Decktet as whole numbers, for those who learn."""

import numpy as np

from .decktet import KIND, N_CARDS, N_SUITS, RANK, SUIT_NAMES, SUITS, Kind

_KINDS = (Kind.ACE, Kind.CROWN, Kind.PAWN, Kind.COURT)
NAMES = ("there", "rank", *SUIT_NAMES, *(kind.name.lower() for kind in _KINDS))
HIGH = tuple(10 if name == "rank" else 1 for name in NAMES)
"""The largest number of each column."""
ROWS = np.array(
    [
        [
            1,
            RANK[card],
            *(int(suit in SUITS[card]) for suit in range(N_SUITS)),
            *(int(KIND[card] == kind) for kind in _KINDS),
        ]
        for card in range(N_CARDS)
    ],
    np.int32,
)
"""By card; 1 in the first column: so a card is told from none.  Shape (cards, 12)."""
