"""Heuristics for Secrets: what points are worth, and orders drawn at random, hard to guess.

Whoever always goes for the nines meets everybody there, and the policeman.  So
thieves and policemen are weighed against each other until neither gains by
changing much (a logit equilibrium, McKelvey & Palfrey 1995, of one turn), and
orders are drawn from that mixture.  Of the past
only two things count: what is stolen, and where a policeman must not stand.  So the last
orders tell nobody anything.
"""

import math

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Ints
from yegg.engine.dice import fraction, roll
from yegg.engine.verbs import Dice

from .rules import score
from .state import SEATS, SECRETS, SPIES, UNSEEN, Choice, State

Weights = NDArray[np.float64]

ROUNDS = 12  # how often thieves and policemen are weighed against each other
THIEF_SCALE = 0.8  # a secret that brings so many points more draws a thief e times as often
GUARD_SCALE = 1.0  # the same for a policeman
SPY_A_TURN = 2.5  # points that a free spy brings in a turn
VARIES = 4.75  # how much what a free spy brings in a turn differs from that


def evaluate(s: State, seat: int) -> float:
    """Points so far and those that free spies will bring, against the best of the others."""
    best = -1e9
    for other in range(s.players):
        if other != seat:
            best = max(best, prospect(s, other))
    return prospect(s, seat) - best


def evaluate_all(s: State, every: Weights) -> None:
    """The same for every seat; the table is gone over once for all of them."""
    ends = np.zeros(SEATS)
    for owner in range(s.players):
        ends[owner] += to_come(s, owner)
        for secret in range(s.secrets):
            thief = s.thief[owner, secret]
            if thief:
                ends[thief - 1] += max(0, s.value[owner, secret])
        for spy in range(s.spies):
            captor = s.captor[owner, spy]
            if captor:
                ends[captor - 1] += s.reward
    for seat in range(s.players):
        best = -1e9
        for other in range(s.players):
            if other != seat:
                best = max(best, ends[other])
        every[seat] = ends[seat] - best


def prospect(s: State, seat: int) -> float:
    """What a seat may end with: points that are known, and what its spies still bring."""
    return score(s, seat) + to_come(s, seat)


def to_come(s: State, seat: int) -> float:
    """Points that a seat's free spies may still bring."""
    return SPY_A_TURN * free_spies(s, seat) * max(0, s.turns + 1 - s.turn)


def free_spies(s: State, seat: int) -> int:
    """Spies not captured."""
    free = 0
    for spy in range(s.spies):
        free += s.captor[seat, spy] == 0
    return free


def sample_choice(s: State, seat: int, out: Ints, k: int, dice: Dice) -> int:
    """An order drawn at random, as `weigh` weighs them; ``s`` is what the seat knows."""
    if s.turn == 0:
        return sprinkle(s, seat, k, dice)
    pull, guard = weigh(s, seat)
    weights = np.zeros(k)
    for j in range(k):
        if out[j] < Choice.IDLE:
            owner, secret = out[j] // SECRETS, out[j] % SECRETS
            weights[j] = pull[owner, secret]
            for spy in range(SPIES):
                if s.order[seat, spy] == 1 + out[j]:
                    weights[j] = 1e-9  # SE-11: not where an own spy goes already
        elif Choice.GUARD <= out[j] < Choice.GUARD_NOTHING:
            weights[j] = guard[seat, out[j] - Choice.GUARD] + 1e-9
    return draw(weights, dice)


def draw(weights: Weights, dice: Dice) -> int:
    """An index at random, each as often as its weight says."""
    at = fraction(dice) * weights.sum()
    for j in range(weights.size):
        at -= weights[j]
        if at < 0:
            return j
    return weights.size - 1


def sprinkle(s: State, seat: int, k: int, dice: Dice) -> int:
    """SE-30: each of the points left falls on one of the secrets left; the last gets the rest."""
    points = 0
    for _ in range(k - 1):
        points += roll(dice, s.secrets - s.given[seat]) == 0
    return points


