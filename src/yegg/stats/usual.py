"""Usual questions about games under names, for those who write no expressions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .kinds import Kind


@dataclass(frozen=True)
class Usual:
    """A measure that has a name; a game's module ``measures`` holds its own (``MEASURES``)."""

    says: str
    """What it is, in a sentence."""
    of: str = ""
    """The expression over the columns of a game; or `parts`."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """What makes a whole: an expression for each part."""
    by_seat: str = ""
    """Or a part for each seat: an expression in which ``{seat}`` is its number."""
    title: str = ""
    """What reports call it."""
    kind: Kind | None = None
    """Where it does not follow from the expression."""
    among: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What may stand behind a colon, as ``fence`` in ``first-purchase:fence``; then for ``{at}`` in
    the expression, and ``{name}`` in the title, stand these two."""
    needs: str = ""
    """The table of the file that brings its columns, as ``trace``."""
