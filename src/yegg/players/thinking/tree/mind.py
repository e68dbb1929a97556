"""A thinking player's memory of one match: where its thoughts start, and what they say."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, States
from yegg.engine.dice import seeds
from yegg.players.thinking.knowledge import engine, known_to_all, secret, sides_of
from yegg.players.thinking.plan import Evaluation, Plan, in_slices

from .iterations import think, workspace
from .nodes import Tree, clear, plant, recall

SLICE = 0.02  # seconds between two looks at the clock
LATER = 0.25  # of the budget goes into each further secret choice of a round


class Mind:
    """Thinks about one match from one seat, and remembers between decisions."""

    def __init__(self, game: Game, plan: Plan, seed: int) -> None:
        """The same seed, plan in iterations and views give the same thoughts."""
        self.game, self.plan, self.seed = game, plan, seed
        self.engine = engine(game)
        self.decisions = 0
        self.seat = -1
        self.public = b""
        self.root = self.room = np.zeros(0, game.state.dtype)
        self.trees: list[Tree] = []

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``."""
        if len(choices) == 1:
            return choices[0]
        thoughts = self.consider(view, seat, len(choices))
        best = int(np.argmax(thoughts.shares))
        if secret(self.game, view, seat, choices[best]):
            number = int(seeds(self.seed, self.decisions, 1, 2)[0, 1, 0])
            best = _sampled(thoughts.shares, number)
        return choices[best]

    def consider(self, view: States, seat: int, k: int) -> Evaluation:
        """Think about a decision between k choices."""
        fresh = self.settle_root(view, seat)
        self.decisions += 1
        done = self.spend(1.0 if fresh else LATER)
        thoughts = self.read(view, seat, k, done)
        if not fresh and not thoughts.shares.any():
            self.start(view)  # this decision cannot be reached from there
            thoughts = self.read(view, seat, k, done + self.spend(1.0))
        return thoughts

    def settle_root(self, view: States, seat: int) -> bool:
        """Where thinking starts: my first decision since public knowledge changed.

        From a later one, others would learn in the tree what my secret orders are.
        Whether it is a new one.
        """
        known = known_to_all(self.game, view)
        if self.trees and seat == self.seat and known == self.public and known != view.tobytes():
            return False
        open_game = known == view.tobytes() and seat == self.seat
        self.seat, self.public = seat, known
        self.start(view, keep=open_game)
        return True

    def start(self, view: States, *, keep: bool = False) -> None:
        """Think from here; ``keep`` what is known, unless the tree is over half full."""
        self.root = view.copy()
        if not self.trees:
            sides, plan = sides_of(self.game, self.root), self.plan
            nodes = min(plan.nodes, 8 * plan.iterations or plan.nodes)
            edges = min(plan.edges, nodes * self.game.choices)
            self.trees = [plant(nodes, edges, sides) for _ in range(plan.threads)]
            return
        for tree in self.trees:
            crowded = 2 * tree.used > (tree.nodes.size, tree.edges.size)
            if not keep or crowded.any():
                clear(tree)

    def spend(self, share: float) -> int:
        """Think for a share of the plan's budget, on all its threads; return iterations."""
        dice = seeds(self.seed, self.decisions, 1, 2 + self.plan.threads)[0, 2:]
        if len(self.trees) == 1:
            return self.ponder(self.trees[0], dice[0], share)
        with ThreadPoolExecutor(len(self.trees)) as pool:
            done = pool.map(lambda i: self.ponder(self.trees[i], dice[i], share), range(len(dice)))
            return sum(done)

    def ponder(self, tree: Tree, dice: NDArray[np.uint64], share: float) -> int:
        """One thread's thinking, in slices with a look at the clock between them."""
        plan = self.plan
        run = self.engine.kernel(think)
        room = np.zeros(2, self.game.state.dtype)
        root, on = (
            self.root.view(np.uint64),
            workspace(room, self.game.choices, tree.worth.shape[1]),
        )
        wanted = int(plan.iterations * share) or (1 << 62)
        limit = plan.seconds * share or float("inf")
        return in_slices(
            lambda done, upto: run(root, on, tree, upto - done, plan.playout, dice), wanted, limit
        )

    def read(self, view: States, seat: int, k: int, iterations: int) -> Evaluation:
        """What the trees say about a decision, added up over the threads."""
        shares, values, tries = np.zeros(k), np.zeros(k), np.zeros(k, np.int64)
        worth, visits = np.zeros(self.trees[0].worth.shape[1]), 0
        find = self.engine.kernel(recall)
        for tree in self.trees:
            node = int(find(tree, view.view(np.uint64), seat))
            if node < 0 or tree.nodes["width"][node] != k:
                continue
            edges = tree.edges[tree.nodes["first"][node] :][:k]
            shares += edges["share"]
            values += edges["value"] * edges["tries"]
            tries += edges["tries"]
            worth += tree.worth[node] * tree.nodes["visits"][node]
            visits += int(tree.nodes["visits"][node])
        worth /= max(visits, 1)
        seen = tries > 0
        values[seen] /= tries[seen]
        values[~seen] = worth[seat]
        return Evaluation(shares, values, tries, tries.astype(float), worth, iterations)


def _sampled(shares: NDArray[np.float64], number: int) -> int:
    """One choice of a mixture, by an even 64-bit number; any, where there is none."""
    x = number / 2.0**64
    if not shares.any():
        return int(x * len(shares))
    place = np.searchsorted(np.cumsum(shares), x * shares.sum(), side="right")
    return min(int(place), len(shares) - 1)
