"""Kernels of training: TD(lambda) for a value net over games of self-play.

Games are played by the net itself, one decision deep and without looking at chance: the choice
after which it likes the position best.  Some seats are played by `greedy`, so that it learns to
win against others too.  Every position before and after a choice is kept, once, with what every
seat senses of what it knows.  After the game each seat's chances are moved towards what came of it
(lambda-return: Sutton & Barto, chapter 12; for games Tesauro 1992); after every few games Adam
takes a step (Kingma & Ba 2015).

One generator, one thread, sums in fixed order: the same seed gives the same bytes.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import fraction, roll
from yegg.engine.record import CHANCE, NOBODY, Ints, States
from yegg.engine.verbs import Dice, actor, hide, legal, mix, play, sense, sides
from yegg.players.greedy import ROOM
from yegg.players.greedy import choose as choose_by_lore
from yegg.players.thinking.iterations import Words, by_chance, copy, gain
from yegg.players.thinking.tree import Numbers
from yegg.players.value_net.net import CERTAIN, logit
from yegg.players.value_net.value_function import Floats, Net

EVENTS = 20_000  # of a game at most: then nothing is learned from it


class Desk(NamedTuple):
    """Memory for one game of training, so that learning allocates nothing.  See `desk`."""

    room: States
    """The game; what somebody knows of it; and from there on room to look ahead."""
    words: Words
    """The same memory in 64-bit words."""
    out: Ints
    x: NDArray[np.float32]
    """(positions + 1, seats, senses); the last is for scratch, as in ``h``."""
    h: Floats
    """(positions + 1, seats, units)"""
    p: Floats
    """(positions, seats): shares of the win, as the net sees them."""
    u: Numbers
    """By seat: the result."""
    dh: Floats
    """(units,)"""
    error: Numbers
    """Squared errors of ``p``, summed up; and of how many opinions."""
    explore: float
    """The share of choices made evenly."""
    decay: Floats
    """(1,): lambda."""
    guests: float
    """The share of seats that `greedy` plays."""
    mine: Ints
    """By seat: 1 if the net plays it."""


def desk(
    dtype: np.dtype[np.void],
    choices: int,
    x: tuple[int, int, int],
    units: int,
    *,
    explore: float,
    decay: float,
    guests: float,
) -> Desk:
    """Room for games of so many positions, seats and senses."""
    positions, seats, senses = x
    room = np.zeros(1 + ROOM + 1, dtype)
    return Desk(
        room=room,
        words=room.view(np.uint64).reshape(room.size, -1),
        out=np.zeros(choices, np.int32),
        x=np.zeros((positions + 1, seats, senses), np.float32),
        h=np.zeros((positions + 1, seats, units), np.float32),
        p=np.zeros((positions, seats), np.float32),
        u=np.zeros(seats),
        dh=np.zeros(units, np.float32),
        error=np.zeros(2),
        explore=explore,
        decay=np.array([decay], np.float32),
        guests=guests,
        mine=np.ones(seats, np.int32),
    )


def gradient(starts: States, net: Net, grad: Net, on: Desk, games: int, dice: Dice) -> None:
    """Play so many games, each from one of ``starts``, and add up the gradients."""
    for _ in range(games):
        begin(starts, roll(dice, starts.size), on)
        learn(net, grad, on, game(net, on, dice))


def begin(starts: States, which: int, on: Desk) -> None:
    """Lay out one of the starts."""
    on.room[0] = starts[which]


def game(net: Net, on: Desk, dice: Dice) -> int:
    """Play one game to its end; return how many positions were noted, negative if it has no end."""
    for q in range(on.mine.size):
        on.mine[q] = on.guests == 0 or fraction(dice) >= on.guests
    return played(net, on, on.mine, dice, on.explore, 1)


def played(net: Net, on: Desk, mine: Ints, dice: Dice, explore: float, learning: int) -> int:
    """Play the game on the desk, and when ``learning`` note positions; returns as `game` does."""
    s, t = on.room[0], 0
    for _ in range(EVENTS):
        a = actor(s)
        if a == NOBODY:
            gain(on.room[:1], on.u)
            return t
        if a == CHANCE:
            by_chance(s, on.out, dice)
            continue
        k = legal(s, on.out)
        if k == 1:
            play(s, on.out[0])
            continue
        if learning:
            t = note(net, on, t)
        play(s, on.out[by(net, on, a, mine[a], k, dice, explore)])
        if learning and actor(s) == CHANCE:  # else it is noted before the next choice
            t = note(net, on, t)
    return -1


def note(net: Net, on: Desk, t: int) -> int:
    """Keep what every seat senses, and what the net makes of it; while there is room."""
    if t == on.p.shape[0]:
        return t
    for q in range(sides(on.room[0])):
        copy(on.words[0], on.words[1])
        hide(on.room[1], q)
        z = opinion(net, on, 1, q, t, q)
        on.p[t, q] = 1 / (1 + math.exp(-z))
    return t + 1


def opinion(net: Net, on: Desk, which: int, seat: int, t: int, q: int) -> float:
    """A seat's log odds in one of the states on the desk; row ``t, q`` is written on."""
    x = on.x[t, q]
    for i in range(x.size):
        x[i] = 0
    sense(on.room[which], seat, x)
    return logit(x, np.empty(x.size, np.int32), on.h[t, q], net.w1, net.b1, net.w2, net.b2)


