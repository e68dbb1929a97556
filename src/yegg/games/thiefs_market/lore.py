"""Heuristic evaluation of Thief's Market: what a pile is worth, and how likely it is stolen."""

import numpy as np

from yegg.engine import Ints
from yegg.engine.scratch import grid, ints, numbers

from .cards import BAG, COST, HENCHMAN, ICON, N_CARDS, N_GEMS, N_OBJECTS
from .prices import (
    COLUMNS,
    GEM,
    REBATE_AT,
    TURNS_AT,
    Numbers,
    card_price,
    gold_award_price,
    gold_price,
    henchman_price,
    keepsakes,
    purchases_of,
    rounds_left,
    shop_window,
    survey,
)
from .scoring import score
from .state import SEATS, Phase, Place, State, holder, objects

ALLOCATES_NOTHING = True  # see Compiler.lean
FUTURES = 50
"""How many futures are played out for a decision.  There are so many dice and cards that a
search tree would visit each node once."""
TURNS = 2
"""After how many turns of each player `hard` judges a future."""
A_DIE = 0.75  # what a die is worth that is still to be rolled
SHARE = np.array([0.0, 1.0, 0.62, 0.48, 0.4, 0.34])
"""How much of the centre one gets, by how many have no pile yet."""
RIVALS = 0.35  # how much of the best rival's worth counts against one's own


def evaluate(s: State, seat: int) -> float:
    """What a seat may hope for, less a part of what its best rival may; at the end the result."""
    every = numbers(SEATS)
    evaluate_all(s, every)
    return float(every[seat])


def evaluate_all(s: State, every: Numbers) -> None:
    """The worth to everybody at once: the prices are the same for all."""
    if s.phase == Phase.OVER:
        for seat in range(s.players):
            every[seat] = score(s, seat)
        against_rivals(s.players, every, 5.0)
        return
    book, lasting = grid(SEATS, COLUMNS), numbers(SEATS)
    survey(s, book)
    appraise(s, book, lasting, every)
    for who in range(s.players):
        every[who] += lasting[who]
    against_rivals(s.players, every, 0.0)


def appraise(s: State, book: Numbers, lasting: Numbers, tonight: Numbers) -> None:
    """By seat: what it has for good, and what this round will still bring, by the book."""
    hopes = numbers(N_CARDS)  # prices of the cards for sale, to one seat after the other
    shop = ints(N_CARDS)
    cards = shop_window(s, shop)
    left = rounds_left(s)
    for who in range(s.players):
        henchmen = henchman_price(book, s.players, who, 0, left)
        for i in range(cards):
            hopes[i] = card_price(s, book, who, shop[i], left)
            if ICON[HENCHMAN, shop[i]]:
                more = henchman_price(book, s.players, who, ICON[HENCHMAN, shop[i]], left)
                hopes[i] += more - henchmen
        lasting[who] = tokens_worth(s, book, who, left)
        tonight[who] = night_worth(s, book, hopes, shop[:cards], who, left)
    for card in range(N_CARDS):
        owner = s.where[card] - Place.OWNED
        if owner >= 0:
            lasting[owner] += card_price(s, book, owner, card, left)


def against_rivals(players: int, every: Numbers, win: float) -> None:
    """Take a part of the best other's worth from everybody's; the first one gets ``win`` more."""
    best, second, first = -1e9, -1e9, 0
    for seat in range(players):
        if every[seat] > best:
            best, second, first = every[seat], best, seat
        elif every[seat] > second:
            second = every[seat]
    for seat in range(players):
        rival = second if seat == first else best
        ahead = every[seat] > rival
        every[seat] += (win if ahead else 0.0) - RIVALS * rival


def tokens_worth(s: State, book: Numbers, seat: int, left: float) -> float:
    """What a seat has for good beside its cards: tokens, and the hope for the awards."""
    awards = gold_award_price(s, seat, left) + henchman_price(book, s.players, seat, 0, left)
    return s.infamy[seat] + s.gold[seat] * gold_price(left) + awards


