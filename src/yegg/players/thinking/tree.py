"""A search tree: its nodes, the bounded hash table that finds them, and how a node learns.

A node is an information set: its key is a 64-bit hash of ``hide(s, actor)`` and the actor.  So
nobody in the tree can act on what they do not know, and a position that is reached in two ways
is one node.

Nodes learn by regret matching, one rule for open and for secret choices: regret matching+ (Tammelin
2014) with outcome sampling, with the running values as baseline (VR-MCCFR: Schmid et al. 2019),
applied at each node by itself.  Where orders are secret a node learns a mixture that nobody can
exploit; elsewhere it settles on the best choice.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import GOLD, MIX1, MIX2, fraction
from yegg.engine.verbs import Dice

ALLOCATES_NOTHING = True

# uint64 and int64 together make a float64 in Numba: constants are typed, results cast
S29, S32, ONE = np.uint64(29), np.uint64(32), np.uint64(1)


NODE = np.dtype([("first", "i4"), ("width", "i4"), ("visits", "i4")], align=True)
"""A node: its first edge, how many choices it has, how often it was visited."""

EDGE = np.dtype([("regret", "f8"), ("share", "f8"), ("value", "f4"), ("tries", "i4")], align=True)
"""An edge is a choice: its regret; its weight in the average policy; the chooser's mean share of
the win after it; how often it was tried."""


class Tree(NamedTuple):
    """A search tree as arrays.  `plant` allocates all of it at once, and it never grows.

    A node costs 36 to 60 bytes and 4 for each side, an edge 24.  The edges of a node lie
    side by side, in the order of its legal choices.
    """

    keys: NDArray[np.uint64]
    """Hash table with linear probing, at most half full; 0 is an empty slot."""
    at: NDArray[np.int32]
    """The node in a slot."""
    used: NDArray[np.int64]
    """Nodes and edges in use."""
    nodes: NDArray[np.void]
    worth: NDArray[np.float32]
    """By node and side: the mean share of the win."""
    edges: NDArray[np.void]


def plant(nodes: int, edges: int, sides: int) -> Tree:
    """An empty tree for so many nodes and choices."""
    slots = 1 << (2 * nodes - 1).bit_length()
    return Tree(
        keys=np.zeros(slots, np.uint64),
        at=np.zeros(slots, np.int32),
        used=np.zeros(2, np.int64),
        nodes=np.zeros(nodes, NODE),
        worth=np.zeros((nodes, sides), np.float32),
        edges=np.zeros(edges, EDGE),
    )


def clear(tree: Tree) -> None:
    """Forget everything."""
    nodes, edges = int(tree.used[0]), int(tree.used[1])
    tree.keys[:] = 0
    tree.used[:] = 0
    tree.nodes[:nodes] = 0
    tree.worth[:nodes] = 0
    tree.edges[:edges] = 0


def key_of(words: NDArray[np.uint64], seat: int) -> Any:
    """A 64-bit hash of what a seat knows, and of the seat: two seats may know the same."""
    h = np.uint64(seat + 1) * GOLD
    for i in range(words.size):
        h = (h ^ words[i]) * MIX1
        h ^= h >> S29
    h = (h ^ (h >> S32)) * MIX2
    h ^= h >> S29
    return h if h != np.uint64(0) else ONE


def find(tree: Tree, key: Any) -> int:
    """The node of a key; if there is none, -1 minus the slot that it would take."""
    mask = np.uint64(tree.keys.size - 1)
    slot = key & mask
    while tree.keys[slot] != np.uint64(0):
        if tree.keys[slot] == key:
            return np.int64(tree.at[slot])  # type: ignore[return-value]
        slot = (slot + ONE) & mask
    return -1 - np.int64(slot)  # type: ignore[return-value]


def recall(tree: Tree, words: NDArray[np.uint64], seat: int) -> int:
    """The node of a seat that knows these words; a negative number if there is none."""
    return find(tree, key_of(words, seat))


def grow(tree: Tree, slot: int, key: Any, k: int) -> int:
    """Add a node of k choices; -1 if the tree is full (its nodes go on learning)."""
    node, edge = tree.used[0], tree.used[1]
    if node == tree.nodes.size or edge + k > tree.edges.size:
        return np.int64(-1)  # type: ignore[return-value]
    tree.keys[slot] = key
    tree.at[slot] = node
    tree.nodes[node].first = edge
    tree.nodes[node].width = k
    tree.used[0], tree.used[1] = node + 1, edge + k
    return node


Numbers = NDArray[np.float64]


def policy(tree: Tree, node: int, k: int, pi: Numbers) -> None:
    """The policy of a node, in proportion to its regrets (Hart & Mas-Colell 2000), or even."""
    edges, first = tree.edges, tree.nodes[node].first
    total = 0.0
    for i in range(k):
        pi[i] = edges[first + i].regret
        total += pi[i]
    for i in range(k):
        pi[i] = pi[i] / total if total > 0 else 1.0 / k


def draw(pi: Numbers, k: int, dice: Dice) -> int:
    """Draw one of k indices by the probabilities ``pi``."""
    x = fraction(dice)
    for j in range(k - 1):
        x -= pi[j]
        if x < 0:
            return j
    return k - 1


def learn(
    tree: Tree, step: NDArray[np.int64], odds: Numbers, u: Numbers, pi: Numbers, q: Numbers
) -> None:
    """Update a node after one visit.

    ``step`` and ``odds`` are a row of `Workspace.step` and `Workspace.odds`.  ``u`` comes in as
    the value below the node and goes out as the value of the node.
    """
    node, j, seat = step[0], step[1], step[2]
    p, others, own = odds[0], odds[1], odds[2]
    nodes, edges, worth = tree.nodes, tree.edges, tree.worth
    first, k = nodes[node].first, nodes[node].width
    policy(tree, node, k, pi)
    nodes[node].visits += 1
    n = nodes[node].visits
    mean = 0.0
    for i in range(k):  # a choice that was never tried has the value of the node
        edge = edges[first + i]
        q[i] = edge.value if edge.tries > 0 else worth[node, seat]
        mean += pi[i] * q[i]
    miss = u[seat] - q[j]
    # bounded: little noise early, no bias late
    lift = min(1.0 / p, 3.0 + 0.1 * math.sqrt(n)) * miss
    base = mean + pi[j] * lift
    for i in range(k):
        edge = edges[first + i]
        more = q[i] - base + (lift if i == j else 0.0)
        edge.regret = max(edge.regret + others * more, 0.0)
        edge.share += own * n * pi[i]
    taken = edges[first + j]
    taken.tries += 1
    taken.value = q[j] + min(others, 1.0) / taken.tries * miss
    weight = pi[j] / p  # the value is the policy's: exploring does not count above
    for side in range(worth.shape[1]):
        plain, told = worth[node, side], u[side]
        u[side] = mean + weight * miss if side == seat else plain + weight * (told - plain)
        worth[node, side] += (told - plain) / n