def weigh(s: State, seat: int) -> tuple[Weights, Weights]:
    """How much each secret pulls thieves, and how often its policeman is there."""
    pull, guard = np.zeros((SEATS, SECRETS)), np.zeros((SEATS, SECRETS))
    value, spies, visits = np.zeros((SEATS, SECRETS)), np.zeros(SEATS), np.zeros(SEATS)
    for owner in range(s.players):
        spies[owner] = free_spies(s, owner)
        appraise(s, seat, owner, value)
        for secret in range(s.secrets):
            if s.thief[owner, secret] == 0:
                pull[owner, secret] = 1.0
    risk = s.reward / (s.players - 1) + SPY_A_TURN * (s.turns - s.turn)
    for i in range(ROUNDS):
        step = 2.0 / (2 + i)
        for owner in range(s.players):
            visits[owner] = expected_visits(s, owner, pull, spies)
            station(s, owner, visits[owner] * pull[owner], guard, step)
        for owner in range(s.players):
            coming = spies.sum() - spies[owner]
            others = visits[owner] * max(0.0, coming - 1) / max(1, coming)
            for secret in range(s.secrets):
                if s.thief[owner, secret] == 0:
                    safe = 1 - guard[owner, secret]
                    alone = math.exp(-others * pull[owner, secret])
                    gain = value[owner, secret] * safe * alone - risk * (1 - safe)
                    pull[owner, secret] += step * (
                        math.exp(gain / THIEF_SCALE) - pull[owner, secret]
                    )
    return pull, guard


def appraise(s: State, seat: int, owner: int, value: Weights) -> None:
    """What thieves expect of the owner's secrets: what they were told, and the mean of the rest."""
    unknown, rest = 0, 0.0
    for secret in range(s.secrets):
        points = s.value[owner, secret]
        known = points >= 0
        if owner == seat and s.hidden:
            known = s.told[owner, secret] & ~(1 << seat) != 0
        value[owner, secret] = points if known else -1.0
        unknown += not known
        rest += 0 if known or points < 0 else points
    if s.owed[owner]:
        rest = s.owed[owner] - 1
    for secret in range(s.secrets):
        if value[owner, secret] < 0:
            value[owner, secret] = rest / unknown


def expected_visits(s: State, owner: int, pull: Weights, spies: Weights) -> float:
    """Spies that come for each unit of pull of an owner's secrets."""
    everywhere = pull.sum()
    visits = 0.0
    for thief in range(s.players):
        if thief != owner:
            elsewhere = everywhere - pull[thief].sum()
            if elsewhere > 0:
                visits += spies[thief] / elsewhere
    return visits


def station(s: State, owner: int, visits: Weights, guard: Weights, step: float) -> None:
    """SE-6, SE-10: a policeman goes where spies are expected, but not where he must not."""
    likely = np.zeros(SECRETS)
    posts = 0
    for secret in range(s.secrets):
        posts += s.rumour[owner] >> secret & 1
    for secret in range(s.secrets):
        if s.thief[owner, secret] == 0:
            may = 1.0 if s.stood[owner] != 1 + secret else 0.0
            if s.stood[owner] == UNSEEN and s.rumour[owner] >> secret & 1:
                may = 1 - 1 / posts
            likely[secret] = may * math.exp(s.reward * visits[secret] / GUARD_SCALE)
    total = likely.sum()
    for secret in range(s.secrets):
        share = likely[secret] / total if total > 0 else 0.0
        guard[owner, secret] += step * (share - guard[owner, secret])


def value_scale(s: State) -> float:
    """A seat that is better by this much wins e times as often; early leads count less.

    Points still to come vary like a sum of as many parts as there are turns of free spies.
    Fitted to games between medium and between hard players (`yegg calibrate secrets`).
    """
    spy_turns = 0
    for seat in range(s.players):
        spy_turns += free_spies(s, seat) * max(0, s.turns + 1 - s.turn)
    return VARIES * math.sqrt(max(1, spy_turns))
