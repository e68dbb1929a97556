"""One iteration of the search: play a line through the tree, judge its end, learn from it.

This is Monte Carlo search over information sets with outcome sampling: chance is sampled, and
so is one choice of each player.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.curve import gain
from yegg.engine.dice import fraction, roll
from yegg.engine.record import CHANCE, NOBODY, Ints, Record, States
from yegg.engine.verbs import Dice, actor, chances, hide, legal, n_legal, nth_legal, play

from .tree import Numbers, Tree, draw, find, grow, key_of, learn, policy

ALLOCATES_NOTHING = True
EXPLORE = 0.2  # how often a choice is drawn evenly instead of by the policy
FLOOR = 0.01  # the least weight of a visit, however unlikely the others' choices before it
DECISIONS = 256  # the most decisions of one line that the tree learns from
LINE_EVENTS = 20_000  # a line that is longer is judged where it is then

Words = NDArray[np.uint64]


class Workspace(NamedTuple):
    """The memory that iterations work in, so that they allocate none; see `workspace`."""

    room: States
    """Two states: the position of the line, and what its actor knows of it."""
    words: Words
    """(2, words): the same memory as 64-bit words, for it is copied faster so than as records."""
    out: Ints
    """The legal choices of the actor."""
    pi: Numbers
    """By choice: the policy."""
    q: Numbers
    """By choice: the chooser's estimated share of the win."""
    u: Numbers
    """By side: shares of the win."""
    likely: Numbers
    """By side: the probability of its choices so far, by policy over as drawn."""
    step: NDArray[np.int64]
    """By depth: the node, the index of the choice taken, the seat."""
    odds: Numbers
    """By depth: how likely the choice was to be drawn; ``likely`` of all other sides; its own."""


def workspace(room: States, choices: int, sides: int) -> Workspace:
    """Memory for iterations; ``room`` has two states."""
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


def think(
    root: Words, on: Workspace, tree: Tree, iterations: int, playout: int, dice: Dice
) -> None:
    """Run so many iterations from ``root``.

    ``playout``: how many decisions to play at random beyond the tree before lore judges; players
    have 0, which is strongest.
    """
    for _ in range(iterations):
        copy(root, on.words[0])
        depth = descend(on, tree, dice)
        outcome(on, playout, dice)
        for d in range(depth - 1, -1, -1):
            learn(tree, on.step[d], on.odds[d], on.u, on.pi, on.q)


def copy(this: Words, there: Words) -> None:
    """Copy a state into another's memory."""
    for i in range(this.size):
        there[i] = this[i]


def descend(on: Workspace, tree: Tree, dice: Dice) -> int:
    """Play a line along the tree and add one node to it; return how many nodes it passed."""
    s, out, pi, likely = on.room[0], on.out, on.pi, on.likely
    for q in range(likely.size):
        likely[q] = 1.0
    depth, events = 0, 0
    while depth < DECISIONS and events < LINE_EVENTS:
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
        if node < 0 or tree.nodes[node].width != k:  # the tree is full, or two hashes are equal
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
    """Let chance make one choice."""
    play(s, nth_legal(s, out, roll(dice, n_legal(s, out))))


def outcome(on: Workspace, playout: int, dice: Dice) -> None:
    """Everybody's share of the win, into ``on.u``: as the game ended, or as lore judges it."""
    s, out = on.room[0], on.out
    events, decisions = 0, 0
    while True:
        a = actor(s)
        if a == NOBODY:
            gain(on.room[0], on.u)
            return
        if decisions >= playout or events >= LINE_EVENTS:
            chances(on.room[0], on.u)
            return
        events += 1
        k = n_legal(s, out)
        decisions += a != CHANCE and k > 1
        play(s, nth_legal(s, out, roll(dice, k)))