def night_worth(
    s: State, book: Numbers, hopes: Numbers, shop: Ints, seat: int, left: float
) -> float:
    """What this round will still bring a seat, wherever the round stands."""
    pile = numbers(N_OBJECTS)
    gold = gold_price(left)
    if s.phase == Phase.DEAL:
        return 0.0
    if s.phase <= Phase.RETURN:
        return split_worth(s, book, hopes, shop, seat, gold)
    for kind in range(N_OBJECTS):
        pile[kind] = s.pile[seat, kind]
    if s.phase <= Phase.AGAIN:
        pile[BAG] += A_DIE * (s.loose if seat == s.turn else 0)
        return pile_worth(s, book, hopes, shop, seat, pile, s.gold[seat], gold)
    if seat == s.turn:
        return turn_worth(s, book, hopes, shop, pile, gold, left)
    first = holder(s)
    mine, now = (seat - first) % s.players, (s.turn - first) % s.players
    if mine < now:
        return keepsakes(book, seat, pile, gold) - GEM * idle(pile)
    return pile_worth(s, book, hopes, shop, seat, pile, s.gold[seat], gold)


def idle(pile: Numbers) -> float:
    """How many gems are left in a pile."""
    return pile[0] + pile[1] + pile[2] + pile[3]


def turn_worth(
    s: State, book: Numbers, hopes: Numbers, shop: Ints, pile: Numbers, gold: float, left: float
) -> float:
    """The current turn of phase 2, in the middle of paying too."""
    seat = s.turn
    coins = float(s.gold[seat])
    total = 0.0
    if s.buying:
        card = s.buying - 1
        if s.where[card] == Place.MARKET:
            total += card_price(s, book, seat, card, left)
            for gem in range(N_GEMS):
                dice = min(pile[gem], s.bill[gem])
                pile[gem] -= dice
                coins -= s.bill[gem] - dice
            coins = min(s.gold[seat], coins + s.waivers)
            total -= (s.gold[seat] - coins) * gold
        else:
            total += 3.5  # a copy to be chosen
    return total + shopping(s, book, hopes, shop, seat, pile, coins, gold, s.buys)


def pile_worth(
    s: State,
    book: Numbers,
    hopes: Numbers,
    shop: Ints,
    seat: int,
    pile: Numbers,
    coins: float,
    gold: float,
) -> float:
    """A pile at the beginning of a turn in the market."""
    buys, left = purchases_of(book, seat, pile), numbers(N_OBJECTS)
    for kind in range(N_OBJECTS):
        left[kind] = pile[kind]
    return shopping(s, book, hopes, shop, seat, left, coins, gold, buys)


def shopping(
    s: State,
    book: Numbers,
    hopes: Numbers,
    shop: Ints,
    seat: int,
    pile: Numbers,
    coins: float,
    gold: float,
    buys: int,
) -> float:
    """The best that dice and Gold buy, one card after the other; then what is left of them."""
    total = 0.0
    bought = np.int64(0)  # a bit for each card
    for _ in range(buys):
        best, at, price = 0.15, -1, 0.0
        for i in range(shop.size):
            if hopes[i] <= best or (bought >> i) & 1:
                continue
            lacking = lacks(book, seat, pile, shop[i])
            if lacking <= coins and hopes[i] - lacking * gold > best:
                best, at, price = hopes[i] - lacking * gold, i, lacking
        if at < 0:
            break
        bought |= np.int64(1) << at
        total += best
        coins -= price
        for gem in range(N_GEMS):
            pile[gem] = max(0.0, pile[gem] - COST[shop[at], gem])
    return total + keepsakes(book, seat, pile, gold)


def lacks(book: Numbers, seat: int, pile: Numbers, card: int) -> float:
    """Gold that a card takes, when dice are turned and gems waived as well as can be."""
    short, spare = 0.0, 0.0
    for gem in range(N_GEMS):
        over = pile[gem] - COST[card, gem]
        short += max(0.0, -over)
        spare += min(max(0.0, over), book[seat, TURNS_AT + gem])
    spare += min(pile[BAG], book[seat, TURNS_AT + BAG])
    return max(0.0, short - spare - book[seat, REBATE_AT])


