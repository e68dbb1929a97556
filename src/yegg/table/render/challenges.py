"""Two games of a deal as pages show them: figures, and curves one over the other."""

from collections.abc import Sequence
from typing import NamedTuple

from yegg.coach.review import Review
from yegg.table.domain.deal_results import Try
from yegg.table.domain.deals import Looked

from . import svg


class Seen(NamedTuple):
    """What the coach found in a game, or how far it is."""

    looked: Looked | None = None
    done: float = 1.0
    waits: str = ""
    """Why it cannot look now."""
    never: bool = False
    """Whether it never will."""
    found: Review | None = None


class Line(NamedTuple):
    """The chance to win of whoever was dealt a game, event by event."""

    name: str
    path: str
    low: float
    high: float


def curves(two: Sequence[tuple[Try, Seen]]) -> list[Line]:
    """The curves of two games over the same axis; none while one is not there."""
    shares = [(one, seen.found.curve[:, one.seat]) for one, seen in two if seen.found is not None]
    if len(shares) < 2:
        return []
    events = max(len(share) for _, share in shares) - 1
    return [
        Line(one.name, svg.path(share.tolist(), events), float(share.min()), float(share.max()))
        for one, share in shares
    ]
