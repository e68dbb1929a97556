"""Searches a tree, with 10000 iterations a decision or as you say: search:2000, search:0.5s.

``search:2000`` runs 2000 iterations for a decision and makes the same choices for the same seed;
``search:0.5s`` thinks for half a second.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Refused, States
from yegg.engine.dice import seeds
from yegg.engine.engine import Engine

from .thinking.iterations import think, workspace
from .thinking.knowledge import engine, known_to_all, secret, sides_of
from .thinking.plan import Evaluation, Plan, apart, in_slices
from .thinking.tree import Tree, clear, plant, recall

USUAL = "10000"
LATER = 0.25  # of the budget goes into each further secret choice of a round
NODES, EDGES = 200_000, 2_000_000
"""How large a tree may grow: with three sides 14 MB for the nodes and 48 MB for the edges."""


class Mind:
    """A searching player at one seat of one match, which remembers its tree between decisions."""

    def __init__(self, game: Game, plan: Plan, seed: int, by: Engine | None = None) -> None:
        """The same seed, plan in iterations and views give the same choices.

        Lines are judged by lore, unless ``by`` other kernels.
        """
        self.game, self.plan, self.seed = game, plan, seed
        self.engine = by or engine(game)
        self.decisions = 0
        self.seat = -1
        self.public = b""
        self.root = np.zeros(0, game.state.dtype)
        self.tree: Tree | None = None

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        found = self.consider(view, seat, len(choices))
        best = int(np.argmax(found.shares))
        if secret(self.game, view, seat, choices[best]):
            number = int(seeds(self.seed, self.decisions, 1, 2)[0, 1, 0])
            best = _sampled(found.shares, number)
        return choices[best]

    def consider(self, view: States, seat: int, k: int) -> Evaluation:
        """Think about a decision between k choices."""
        fresh = self.settle_root(view, seat)
        self.decisions += 1
        done = self.spend(1.0 if fresh else LATER)
        found = self.read(view, seat, k, done)
        if not fresh and not found.shares.any():
            self.start(view)  # no iteration from the old root reached this decision
            found = self.read(view, seat, k, done + self.spend(1.0))
        return found

    def settle_root(self, view: States, seat: int) -> bool:
        """Set the root: the seat's first decision since public knowledge last changed.

        From a later one the other players would learn in the tree what this seat's secret orders
        are.  Returns whether the root is a new one.
        """
        known = known_to_all(self.game, view)
        same = seat == self.seat and known == self.public
        if self.tree is not None and same and known != view.tobytes():
            return False
        open_game = known == view.tobytes() and seat == self.seat
        self.seat, self.public = seat, known
        self.start(view, keep=open_game)
        return True

    def start(self, view: States, *, keep: bool = False) -> None:
        """Think from ``view`` on; ``keep`` the tree, unless it is more than half full."""
        self.root = view.copy()
        if self.tree is None:
            nodes = min(NODES, 8 * self.plan.iterations or NODES)
            edges = min(EDGES, nodes * self.game.choices)
            self.tree = plant(nodes, edges, sides_of(self.game, self.root))
            return
        used, tree = self.tree.used, self.tree
        if not keep or 2 * used[0] > tree.nodes.size or 2 * used[1] > tree.edges.size:
            clear(tree)

    def spend(self, share: float) -> int:
        """Think for a share of the plan's budget; return how many iterations were run."""
        plan, tree = self.plan, self.grown
        dice = seeds(self.seed, self.decisions, 1, 3)[0, 2]
        run = self.engine.kernel(think)
        room = np.zeros(2, self.game.state.dtype)
        root = self.root.view(np.uint64)
        on = workspace(room, self.game.choices, tree.worth.shape[1])
        wanted = int(plan.iterations * share) or (1 << 62)
        limit = plan.seconds * share or float("inf")
        return in_slices(
            lambda done, upto: run(root, on, tree, upto - done, 0, dice), wanted, limit
        )

    @property
    def grown(self) -> Tree:
        """The tree; there is one after `start`."""
        if self.tree is None:
            raise RuntimeError("nothing was thought about yet: call settle_root first")
        return self.tree

    def read(self, view: States, seat: int, k: int, iterations: int) -> Evaluation:
        """The evaluation of a decision between k choices, from the tree."""
        tree = self.grown
        shares, values, tries = np.zeros(k), np.zeros(k), np.zeros(k, np.int64)
        worth = np.zeros(tree.worth.shape[1])
        node = int(self.engine.kernel(recall)(tree, view.view(np.uint64), seat))
        if node >= 0 and tree.nodes["width"][node] == k:
            edges = tree.edges[tree.nodes["first"][node] :][:k]
            shares += edges["share"]
            values += edges["value"]
            tries += edges["tries"]
            worth += tree.worth[node]
        values[tries == 0] = worth[seat]
        sample = tries.astype(float)
        doubts = apart(values, sample, int(np.argmax(shares)))
        return Evaluation(shares, values, tries, sample, doubts, worth, iterations)


def _sampled(shares: NDArray[np.float64], number: int) -> int:
    """The index of a choice drawn from a mixture by an even 64-bit number; any, if it is empty."""
    x = number / 2.0**64
    if not shares.any():
        return int(x * len(shares))
    place = np.searchsorted(np.cumsum(shares), x * shares.sum(), side="right")
    return min(int(place), len(shares) - 1)


def sit(game: Game, budget: str, seed: int) -> Mind:
    """A searching player, for one seat of one match."""
    return Mind(game, check(budget), seed)


def check(budget: str) -> Plan:
    """The plan that a budget means.  Raises Refused."""
    said = re.fullmatch(r"(?P<n>[1-9]\d{0,8})|(?P<s>\d{1,4}(\.\d{1,3})?)s", budget or USUAL)
    if not said or (said["s"] and float(said["s"]) == 0):
        raise Refused(
            f"search takes a number of iterations or seconds, as search:2000 or search:0.5s, "
            f"not {budget!r}"
        )
    if said["s"]:
        return Plan(seconds=float(said["s"]))
    return Plan(iterations=int(said["n"]))
