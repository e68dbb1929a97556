"""What a game puts on paper: tables to look things up in, and sheets to write on."""

from collections.abc import Sequence
from typing import NamedTuple

BLANK = ""
"""A cell to write in."""


class Grid(NamedTuple):
    """A table on paper."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    """Each begins with what the row is about."""


class Sheet(NamedTuple):
    """One sheet of paper to write on."""

    title: str
    says: str
    """How it is used."""
    grids: Sequence[Grid]


def to_write(title: str, head: Sequence[str], rows: Sequence[str]) -> Grid:
    """A table with a blank for each column of each row.

    >>> to_write("Scores", ["", "Ann", "Ben"], ["points"]).rows
    [['points', '', '']]
    """
    return Grid(title, head, [[row, *[BLANK] * (len(head) - 1)] for row in rows])
