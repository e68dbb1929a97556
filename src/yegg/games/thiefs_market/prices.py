"""Prices for the heuristics of Thief's Market: what Gold, cards and piles are worth to a seat."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints

from .cards import (
    AMOUNT,
    AMOUNT2,
    ANY_GEM,
    BAG,
    BUILDING,
    EFFECT,
    FACE,
    HENCHMAN,
    ICON,
    INTO,
    MARKER,
    MASK,
    N_CARDS,
    N_FACES,
    N_GEMS,
    N_ICONS,
    N_LETTERS,
    N_OBJECTS,
    POINTS,
    TO_GOLD,
    WAND,
)
from .deck import Effect
from .market import ROW, next_deck
from .state import Phase, Place, State

Numbers = NDArray[np.float64]
ALLOCATES_NOTHING = True  # see Compiler.lean

# the book: a row for each seat, with what its cards can do in these columns
ICONS_AT = 0
CARDS_AT = ICONS_AT + N_ICONS
TURNS_AT = CARDS_AT + 1  # dice that may be turned to a gem, by face
BAGS_AT = TURNS_AT + N_FACES  # … to a bag
TOKENS_AT = BAGS_AT + N_FACES  # … spent for Infamy
COINS_AT = TOKENS_AT + N_FACES  # … for Gold
EXTRAS_AT = COINS_AT + N_FACES  # extra purchases, by the face they need
REBATE_AT = EXTRAS_AT + N_FACES
MORE_GOLD_AT = REBATE_AT + 1
MORE_INFAMY_AT = MORE_GOLD_AT + 1
MARKER_AT = MORE_INFAMY_AT + 1
WANDS_AT = MARKER_AT + 1
COLUMNS = WANDS_AT + 1

GEM = 0.12  # what a gem is worth that buys nothing now
FIRST = 0.35  # what the marker is worth: to be first in the market and in the next split

A_ROUND = np.zeros(len(Effect))
"""What an effect brings each round from now on, roughly; tuned by play."""
TOKENS = np.zeros(len(Effect), np.int32)
"""1 where it brings that for each token that the card names."""
for _effect in (
    Effect.SPEND,
    Effect.BUY_INFAMY,
    Effect.STOLEN_INFAMY,
    Effect.MARKER_INFAMY,
    Effect.EXTRA_GOLD,
    Effect.EXTRA_INFAMY,
):
    TOKENS[_effect] = 1
A_ROUND[Effect.TURN] = 0.4
A_ROUND[Effect.SPEND] = 0.6
A_ROUND[Effect.EXTRA_PURCHASE] = 0.5
A_ROUND[Effect.BUY_INFAMY] = 0.4
A_ROUND[Effect.NO_REROLL] = 0.2
A_ROUND[Effect.STOLEN_INFAMY] = 1.0
A_ROUND[Effect.MARKER_INFAMY] = 0.35
A_ROUND[Effect.DISCOUNT] = 2.2
A_ROUND[Effect.EXTRA_GOLD] = 0.6
A_ROUND[Effect.EXTRA_INFAMY] = 0.55
A_ROUND[Effect.EXCHANGE] = 0.6
A_ROUND[Effect.PER_CARD] = 1.2
A_ROUND[Effect.PER_INFAMY] = 0.9
A_ROUND[Effect.BIG_PILE_INFAMY] = 0.6
A_ROUND[Effect.RIVAL_WANDS] = 0.2
NEXT_CARD = np.array([1.6, 2.6, 4.2])
"""What the next card of a deck is worth on the average."""


def rounds_left(s: State) -> float:
    """How many more rounds there may be, by the cards still to be bought."""
    if s.phase == Phase.OVER:
        return 0.0
    cards = 1.0 - s.due
    for letter in range(s.deck, N_LETTERS):
        cards += s.left[letter] - (ROW if letter > s.deck else 0)
    return max(0.3, cards / (0.85 * s.players))


def gold_price(left: float) -> float:
    """A Gold is a gem of any colour for as long as there is something to buy."""
    return 0.35 + 0.6 * min(1.0, left / 3)


def survey(s: State, book: Numbers) -> None:
    """Fill the book with the icons and abilities of all seats."""
    book[:] = 0
    for card in range(N_CARDS):
        seat = s.where[card] - Place.OWNED
        if seat >= 0:
            book[seat, CARDS_AT] += 1
            for icon in range(N_ICONS):
                book[seat, ICONS_AT + icon] += ICON[icon, card]
            enter(s, book[seat], card)


def enter(s: State, row: Numbers, card: int) -> None:
    """What a card lets its owner do."""
    by = s.acts_as[card]
    face = FACE[by]
    match EFFECT[by]:
        case Effect.TURN:
            if not s.used[card]:
                row[(TURNS_AT if INTO[by] == ANY_GEM else BAGS_AT) + face] += 1
        case Effect.SPEND:
            if not s.used[card]:
                row[(COINS_AT if INTO[by] == TO_GOLD else TOKENS_AT) + face] += AMOUNT[by]
        case Effect.EXTRA_PURCHASE:
            row[EXTRAS_AT + face] += 1
        case Effect.DISCOUNT:
            row[REBATE_AT] += 1
        case Effect.EXTRA_GOLD:
            row[MORE_GOLD_AT] += AMOUNT[by]
        case Effect.EXTRA_INFAMY:
            row[MORE_INFAMY_AT] += AMOUNT[by]
        case Effect.MARKER_INFAMY:
            row[MARKER_AT] += AMOUNT[by]
        case Effect.WANDS:
            row[WANDS_AT] += AMOUNT[by]


def card_price(s: State, book: Numbers, seat: int, card: int, left: float) -> float:
    """What a card is worth to its owner, or to a seat that might buy it; henchmen aside."""
    by = s.acts_as[card]
    mine = s.where[card] == Place.OWNED + seat
    amount = AMOUNT[by]
    wands = book[seat, ICONS_AT + WAND]
    buildings = book[seat, ICONS_AT + BUILDING]
    cards = book[seat, CARDS_AT]
    if not mine:
        wands += ICON[WAND, card]
        buildings += ICON[BUILDING, card]
        cards += 1
    price = POINTS[by] + A_ROUND[EFFECT[by]] * left * (amount if TOKENS[EFFECT[by]] else 1)
    if not mine:
        price += book[seat, WANDS_AT] / 2 * ICON[WAND, card]
    match EFFECT[by]:
        case Effect.BUILDINGS:
            price += AMOUNT2[by] if buildings >= 2 else amount + 0.15 * left
            if not mine and buildings == 2:
                price += 1.5  # the other one gains too
        case Effect.WANDS:
            price += amount * (wands // 2) + 0.4 * (wands % 2)
        case Effect.PER_CARD:
            price += amount * (cards - 1)
        case Effect.PER_INFAMY:
            price += s.infamy[seat] / amount
        case Effect.TREASURE:
            price += amount - 1.2
        case Effect.EXCHANGE:
            price += s.gold[seat] * (amount - gold_price(left)) * 0.7
        case Effect.RIVAL_WANDS:
            for other in range(s.players):
                if other != seat:
                    price += amount * book[other, ICONS_AT + WAND]
        case Effect.BUY_INFAMY:
            price += 0 if mine else amount
        case Effect.HAUL:
            price += 0 if mine else amount * haul(s, seat)
        case Effect.FREE_CARD:
            deck = next_deck(s)
            price += 0 if mine or s.left[deck] == 0 else NEXT_CARD[deck]
        case Effect.COPY:
            price += 0 if mine else 3.5
    return price


def haul(s: State, seat: int) -> int:
    """TM-65: the objects of the pile when the split was over, or as it is now."""
    n, now = 0, 0
    for kind in range(N_OBJECTS):
        n += s.split[seat, kind]
        now += s.pile[seat, kind]
    return n if n > 0 else now


def henchman_price(book: Numbers, players: int, seat: int, more: int, left: float) -> float:
    """TM-40: the hope for most or second most icons, the surer the nearer the end.

    TM-41: who has none may hope only for as long as there is something to buy.
    """
    mine = book[seat, ICONS_AT + HENCHMAN] + more
    hope = 1.0
    for other in range(players):
        if other != seat:
            lead = (mine - book[other, ICONS_AT + HENCHMAN]) / (0.5 + 0.35 * left)
            hope *= 1 / (1 + np.exp(-1.7 * lead))
    if mine == 0:
        hope *= 1 - np.exp(-left)
    return 3 * hope + 0.4 * min(1.0, mine / 3)


def gold_award_price(s: State, seat: int, left: float) -> float:
    """TM-40: the hope for most Gold; TM-41: none with no Gold at the very end."""
    hope = 1.0
    for other in range(s.players):
        if other != seat:
            lead = (s.gold[seat] - s.gold[other]) / (0.5 + 0.5 * left)
            hope *= 1 / (1 + np.exp(-1.7 * lead))
    if s.gold[seat] == 0:
        hope *= 1 - np.exp(-left)
    return 3 * hope


def shop_window(s: State, shop: Ints) -> int:
    """The cards for sale; return how many."""
    n = 0
    for card in range(N_CARDS):
        if s.where[card] == Place.MARKET:
            shop[n] = card
            n += 1
    return n


def purchases_of(book: Numbers, seat: int, had: Numbers) -> int:
    """TM-20, TM-63, TM-68: how often a seat with this pile may buy."""
    n = 1 + int(book[seat, REBATE_AT])
    for face in range(N_FACES):
        if had[face] > 0:
            n += int(book[seat, EXTRAS_AT + face])
    return n


def keepsakes(book: Numbers, seat: int, pile: Numbers, gold: float) -> float:
    """What is made of dice that buy nothing: bags, masks, and what cards turn or spend."""
    row = book[seat]
    total = pile[BAG] * gold + pile[MASK] + pile[MARKER] * (FIRST + row[MARKER_AT])
    if pile[BAG] > 0:
        total += row[MORE_GOLD_AT] * gold
    if pile[MASK] > 0:
        total += row[MORE_INFAMY_AT]
    for face in range(N_GEMS):
        spent = min(pile[face], row[TOKENS_AT + face])
        turned = min(pile[face] - spent, row[BAGS_AT + face])
        total += spent + turned * gold + (pile[face] - spent - turned) * GEM
    return total
