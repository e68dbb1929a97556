"""Searches a tree, with 10000 iterations a decision or as you say: search:2000, search:0.5s.

``search:2000`` runs 2000 iterations for a decision and makes the same choices for the same seed;
``search:0.5s`` thinks for half a second.
"""

import re

from yegg.engine import Game, Refused

from .thinking.plan import Plan
from .thinking.tree.mind import Mind

USUAL = "10000"


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
