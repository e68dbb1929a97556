"""Features of a position in Second Story: the inputs of its value net.

Suits stand in the order of what one has of them, rivals in the order of their lairs, so that
what is the same but for names looks the same.  Of the night is told what the net could not
multiply: what a job may bring, and what is at stake, by how likely it fails.
"""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.parts.decktet import EXCUSE, KIND, N_SUITS, SUIT_COUNT, SUITS, Kind

from .lore import WEIGHTS, fails, fails_now
from .rules import can_risk, wanted
from .state import SEATS, Choice, Phase, State

NIGHT = 44  # numbers of a night
HOPES = 18  # where those begin that tell what may come of it

Senses = NDArray[np.float32]
Numbers = NDArray[np.float64]


def down(chips: Ints, out: Ints) -> None:
    """Write numbers to ``out``, the greatest first; it comes as zeros."""
    for i in range(N_SUITS):
        at = i
        while at > 0 and out[at - 1] < chips[i]:
            out[at] = out[at - 1]
            at -= 1
        out[at] = chips[i]


def price(total: Ints) -> float:
    """What chips are worth by lore's weights; the most numerous suit first."""
    found = 0.0
    for slot in range(N_SUITS):
        found += WEIGHTS[slot] * total[slot]
    return found


def night(s: State, lair: Ints, total: Ints, place: Ints, at: int, x: Senses) -> None:
    """The night that is being played: its phase, what is at stake, and what may come of it.

    ``lair``, ``total``: the thief's chips without and with the bag, the most numerous suit first;
    ``place``: where each suit stands in ``total``.
    """
    x[at + s.phase] = 1  # seven phases
    stake, points, chips = price(total) - price(lair), total[1] - lair[1], 0
    gain, point = np.zeros(N_SUITS), np.zeros(N_SUITS)  # by suit, of a chip more
    for suit in range(N_SUITS):
        chips += s.bag[suit]
        slot = place[suit]
        while slot > 0 and total[slot - 1] == total[slot]:
            slot -= 1
        if s.bank[suit] > 0:
            gain[suit] = WEIGHTS[slot]
            point[suit] = slot == 1
    x[at + 7] = chips / 4
    for many in range(3):
        x[at + 8 + many] = chips > many
    x[at + 11] = chips > 4
    x[at + 12] = stake / 20
    x[at + 13] = points > 0
    x[at + 14] = points > 1
    x[at + 15] = s.tonight[EXCUSE] == 1
    x[at + 16] = s.owner == s.turn + 1
    x[at + 17] = s.turned / 5
    if s.phase == Phase.ROAD or s.phase == Phase.FLIP:
        next_house(s, stake, points, gain, point, at + HOPES, x)
    elif s.phase != Phase.OVER and s.house > 0:
        this_house(s, stake, points, gain, point, at + HOPES + 9, x)


def brings(house: int, plan: int, gain: Numbers) -> float:
    """What a job that succeeds brings, about, by what a chip of each suit gains."""
    most = every = 0.0
    for i in range(SUIT_COUNT[house]):
        most = max(most, gain[SUITS[house, i]])
        every += gain[SUITS[house, i]]
    if wanted(plan) == 1:
        return most
    return every if plan != Choice.SEVERAL_FLATS else every * 2 / 3


def next_house(
    s: State, stake: float, points: int, gain: Numbers, point: Numbers, at: int, x: Senses
) -> None:
    """What the next house brings on the average, burgled as lore likes best; Aces and danger."""
    houses, aces, danger = 0, 0, 0
    hope, good, risk, scores = 0.0, 0.0, 0.0, 0.0
    for i in range(s.face_down):
        house, kind = s.pile[i], KIND[s.pile[i]]
        if kind == Kind.ACE:
            aces += 1
            danger += s.bag[SUITS[house, 0]] > 0
            continue
        if kind == Kind.EXCUSE:
            x[at + 8] = 1
            continue
        houses += 1
        first = Choice.ONE_FLAT if kind >= Kind.PAWN else Choice.THOROUGH
        best, failing = -1e9, 0.0
        how: int = first
        for plan in range(first, first + (3 if kind >= Kind.PAWN else 2)):
            miss = fails(house, plan)
            value = (1 - miss) * brings(house, plan, gain) - miss * stake
            if value > best and (kind != Kind.CROWN or plan == Choice.QUICK):
                best, how, failing = value, plan, miss
        hope += best
        good += max(best, 0.0)
        risk += failing
        scores += (1 - failing) * min(brings(house, how, point), 1.0)
    n, left = max(houses, 1), max(s.face_down, 1)
    x[at] = hope / n / 10
    x[at + 1] = good / n / 10
    x[at + 2] = risk / n
    x[at + 3] = scores / n
    x[at + 4] = risk / n * points
    x[at + 5] = risk / n * stake / 20
    x[at + 6] = 3 * aces / left
    x[at + 7] = 3 * danger / left


