"""A whole course: lessons to the end, with looks at how well the net plays, copies, the file."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import checkpoint
from .curve import draw
from .trainer import Training

KEEP = 10.0
"""Seconds between two copies of how far it has come."""
LINES = 12
"""How often it is told how well the net plays."""
MET, MET_THINKING = (300, 1200), (12, 120)
"""Games with each bot, and with one that thinks: on the way, and in the end."""


def met_in(training: Training) -> tuple[int, int]:
    """In how many games the net meets each bot: on the way, and in the end."""
    return MET_THINKING if training.play.opponents.think else MET


def run(
    training: Training,
    part: Path,
    *,
    told: Callable[[dict[str, Any]], None] = lambda _point: None,
    moved: Callable[[Training], None] = lambda _training: None,
    stopped: Callable[[], bool] = lambda: False,
    games: tuple[int, int] | None = None,
) -> bool:
    """Advance to the end of the course; True if it came there, False if it was ``stopped``.

    ``told`` gets each point of the curve, ``moved`` is called after each lesson.  What ``part``
    holds is always whole: see `checkpoint.resumed`.  ``games`` in place of `met_in`.
    """
    on_the_way, at_last = games or met_in(training)
    kept: float | None = None
    while training.share < 1:
        last = stopped()
        keep = last or kept is None or time.monotonic() - kept > KEEP
        before = training.share
        batches = training.advance(keep=keep)
        share = training.share
        if int(before * LINES) < int(share * LINES) < LINES:
            told(training.meet(on_the_way))
        moved(training)
        if batches is not None:
            checkpoint.keep(training, part, batches)
            kept = time.monotonic()
        if last and training.share < 1:
            return False
    told(training.meet(at_last))
    return True


def part_of(out: Path) -> Path:
    """Where it is kept what has been learned so far of the net of a file."""
    return out.with_name(out.name + ".part")


def complete(
    training: Training, out: Path, **how: Any
) -> tuple[dict[str, Any], Path | None] | None:
    """`run`, then write the net and draw its curve beside it; None if it was stopped before.

    What the file says, and the picture's path, None without the extra `lab`.  ``how`` is as for
    `run`.
    """
    part = part_of(out)
    if not run(training, part, **how):
        return None
    about = training.finish(out)
    drawn = draw(about, out.with_suffix(".svg"))
    part.unlink(missing_ok=True)
    return about, drawn
