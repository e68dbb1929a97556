"""The tree's nodes, and the bounded hash table that finds them.

A node is an information set: its key is a 64-bit hash of ``hide(s, actor)`` and the actor.  So
nobody in the tree can act on what they do not know, and a position that is reached in two ways
is one node.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.engine.dice import GOLD, MIX1, MIX2

ALLOCATES_NOTHING = True

# uint64 and int64 together make a float64 in Numba: constants are typed, results cast
S29, S32, ONE = np.uint64(29), np.uint64(32), np.uint64(1)


NODE = np.dtype([("first", "i4"), ("width", "i4"), ("visits", "i4")], align=True)
"""A node: its first edge, how many choices it has, how often it was visited."""

EDGE = np.dtype([("regret", "f8"), ("share", "f8"), ("value", "f4"), ("tries", "i4")], align=True)
"""An edge is a choice: its regret; its weight in the average policy; the chooser's mean share of
the win after it; how often it was tried."""


class Tree(NamedTuple):
    """What has been learnt.  `plant` allocates all of it at once, and it never grows.

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
