"""The market cards as tables, from the deck that is played with: a card is its line in the file.

Colours, faces and objects are numbered as in ``deck.FACES``; the marker comes after them.
"""

from enum import IntEnum

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
ICON = _ints(*([card.icons.count(icon) for card in CARDS] for icon in range(N_ICONS)))
"""How often each icon is on each card.  Shape (6, cards)."""
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


class When(IntEnum):
    """What makes cards act, or may."""

    STOLEN = 0  # the owner's pile
    SPLIT = 1  # phase 1 is over
    LUCK = 2  # then dice may be rolled again
    TURN = 3  # the owner's in phase 2
    BUY = 4
    USE = 5
    ROUND_OVER = 6


_ACTS = {
    When.STOLEN: (Effect.STOLEN_INFAMY, Effect.NO_REROLL),
    When.SPLIT: (Effect.MARKER_INFAMY, Effect.BIG_PILE_INFAMY),
    When.LUCK: (Effect.NO_REROLL,),
    When.TURN: (Effect.EXTRA_PURCHASE, Effect.DISCOUNT),
    When.BUY: (Effect.BUY_INFAMY,),
    When.USE: (Effect.TURN, Effect.SPEND, Effect.EXCHANGE),
    When.ROUND_OVER: (Effect.EXTRA_GOLD, Effect.EXTRA_INFAMY),
}


def _acting(when: When) -> list[int]:
    """The cards that then act, and those that may have copied one (TM-72)."""
    effects = (*_ACTS[when], Effect.COPY)
    return [card for card in range(N_CARDS) if CARDS[card].effect in effects]


ACTING = _ints(*((_acting(when) + [0] * N_CARDS)[:N_CARDS] for when in When))
"""The cards that then act, ascending; only the first ``N_ACTING`` count.  Shape (When, cards)."""
N_ACTING = _ints(*(len(_acting(when)) for when in When))
"""How many these are: loops over all cards would take most of the time of a game."""


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


def _fits(card: Card, face: int) -> bool:
    """TM-60 … TM-62, TM-72: whether a card of this effect turns its die to a face, if to any."""
    if card.effect == Effect.COPY or (card.effect == Effect.TURN and face == _face(card)):
        return False
    return face in _uses(card)


FITS = _ints(*([_fits(card, face) for _, face in _ALL_USES] for card in CARDS))
"""1 where a card may be used in this way, if it or its copy lies there.  Shape (cards, uses)."""
FIRST_USE = _ints(*(sum(of < card for of, _ in _ALL_USES) for card in range(N_CARDS + 1)))
"""The first way to use a card; those of the next card follow.  Shape (cards + 1,)."""
MOST_DUE = next(most for most in (2, DEAREST) if COST.max() <= most)
"""The most gems of one colour that a card may cost: as published, or else as any deck may have it.

Each number of choices is compiled by itself, and so a changed cost is rarely another number.
"""
