"""Scoring of Thief's Market: Notoriety of cards and Infamy, awards for henchmen and Gold."""

from .cards import AMOUNT, AMOUNT2, BUILDING, COMPASS, EFFECT, HENCHMAN, ICON, N_CARDS, POINTS, WAND
from .deck import Effect
from .state import Place, State, icons

DIGIT = 1000  # of a standing


def henchmen_award(s: State, seat: int) -> int:
    """TM-40, TM-41: 3 for the most henchman icons, 1 for the second most; one less in a tie."""
    mine = icons(s, seat, HENCHMAN)
    if mine == 0:
        return 0
    most = second = -1
    alike = 0
    for other in range(s.players):
        n = icons(s, other, HENCHMAN)
        alike += n == mine
        if n > most:
            second = most
            most = n
        elif second < n < most:
            second = n
    if mine == most:
        return 3 if alike == 1 else 2
    return 1 if mine == second and alike == 1 else 0


def gold_award(s: State, seat: int) -> int:
    """TM-40, TM-41: 3 for the most Gold, 2 for each in a tie; nothing for none."""
    if s.gold[seat] == 0:
        return 0
    alike = 0
    for other in range(s.players):
        if s.gold[other] > s.gold[seat]:
            return 0
        alike += s.gold[other] == s.gold[seat]
    return 3 if alike == 1 else 2


def card_points(s: State, seat: int) -> int:
    """TM-42: the points of all cards of a seat."""
    total = 0
    for card in range(N_CARDS):
        if s.where[card] == Place.OWNED + seat:
            total += POINTS[s.acts_as[card]] + earned(s, seat, s.acts_as[card])
    return total


def earned(s: State, seat: int, by: int) -> int:
    """TM-71, TM-72: what a card's effect is worth at the end."""
    amount = AMOUNT[by]
    if EFFECT[by] == Effect.BUILDINGS:
        n = icons(s, seat, BUILDING)
        return AMOUNT2[by] if n >= 2 else amount * min(n, 1)
    if EFFECT[by] == Effect.WANDS:
        return amount * (icons(s, seat, WAND) // 2)
    if EFFECT[by] == Effect.PER_CARD:
        return amount * (cards_of(s, seat) - 1)
    if EFFECT[by] == Effect.PER_INFAMY:
        return s.infamy[seat] // amount
    if EFFECT[by] == Effect.TREASURE:
        return AMOUNT2[by] if rivals_have(s, seat, COMPASS) else amount
    if EFFECT[by] == Effect.RIVAL_WANDS:
        return amount * rivals_have(s, seat, WAND)
    return 0


def cards_of(s: State, seat: int) -> int:
    """How many cards a seat has."""
    n = 0
    for card in range(N_CARDS):
        n += s.where[card] == Place.OWNED + seat
    return n


def rivals_have(s: State, seat: int, icon: int) -> int:
    """How many of an icon the other players have together."""
    n = 0
    for card in range(N_CARDS):
        theirs = (s.where[card] >= Place.OWNED) & (s.where[card] != Place.OWNED + seat)
        n += ICON[icon, card] * theirs
    return n


def score(s: State, seat: int) -> int:
    """TM-42: the Notoriety of a seat."""
    awards = henchmen_award(s, seat) + gold_award(s, seat)
    return int(awards + card_points(s, seat) + s.infamy[seat])


def standing(s: State, seat: int) -> int:
    """TM-43: Notoriety, then cards, then Infamy tokens, as digits of one number."""
    return (score(s, seat) * DIGIT + cards_of(s, seat)) * DIGIT + int(s.infamy[seat])
