"""What a night may bring and what is at stake, by lore's prices: a part of the senses."""

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.parts.decktet import EXCUSE, KIND, N_SUITS, SUIT_COUNT, SUITS, Kind

from .lore import WEIGHTS
from .rules import can_risk, needed, wanted
from .state import DIE_SIDES, Choice, Phase, State

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


def fails(house: int, plan: int) -> float:
    """How likely a job fails."""
    miss = (needed(house, plan) - 1) / DIE_SIDES
    return miss * miss if plan == Choice.QUICK else miss


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
        miss = fails(s.house, s.plan)
        if s.phase == Phase.ROLL and s.best >= needed(s.house, s.plan):
            miss = 0.0
        elif s.phase == Phase.ROLL and s.dice == 1 and s.plan == Choice.QUICK:
            miss = fails(s.house, Choice.THOROUGH)
        job(s.house, s.plan, miss, stake, points, gain, point, at, x)
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
