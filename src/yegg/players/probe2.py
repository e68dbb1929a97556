"""Probe of the tree."""

from .tree.mind import Mind, Plan


def check(budget):
    return budget


def sit(game, budget, seed):
    par = dict(x.split("=") for x in budget.split("/"))
    return Mind(game, Plan(**{k: int(v) for k, v in par.items()}), seed)
