"""What cannot be in a position of Thief's Market, however it was come by."""

from collections.abc import Iterator

import numpy as np

from .cards import COST, EFFECT, LETTER, MARKER, N_CARDS, N_LETTERS, PROMO
from .deck import Effect
from .loot import lucky_card
from .market import ROW, lacks, next_deck
from .state import Phase, Place, State, holder, objects

SPLITTING = (Phase.SPLIT, Phase.TAKE, Phase.RETURN)
PAYING = (Phase.WAIVE, Phase.GOLD)
TRADING = (Phase.MARKET, *PAYING, Phase.COPY, Phase.FREE)


def faults(s: State) -> Iterator[str]:
    """Sentences about what cannot be, the first at once; the fields are within their bounds."""
    n = s.players
    if s.turn >= n:
        yield "a seat is named that nobody has"
    for field in (s.pile, s.split, s.gold, s.infamy):
        if np.any(field[n:]):
            yield "something belongs to a player who is not there"
    yield from of_cards(s)
    yield from of_loot(s)
    yield from of_phase(s)
    yield from of_purchase(s)


def of_cards(s: State) -> Iterator[str]:
    """TM-3, TM-72: every card lies in one place; decks hold what was not turned up."""
    for card in range(N_CARDS):
        place, by = s.where[card], s.acts_as[card]
        if place >= Place.OWNED + s.players or (place == Place.BOX) != bool(
            PROMO[card] and not s.promos
        ):
            yield "a card lies where it cannot lie (TM-3)"
        if by != card and (EFFECT[card] != Effect.COPY or place < Place.OWNED):
            yield "a card acts as another that it cannot copy (TM-72)"
    for letter in range(N_LETTERS):
        hidden = np.count_nonzero((s.where == Place.DECK) & (letter == LETTER))
        if s.left[letter] > hidden or (letter < s.deck and s.left[letter]):
            yield "a deck has more cards than are left (TM-3)"
    shop = np.count_nonzero((s.where == Place.MARKET) & (s.deck == LETTER))
    if shop + s.due != ROW and s.phase != Phase.OVER:
        yield f"of the deck being dealt {ROW} cards lie in the market, or are due (TM-31)"


def of_loot(s: State) -> Iterator[str]:
    """TM-2, TM-10: the dice on the table, and the marker."""
    there = s.centre + s.pile.sum(axis=0)
    if there[MARKER] != 1 or there.sum() - 1 + s.loose != s.dice:
        yield f"there are {s.dice} dice and a marker on the table (TM-2)"
    if s.split[:, MARKER].sum() > 1 or s.split.sum() > s.dice + 1:
        yield "more was split than there is (TM-11)"
    if s.phase in (Phase.DEAL, Phase.ROLL, *SPLITTING) and np.any(s.split):
        yield "the split is not over (TM-14)"
    if s.phase == Phase.DEAL and s.loose != s.dice:
        yield "cards are dealt when all dice are in the centre (TM-30)"
    if s.phase in (Phase.SPLIT, Phase.TAKE, Phase.LUCK) and s.loose:
        yield "dice are to be rolled first (TM-13)"


def of_phase(s: State) -> Iterator[str]:
    """What each phase needs."""
    if s.phase in (Phase.LUCK, Phase.AGAIN, *TRADING) and holder(s) < 0:
        yield "nobody has the marker, though all is split (TM-14)"
    if s.phase in (Phase.ROLL, Phase.AGAIN) and not s.loose:
        yield "no die is to be rolled (TM-10)"
    if s.phase == Phase.DEAL and not s.due:
        yield "no card is to be dealt (TM-31)"
    if s.phase in (Phase.DEAL, Phase.FREE) and not s.left[next_deck(s)]:
        yield "no card is left to be turned up (TM-31)"
    if s.phase == Phase.LUCK and lucky_card(s, s.turn) < 0:
        yield "nobody may roll a die again (TM-66)"
    if s.phase == Phase.SPLIT and objects(s, s.turn):
        yield "a player splits who has a pile (TM-11)"
    if s.phase == Phase.TAKE and not (s.after and s.pile[s.turn, s.after - 1]):
        yield "nothing was taken before (TM-11)"
    if s.phase == Phase.RETURN and not objects(s, s.turn):
        yield "something returns from an empty pile (TM-12)"
    if (s.after or s.fixed) and s.phase not in SPLITTING:
        yield "objects are taken when nothing is split"
    if (s.buys or s.rebate) and s.phase not in TRADING:
        yield "purchases are left when nobody may buy (TM-20)"


def of_purchase(s: State) -> Iterator[str]:
    """TM-21, TM-68: the card being bought and its bill, which can be paid."""
    buying = s.phase in (*PAYING, Phase.COPY)
    if bool(s.buying) != buying or (s.free and s.phase != Phase.COPY):
        yield "a card is bought when nothing is bought, or none is"
        return
    if s.phase not in PAYING:
        if s.waivers or s.colour or np.any(s.bill):
            yield "a bill is to be paid when nothing is bought"
        if s.phase == Phase.COPY and not copies(s):
            yield "a card is copied that cannot be (TM-72)"
        return
    card = s.buying - 1
    if s.where[card] != Place.MARKET or np.any(s.bill > COST[card]) or s.waivers > s.bill.sum():
        yield "what is bought is not for sale, or costs less (TM-21)"
    if s.waivers > s.rebate or (s.phase == Phase.GOLD and s.waivers) or np.any(s.bill[: s.colour]):
        yield "more is waived than may be (TM-68)"
    if s.phase == Phase.WAIVE and s.colour:
        yield "a colour is paid before all is waived (TM-68)"
    if lacks(s, 0) - s.waivers > s.gold[s.turn]:
        yield "the card cannot be paid (TM-21)"


def copies(s: State) -> bool:
    """TM-72: whether the card gained copies others."""
    card = s.buying - 1
    return bool(EFFECT[card] == Effect.COPY and s.where[card] == Place.OWNED + s.turn)
