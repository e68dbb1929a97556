"""Thinking: plays the game on in the mind, again and again, and remembers what came of it."""

import math

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import fraction, roll
from yegg.engine.record import CHANCE, NOBODY, Ints, States
from yegg.engine.verbs import (
    Dice,
    actor,
    hide,
    hint,
    legal,
    play,
    sides,
    spread,
    standing,
    worth,
)

from .nodes import Tree, find, grow, key_of
from .regret import Numbers, draw, learn, policy

EXPLORE = 0.2  # share of choices made evenly while learning
FLOOR = 0.01  # what a visit counts at least, however unlikely the way to it
DEEP = 256  # decisions of one line kept in the tree; positions may repeat
LONG = 20_000  # events of one line: then it is judged, not played on

Words = NDArray[np.uint64]


def think(
    root: Words,
    room: States,
    words: Words,
    tree: Tree,
    iterations: int,
    ahead: int,
    dice: Dice,
    choices: int,
) -> None:
    """Learn from so many games played on from ``root``.

    ``room``: two states to think in; ``words`` (2, …): the same memory, as is ``root``,
    in 64-bit words: copied so, not as records, which takes ten times as long.  ``ahead``: how many
    decisions to play on beyond the tree before the position is judged.
    """
    out, pi, q = np.zeros(choices, np.int32), np.zeros(choices), np.zeros(choices)
    u = np.zeros(tree.worth.shape[1])
    step = np.zeros((DEEP, 3), np.int64)  # node, taken, seat
    odds = np.zeros((DEEP, 3))  # probability sampled; likelihood of the way: others', own
    for _ in range(iterations):
        copy(root, words[0])
        depth = descend(room, words, tree, dice, out, pi, step, odds)
        outcome(room, ahead, dice, out, u)
        for d in range(depth - 1, -1, -1):
            node, j, seat = step[d, 0], step[d, 1], step[d, 2]
            learn(tree, node, j, odds[d, 0], seat, odds[d, 1], odds[d, 2], u, pi, q)


def copy(this: Words, there: Words) -> None:
    """A state into another's memory."""
    for i in range(this.size):
        there[i] = this[i]


def descend(
    room: States,
    words: Words,
    tree: Tree,
    dice: Dice,
    out: Ints,
    pi: Numbers,
    step: NDArray[np.int64],
    odds: Numbers,
) -> int:
    """Play along the tree and one node beyond; return how many nodes were passed."""
    s = room[0]
    way = np.ones(tree.worth.shape[1])
    depth, events = 0, 0
    while depth < DEEP and events < LONG:
        a = actor(s)
        if a == NOBODY:
            break
        events += 1
        k = legal(s, out)
        if a == CHANCE or k == 1:
            play(s, out[roll(dice, k) if k > 1 else 0])
            continue
        copy(words[0], words[1])
        hide(room[1], a)
        key = key_of(words[1], a)
        node = find(tree, key)
        new = node < 0
        if new:
            node = grow(tree, -1 - node, key, k)
        if node < 0 or tree.nodes[node].width != k:  # full, or two positions of one hash
            break
        policy(tree, node, k, pi)
        j = roll(dice, k) if fraction(dice) < EXPLORE else draw(pi, k, dice)
        p = (1 - EXPLORE) * pi[j] + EXPLORE / k
        others = 1.0
        for q in range(way.size):
            if q != a:
                others *= way[q]
        step[depth, 0], step[depth, 1], step[depth, 2] = node, j, a
        odds[depth, 0], odds[depth, 1], odds[depth, 2] = p, max(others, FLOOR), way[a]
        way[a] *= pi[j] / p
        depth += 1
        play(s, out[j])
        if new:
            break
    return depth


def outcome(room: States, ahead: int, dice: Dice, out: Ints, u: Numbers) -> None:
    """Everybody's share of the win: played to the end, or judged where the playing stops."""
    s = room[0]
    events, decisions = 0, 0
    while True:
        a = actor(s)
        if a == NOBODY:
            gain(room, u)
            return
        if decisions >= ahead or events >= LONG:
            judge(room, u)
            return
        events += 1
        k = legal(s, out)
        j = 0
        if k > 1 and a == CHANCE:
            j = roll(dice, k)
        elif k > 1:
            decisions += 1
            j = hint(s, out, k, dice)
            if j < 0:
                j = roll(dice, k)
        play(s, out[j])


def gain(room: States, u: Numbers) -> None:
    """The win of a finished game; those who tie share it."""
    s = room[0]
    n = sides(s)
    best = standing(s, 0)
    for q in range(1, n):
        best = max(best, standing(s, q))
    ties = 0
    for q in range(n):
        ties += standing(s, q) == best
    for q in range(n):
        u[q] = 1.0 / ties if standing(s, q) == best else 0.0


def judge(room: States, u: Numbers) -> None:
    """Likely shares of the win of an unfinished game, by what each side's position is worth."""
    s = room[0]
    n = sides(s)
    scale = spread(s)
    top = -np.inf
    for q in range(n):
        u[q] = worth(s, q) / scale
        top = max(top, u[q])
    total = 0.0
    for q in range(n):
        u[q] = math.exp(u[q] - top)
        total += u[q]
    for q in range(n):
        u[q] /= total