def this_house(
    s: State, stake: float, points: int, gain: Numbers, point: Numbers, at: int, x: Senses
) -> None:
    """The house being burgled: what each job may bring, or the one that was chosen."""
    if s.phase == Phase.PLAN:
        first = Choice.ONE_FLAT if KIND[s.house] >= Kind.PAWN else Choice.THOROUGH
        for plan in range(first, first + 2):
            to, miss = at + 6 * (plan - first), fails(s.house, plan)
            job(s.house, plan, miss, stake, points, gain, point, to, x)
    elif s.phase == Phase.ROLL or s.phase == Phase.JAM:
        job(s.house, s.plan, fails_now(s), stake, points, gain, point, at, x)
        x[at + 12] = wanted(s.plan) > 1
        x[at + 13] = s.phase == Phase.JAM and can_risk(s)
        x[at + 14] = KIND[s.house] == Kind.CROWN and s.lair[s.turn, SUITS[s.house, 0]] > 0
    else:
        x[at + 15] = s.due / 2


def job(
    house: int,
    plan: int,
    miss: float,
    stake: float,
    points: int,
    gain: Numbers,
    point: Numbers,
    at: int,
    x: Senses,
) -> None:
    """A job that fails with the chance ``miss``: what it may cost, and what it may bring."""
    x[at] = miss
    x[at + 1] = miss * stake / 20
    x[at + 2] = miss * points
    x[at + 3] = (1 - miss) * brings(house, plan, gain) / 10
    x[at + 4] = (1 - miss) * min(brings(house, plan, point), 1.0)
    x[at + 5] = x[at + 3] - 2 * x[at + 1]


SLOT = 24  # numbers of each suit
TONIGHT = SLOT * N_SUITS  # where the numbers of one's own night begin; then those of another's
TABLE = TONIGHT + 2 * NIGHT
RIVAL = TABLE + 52
ABOUT = 40  # numbers of each rival
SENSES = RIVAL + ABOUT * (SEATS - 1)


def sense(s: State, seat: int, x: Senses) -> None:
    """Fill ``x`` (SENSES,), which comes as zeros."""
    lairs = np.zeros((SEATS, N_SUITS), np.int32)
    home, total = np.zeros(N_SUITS, np.int32), np.zeros(N_SUITS, np.int32)
    for who in range(s.players):
        down(s.lair[who], lairs[who])
    for suit in range(N_SUITS):
        home[suit] = s.lair[s.turn, suit] + s.bag[suit]
    down(home, total)
    place = places(s, home)
    night(s, lairs[s.turn], total, place, TONIGHT + NIGHT * (seat != s.turn), x)
    if seat != s.turn:
        place = places(s, s.lair[seat])
    mine = total if seat == s.turn else lairs[seat]
    for suit in range(N_SUITS):
        about_suit(s, seat, suit, place[suit], mine, x)
    coming(s, seat, place, x)
    standings(s, seat, lairs, total, x)
    table(s, seat, lairs[seat, 1], x)
    for other in range(s.players):
        if other != seat:
            rival(s, seat, other, lairs, total, x)


def places(s: State, chips: Ints) -> Ints:
    """Where each suit stands, the most numerous first; of equals the one that the bank lacks."""
    rank, place = np.zeros(N_SUITS, np.int32), np.zeros(N_SUITS, np.int32)
    for suit in range(N_SUITS):
        rank[suit] = chips[suit] * 256 + (31 - s.bank[suit]) * 8 - suit
    for suit in range(N_SUITS):
        for other in range(N_SUITS):
            place[suit] += rank[other] > rank[suit]
    return place


def about_suit(s: State, seat: int, suit: int, slot: int, total: Ints, x: Senses) -> None:
    """A suit in lair, bag and bank; ``total``: one's chips at home, the most numerous first."""
    at, bank, chips = SLOT * slot, s.bank[suit], total[slot]
    x[at] = s.lair[seat, suit] / 4
    x[at + 1 + (seat != s.turn)] = s.bag[suit] / 3
    x[at + 3] = bank / 5
    for few in range(3):
        x[at + 4 + few] = bank == few
    x[at + 7] = seat == s.turn and s.bag[suit] > 0
    for many in range(6):
        x[at + 8 + many] = chips > many
    if slot > 0:
        for less in range(2):
            x[at + 14 + less] = total[slot - 1] == chips + less
            x[at + 16 + less] = total[slot - 1] == chips + less and bank == 0


def coming(s: State, seat: int, place: Ints, x: Senses) -> None:
    """By suit: how much of it is in the pile, and whether the house before the thief has it."""
    for i in range(s.face_down):
        card = s.pile[i]
        for j in range(SUIT_COUNT[card]):
            at = SLOT * place[SUITS[card, j]] + 18
            x[at + (KIND[card] != Kind.ACE)] += 1 / (1 + s.face_down)
    if s.house > 0:
        for j in range(SUIT_COUNT[s.house]):
            suit = SUITS[s.house, j]
            at, there = SLOT * place[suit] + 20, s.bank[suit] > 0
            x[at + (seat != s.turn)] = there
            takes = s.phase == Phase.TAKE and j >= s.after and seat == s.turn
            x[at + 2] = there and takes


