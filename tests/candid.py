"""A policy net that expects to win for sure where it decides, and to lose anywhere else."""

from yegg.engine.verbs import actor


def policy(s, seat, out, k, logits):
    """All choices are equally likely."""
    for i in range(k):
        logits[i] = 0.0
    return True


def win_share(s, seat):
    """Whether the seat is the one that decides."""
    return 1.0 if actor(s) == seat else 0.0