def by(net: Net, on: Desk, seat: int, mine: int, k: int, dice: Dice, explore: float) -> int:
    """The place of what the net chooses, or `greedy` where the seat is not the net's."""
    if mine:
        return choice(net, on, seat, k, dice, explore)
    copy(on.words[0], on.words[1])
    hide(on.room[1], seat)
    return choose_by_lore(on.room[1:], seat, on.out, k, dice)


def choice(net: Net, on: Desk, seat: int, k: int, dice: Dice, explore: float) -> int:
    """The place of the choice after which the seat's chances look best; of secret ones lore's."""
    copy(on.words[0], on.words[1])
    hide(on.room[1], seat)
    drawn = mix(on.room[1], seat, on.out, k, dice)
    if drawn >= 0:
        return drawn
    if explore > 0 and fraction(dice) < explore:
        return roll(dice, k)
    top, at = -np.inf, 0
    for j in range(k):
        copy(on.words[1], on.words[2])
        play(on.room[2], on.out[j])
        if actor(on.room[2]) == NOBODY:
            gain(on.room[2:3], on.u)
            z = CERTAIN * (2 * on.u[seat] - 1)
        else:
            z = opinion(net, on, 2, seat, on.p.shape[0], 0)
        if z > top:
            top, at = z, j
    return at


def learn(net: Net, grad: Net, on: Desk, positions: int) -> None:
    """Backward through a game: towards the next opinion, the more the later towards the result."""
    decay = on.decay[0]
    for q in range(sides(on.room[0])):
        target = np.float32(on.u[q])
        for t in range(positions - 1, -1, -1):
            p = on.p[t, q]
            on.error[0] += (p - on.u[q]) ** 2
            on.error[1] += 1
            backward(net, grad, on.x[t, q], on.h[t, q], on.dh, p - target)
            target = decay * target + (np.float32(1) - decay) * p


def backward(net: Net, grad: Net, x: Floats, h: Floats, dh: Floats, off: float) -> None:
    """Add the gradient of the logistic loss of one opinion; ``off``: opinion less target."""
    grad.b2[0] += off
    for j in range(h.size):
        dh[j] = off * net.w2[j] if h[j] > 0 else np.float32(0)
        grad.w2[j] += off * h[j]
        grad.b1[j] += dh[j]
    for i in range(x.size):
        if x[i] != 0:
            for j in range(h.size):
                grad.w1[i, j] += x[i] * dh[j]


def adam(w: Floats, g: Floats, m: Floats, v: Floats, rate: float, step: int) -> None:
    """One step down the gradient ``g``, which is forgotten; flat arrays, steps from 1."""
    for i in range(w.size):
        m[i] += 0.1 * (g[i] - m[i])
        v[i] += 0.001 * (g[i] * g[i] - v[i])
        w[i] -= rate * m[i] / (1 - 0.9**step) / (math.sqrt(v[i] / (1 - 0.999**step)) + 1e-8)
        g[i] = 0


def duel(starts: States, net: Net, on: Desk, mine: Ints, first: int, dice: Dice) -> float:
    """Play a game for each row of ``mine`` (games, seats): 1 is the net's seat, 0 lore's.

    Returns the net's share of all wins of the seats.  The dice of chance are the same in all.
    """
    won = total = 0.0
    begun = dice[0]
    for row in range(mine.shape[0]):
        dice[0] = begun
        begin(starts, first, on)
        if played(net, on, mine[row], dice, 0.0, 0) < 0:
            continue
        for q in range(mine.shape[1]):
            won += on.u[q] * mine[row, q]
            total += on.u[q]
    return won / total if total > 0 else 0.5