def code(total: Ints) -> int:
    """What decides the game, as one number: chips, the most numerous suit first."""
    found = np.int64(0)
    for slot in range(1, N_SUITS):
        found = found * 32 + total[slot]
    return found  # type: ignore[return-value]


def standings(s: State, seat: int, lairs: Ints, total: Ints, x: Senses) -> None:
    """Who leads, as the lairs are and as they will be if tonight's bag comes home."""
    turns = (seat - s.turn) % s.players  # until it is this seat's night
    last, final = s.last_turns >= 0, s.last_turns == 1
    now, home, level = code(lairs[seat]), code(total), 0
    for other in range(s.players):
        if other != seat:
            level = max(level, code(lairs[other]))
    x[TABLE] = 1.0
    x[TABLE + 1] = last
    x[TABLE + 2] = last and turns < s.last_turns  # another night is to come, or this one
    x[TABLE + 3] = s.last_turns / s.players if last else 0
    x[TABLE + 4] = now > level
    x[TABLE + 5] = now == level
    if seat == s.turn:
        x[TABLE + 6] = home > level
        x[TABLE + 7] = last and home > level
        x[TABLE + 8] = last and home <= level
        x[TABLE + 9] = last and home == level
        x[TABLE + 10] = final and home > level
        x[TABLE + 11] = final and home < level
    else:
        x[TABLE + 12] = home > now
        x[TABLE + 13] = last and home > now
        x[TABLE + 14] = final and now > level
        x[TABLE + 15] = final and now > level and now > home
        x[TABLE + 16] = last and turns >= s.last_turns and now > level
        x[TABLE + 17] = last and turns >= s.last_turns and now < level


def table(s: State, seat: int, score: int, x: Senses) -> None:
    """How near the end is, and by which rules it goes; one's score."""
    turns = (seat - s.turn) % s.players
    least, second, gone, back = 99, 99, 0, 99
    for suit in range(N_SUITS):
        chips = s.bank[suit]
        back = min(back, chips + s.bag[suit])
        gone += chips == 0
        if chips < least:
            least, second = chips, least
        elif chips < second:
            second = chips
    at = TABLE + 18
    x[at] = least / 5
    x[at + 1] = second / 5
    for few in range(5):
        x[at + 2 + few] = least == few
        x[at + 7 + few] = second == few
    x[at + 12] = gone / 2
    x[at + 13] = back == 0  # even if the thief is detected
    x[at + 14] = back == 1
    x[at + 15] = s.face_down / 30
    x[at + 16] = s.face_down < 5
    x[at + 17] = s.discards / 30
    x[at + 18] = s.owner == seat + 1
    x[at + 19] = s.players / 4
    for n in range(3):
        x[at + 20 + n] = turns == n
    x[at + 23] = s.chips / 10
    x[at + 24] = s.excuse
    x[at + 25] = s.pawns
    x[at + 26] = s.courts
    x[at + 27] = s.decline
    for n in range(6):
        x[at + 28 + n] = score > n


def rival(s: State, seat: int, other: int, lairs: Ints, total: Ints, x: Senses) -> None:
    """One of the others; the one with the best lair stands first."""
    at, stand = RIVAL, code(lairs[other])
    for third in range(s.players):
        if third != seat and third != other:
            more = code(lairs[third]) - stand
            at += ABOUT * (more > 0 or (more == 0 and third < other))
    mine = total if seat == s.turn else lairs[seat]
    theirs = total if other == s.turn else lairs[other]
    ahead, now = code(theirs) > code(mine), code(lairs[seat])
    for slot in range(N_SUITS):
        x[at + slot] = lairs[other, slot] / 4
    x[at + 6] = 1
    x[at + 7] = other == s.turn
    x[at + 8] = stand > now
    x[at + 9] = s.owner == other + 1
    x[at + 10] = s.last_turns >= 0 and (other - s.turn) % s.players < s.last_turns
    x[at + 11] = ((other - seat) % s.players) / 4
    x[at + 12] = stand == now
    x[at + 13] = ahead
    x[at + 14] = s.last_turns >= 0 and ahead
    x[at + 15] = s.last_turns >= 0 and stand > now
    x[at + 16] = lairs[other, 0] == lairs[other, 1]
    x[at + 17] = lairs[other, 1] == lairs[other, 2]
    lead(lairs[seat, 1] - lairs[other, 1], at + 18, x)
    lead(mine[1] - theirs[1], at + 26, x)
    if other == s.turn:
        for suit in range(N_SUITS):
            x[at + 34] += s.bag[suit] / 4
    x[at + 35] = (price(mine) - price(theirs)) / 34
    x[at + 36] = (price(lairs[seat]) - price(lairs[other])) / 34
    x[at + 37] = lairs[other, 1] / 4


def lead(points: int, at: int, x: Senses) -> None:
    """A lead in points: a number, and one more for each from -3 to 3."""
    x[at] = points / 3
    x[at + 4 + min(max(points, -3), 3)] = 1