def split_worth(
    s: State, book: Numbers, hopes: Numbers, shop: Ints, seat: int, gold: float
) -> float:
    """Phase 1: a pile that may be stolen, or the hope for one."""
    pile, centre = numbers(N_OBJECTS), numbers(N_OBJECTS)
    for kind in range(N_OBJECTS):
        pile[kind] = s.pile[seat, kind]
        centre[kind] = s.centre[kind]
    coins = s.gold[seat]
    if objects(s, seat) == 0:
        return hope(s, book, hopes, shop, seat, centre, coins, gold)
    if s.phase == Phase.TAKE and s.turn == seat:
        return completed(s, book, hopes, shop, seat, pile, centre, coins, gold)
    if s.phase == Phase.RETURN and s.turn == seat and s.after == 0:
        return returned(s, book, hopes, shop, seat, pile, centre, coins, gold)
    return risked(s, book, hopes, shop, seat, pile, centre, coins, gold)


def returned(
    s: State,
    book: Numbers,
    hopes: Numbers,
    shop: Ints,
    seat: int,
    pile: Numbers,
    centre: Numbers,
    coins: float,
    gold: float,
) -> float:
    """A pile just stolen, when what is worth least of it goes back."""
    best = -1e9
    for kind in range(N_OBJECTS):
        if pile[kind] > 0:
            pile[kind] -= 1
            centre[kind] += 1
            best = max(best, risked(s, book, hopes, shop, seat, pile, centre, coins, gold))
            pile[kind] += 1
            centre[kind] -= 1
    return best


def without_pile(s: State) -> int:
    """How many are still to take or steal; who is picking is not one of them."""
    n = 0
    for seat in range(s.players):
        n += objects(s, seat) == 0
    return n


def hope(
    s: State,
    book: Numbers,
    hopes: Numbers,
    shop: Ints,
    seat: int,
    centre: Numbers,
    coins: float,
    gold: float,
) -> float:
    """What a seat without a pile may expect: of the centre, or by stealing."""
    n = max(1, without_pile(s))
    there = pile_worth(s, book, hopes, shop, seat, centre, coins, gold)
    best = SHARE[n] * (there + A_DIE * s.loose)
    pile = numbers(N_OBJECTS)
    for other in range(s.players):
        if other != seat and objects(s, other) >= 2:
            for kind in range(N_OBJECTS):
                pile[kind] = s.pile[other, kind]
            loot = pile_worth(s, book, hopes, shop, seat, pile, coins, gold) - 0.8
            best = max(best, loot * (1.0 - 0.12 * (n - 1)))
    return best


def risked(
    s: State,
    book: Numbers,
    hopes: Numbers,
    shop: Ints,
    seat: int,
    pile: Numbers,
    centre: Numbers,
    coins: float,
    gold: float,
) -> float:
    """What a pile is worth when others may steal it, who would rather have it than the centre."""
    value = pile_worth(s, book, hopes, shop, seat, pile, coins, gold)
    n = without_pile(s)
    size = 0.0
    for kind in range(N_OBJECTS):
        size += pile[kind]
    if n == 0 or size < 2:
        return value
    there = pile_worth(s, book, hopes, shop, seat, centre, coins, gold) + A_DIE * s.loose
    safe = 1.0
    for k in range(n, 0, -1):  # the next thief sees most players without a pile
        other = SHARE[k] * there
        safe *= 1 - 1 / (1 + np.exp(-2.0 * (value - 0.8 - other)))
    again = max(SHARE[n] * there, value - 1.6)  # the centre, or to steal it back
    return safe * value + (1 - safe) * min(value, again)


def completed(
    s: State,
    book: Numbers,
    hopes: Numbers,
    shop: Ints,
    seat: int,
    pile: Numbers,
    centre: Numbers,
    coins: float,
    gold: float,
) -> float:
    """A pile being taken, with the best that may still be added to it."""
    best = risked(s, book, hopes, shop, seat, pile, centre, coins, gold)
    while True:
        better, at = best, -1
        for kind in range(s.after - 1, N_OBJECTS):
            if centre[kind] > 0:
                pile[kind] += 1
                centre[kind] -= 1
                value = risked(s, book, hopes, shop, seat, pile, centre, coins, gold)
                pile[kind] -= 1
                centre[kind] += 1
                if value > better + 1e-6:
                    better, at = value, kind
        if at < 0:
            return best
        best = better
        pile[at] += 1
        centre[at] -= 1


def value_scale(s: State) -> float:
    """A seat that is better by this much wins e times as often; fitted to greedy thieves."""
    return 3.0 + 2.5 * rounds_left(s)
