"""Thinking: plays the game on in the mind, again and again, and remembers what came of it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import fraction, roll
from yegg.engine.record import CHANCE, NOBODY, Ints, Record, States
from yegg.engine.verbs import (
    Dice,
    actor,
    chances,
    hide,
    legal,
    play,
    sides,
    standing,
    way,
    ways,
)

from .nodes import Tree, find, grow, key_of
from .regret import Numbers, draw, learn, policy

ALLOCATES_NOTHING = True
EXPLORE = 0.2  # share of choices made evenly while learning
FLOOR = 0.01  # what a visit counts at least, however unlikely the way to it
DECISIONS = 256  # decisions of one line kept in the tree; positions may repeat
LONG = 20_000  # events of one line: then it is judged, not played on

Words = NDArray[np.uint64]


class Workspace(NamedTuple):
    """Room to think in, so that thinking allocates nothing; see `workspace`."""

    room: States
    """Two states: the one played on, and what somebody knows of it."""
    words: Words
    """(2, …): the same memory in 64-bit words; states are copied so, as records it takes long."""
    out: Ints
    pi: Numbers
    """By choice: the policy, and q: what each is worth."""
    q: Numbers
    u: Numbers
    """By side: shares of the win."""
    likely: Numbers
    """By side: how much likelier its part of the way here is by policy than as sampled."""
    step: NDArray[np.int64]
    """By depth: node, place of the choice taken, seat."""
    odds: Numbers
    """By depth: how likely the choice was as sampled; `likely` of the others, and its own."""


def workspace(room: States, choices: int, sides: int) -> Workspace:
    """Everything that thinking needs beside the tree."""
    return Workspace(
        room=room,
        words=room.view(np.uint64).reshape(2, -1),
        out=np.zeros(choices, np.int32),
        pi=np.zeros(choices),
        q=np.zeros(choices),
        u=np.zeros(sides),
        likely=np.zeros(sides),
        step=np.zeros((DECISIONS, 3), np.int64),
        odds=np.zeros((DECISIONS, 3)),
    )


def think(root: Words, on: Workspace, tree: Tree, iterations: int, ahead: int, dice: Dice) -> None:
    """Learn from so many games played on from ``root``.

    ``ahead``: how many decisions to play on beyond the tree before the position is judged.
    """
    for _ in range(iterations):
        copy(root, on.words[0])
        depth = descend(on, tree, dice)
        outcome(on, ahead, dice)
        for d in range(depth - 1, -1, -1):
            learn(tree, on.step[d], on.odds[d], on.u, on.pi, on.q)


def copy(this: Words, there: Words) -> None:
    """A state into another's memory."""
    for i in range(this.size):
        there[i] = this[i]


def descend(on: Workspace, tree: Tree, dice: Dice) -> int:
    """Play along the tree and one node beyond; return how many nodes were passed."""
    s, out, pi, likely = on.room[0], on.out, on.pi, on.likely
    for q in range(likely.size):
        likely[q] = 1.0
    depth, events = 0, 0
    while depth < DECISIONS and events < LONG:
        a = actor(s)
        if a == NOBODY:
            break
        events += 1
        if a == CHANCE:
            by_chance(s, out, dice)
            continue
        k = legal(s, out)
        if k == 1:
            play(s, out[0])
            continue
        copy(on.words[0], on.words[1])
        hide(on.room[1], a)
        key = key_of(on.words[1], a)
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
        for q in range(likely.size):
            if q != a:
                others *= likely[q]
        on.step[depth, 0], on.step[depth, 1], on.step[depth, 2] = node, j, a
        on.odds[depth, 0], on.odds[depth, 1], on.odds[depth, 2] = p, max(others, FLOOR), likely[a]
        likely[a] *= pi[j] / p
        depth += 1
        play(s, out[j])
        if new:
            break
    return depth


def by_chance(s: Record, out: Ints, dice: Dice) -> None:
    """One event of chance."""
    play(s, way(s, out, roll(dice, ways(s, out))))


def outcome(on: Workspace, ahead: int, dice: Dice) -> None:
    """Everybody's share of the win: played to the end, or judged where the playing stops."""
    s, out = on.room[0], on.out
    events, decisions = 0, 0
    while True:
        a = actor(s)
        if a == NOBODY:
            gain(on.room, on.u)
            return
        if decisions >= ahead or events >= LONG:
            chances(on.room[0], on.u)
            return
        events += 1
        k = ways(s, out)
        decisions += a != CHANCE and k > 1
        play(s, way(s, out, roll(dice, k)))


def gain(room: States, u: Numbers) -> None:
    """The win of a finished game; those who tie share it."""
    s = room[0]
    n = sides(s)
    best = -np.inf
    for q in range(n):
        u[q] = standing(s, q)
        best = max(best, u[q])
    ties = 0
    for q in range(n):
        ties += u[q] == best
    for q in range(n):
        u[q] = 1.0 / ties if u[q] == best else 0.0


def foresee(root: Words, on: Workspace, times: int, dice: Dice, total: Numbers) -> None:
    """Add up shares of the win as judged at the next decision, so many times over chance."""
    for _ in range(times):
        copy(root, on.words[0])
        settled(on, dice)
        for q in range(total.size):
            total[q] += on.u[q]


def settled(on: Workspace, dice: Dice) -> None:
    """Let chance act until a player must, and judge what there is."""
    s = on.room[0]
    while actor(s) == CHANCE:
        by_chance(s, on.out, dice)
    if actor(s) == NOBODY:
        gain(on.room, on.u)
    else:
        chances(on.room[0], on.u)
