"""The extended Decktet: 45 cards, six suits.  A card is its line in ``decktet.csv``.

The Decktet is by P.D. Magnus (CC BY-NC-SA 3.0).
"""

import csv
from enum import IntEnum
from pathlib import Path

import numpy as np

ALLOCATES_NOTHING = True  # see Compiler.lean
INLINE = ("has_suit", "share_suit")  # see Compiler.compiled

SUIT_NAMES = ("moons", "suns", "waves", "leaves", "wyrms", "knots")
ONE_SUIT = ("moon", "sun", "wave", "leaf", "wyrm", "knot")
"""One chip or token of each suit."""
MOONS, SUNS, WAVES, LEAVES, WYRMS, KNOTS = range(6)
N_SUITS = 6


class Kind(IntEnum):
    """The six kinds of card."""

    ACE = 0
    NUMBER = 1
    CROWN = 2
    EXCUSE = 3
    PAWN = 4
    COURT = 5


with Path(__file__).with_name("decktet.csv").open(encoding="utf-8") as _file:
    _CARDS = list(csv.DictReader(_file))

N_CARDS = len(_CARDS)
SLUGS = tuple(card["slug"] for card in _CARDS)
NAMES = tuple(card["name"] for card in _CARDS)
KIND = np.array([Kind[card["kind"].upper()] for card in _CARDS], np.int32)
_RANKS = {"Ace": 1, "Crown": 10} | {str(rank): rank for rank in range(2, 10)}
RANK = np.array([_RANKS.get(card["rank"], 0) for card in _CARDS], np.int32)
"""Aces 1, numbers 2-9, Crowns 10; no rank of its own: 0.  Shape (cards,)."""
OF_RANK = np.array([np.flatnonzero(rank == RANK)[[0, -1]] + [0, 1] for rank in range(11)], np.int32)
"""Cards of one rank lie in a row: its first, and the one after its last.  Shape (ranks, 2)."""
_suits = [[SUIT_NAMES.index(s) for s in card["suits"].split("+") if s] for card in _CARDS]
SUITS = np.array([[*suits, -1, -1, -1][:3] for suits in _suits], np.int32)
"""The card's suits in suit order, then -1.  Shape (cards, 3)."""
SUIT_COUNT = np.array([len(suits) for suits in _suits], np.int32)
HAS_SUIT = np.array([[suit in suits for suit in range(N_SUITS)] for suits in _suits])
"""Whether a suit is on the card.  Shape (cards, suits)."""
SHARE_SUIT = HAS_SUIT @ HAS_SUIT.T
"""Whether two cards have a suit in common.  Shape (cards, cards)."""

EXCUSE = SLUGS.index("the-excuse")


def the(card: int) -> str:
    """A card's name within a sentence: the Mill, the Ace of Suns."""
    return "the " + NAMES[card].removeprefix("The ")


def has_suit(card: int, suit: int) -> bool:
    """Whether a suit is on the card."""
    return bool(HAS_SUIT[card, suit])


def share_suit(card: int, other: int) -> bool:
    """Whether two cards have a suit in common."""
    return bool(SHARE_SUIT[card, other])
