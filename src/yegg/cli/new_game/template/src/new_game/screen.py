"""The position as people see it in a terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group
from rich.table import Table


def draw(s: Any, names: Sequence[str], seat: int) -> Group:
    """Everybody's points, and the pot."""
    drawn = Table("", "player", "points", box=None)
    for other, name in enumerate(names):
        mark = "▶" if other == s.turn and not s.over else ""
        drawn.add_row(mark, name, str(s.points[other]))
    return Group(f"{s.goal} points win · {s.pot} in the pot", drawn)
