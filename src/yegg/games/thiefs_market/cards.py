"""The market cards as tables, from the deck that is played with: a card is its line in the file.

Colours, faces and objects are numbered as in ``deck.FACES``; the marker comes after them.
"""

import numpy as np

from yegg.engine import Ints

from . import chosen
from .deck import DEAREST, FACES, ICONS, LETTERS, Card, Effect

RED, WHITE, BLUE, GREEN, BAG, MASK, MARKER = range(7)
N_GEMS, N_FACES, N_OBJECTS = 4, 6, 7
OBJECTS = (*FACES, "marker")
HENCHMAN, WAND, BUILDING, FINERY, COMPASS, PLAN = range(len(ICONS))
N_ICONS = len(ICONS)
N_LETTERS = len(LETTERS)
TO_GOLD, TO_INFAMY = 0, 1  # what a spent die brings
ANY_GEM, TO_BAG = 0, 1  # what a turned die may show
NOT_TURNED = -1  # of a use that turns no die

CARDS = chosen.CARDS
N_CARDS = len(CARDS)
SLUGS = tuple(card.slug for card in CARDS)
NAMES = tuple(card.name for card in CARDS)


def _ints(*rows: object) -> Ints:
    return np.array(rows, np.int32)


LETTER = _ints(*(card.deck for card in CARDS))
PROMO = _ints(*(card.promo for card in CARDS))
COST = _ints(*(card.cost for card in CARDS))
"""Gems of each colour.  Shape (cards, 4)."""
ICON = _ints(*([card.icons.count(icon) for icon in range(N_ICONS)] for card in CARDS))
"""How often each icon is on the card.  Shape (cards, 6)."""
POINTS = _ints(*(card.points for card in CARDS))
EFFECT = _ints(*(card.effect for card in CARDS))


def _face(card: Card) -> int:
    return FACES.index(card.words[0]) if card.words and card.words[0] in FACES else 0


def _into(card: Card) -> int:
    if len(card.words) < 2:
        return 0
    return {"gem": ANY_GEM, "bag": TO_BAG, "gold": TO_GOLD, "infamy": TO_INFAMY}[card.words[1]]


FACE = _ints(*(_face(card) for card in CARDS))
"""The kind of die that an effect is about."""
INTO = _ints(*(_into(card) for card in CARDS))
"""What becomes of that die: ANY_GEM or TO_BAG if turned, TO_GOLD or TO_INFAMY if spent."""
AMOUNT = _ints(*((*card.numbers, 0)[0] for card in CARDS))
"""An effect's first number."""
AMOUNT2 = _ints(*((*card.numbers, 0, 0)[1] for card in CARDS))
"""An effect's second number."""


def _uses(card: Card) -> list[int]:
    """The faces that a card in use may turn a die to; NOT_TURNED for any other use."""
    turns = [RED, WHITE, BLUE, GREEN] if _into(card) == ANY_GEM else [BAG]
    match card.effect:
        case Effect.TURN:
            return turns
        case Effect.SPEND | Effect.EXCHANGE:
            return [NOT_TURNED]
        case Effect.COPY:
            return [NOT_TURNED, RED, WHITE, BLUE, GREEN, BAG]
    return []


_ALL_USES = [(card, use) for card in range(N_CARDS) for use in _uses(CARDS[card])]
N_USES = len(_ALL_USES)
USE_CARD = _ints(*(card for card, _ in _ALL_USES))
"""Every way to use a card, by card: which card.  Shape (uses,)."""
USE_FACE = _ints(*(face for _, face in _ALL_USES))
"""The face that this way turns a die to, or NOT_TURNED."""
MOST_DUE = next(most for most in (2, DEAREST) if COST.max() <= most)
"""The most gems of one colour that a card may cost: as published, or else as any deck may have it.

Each number of choices is compiled by itself, and so a changed cost is rarely another number.
"""
