"""What is measured of every game: expressions over its columns, and what a report calls them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yegg.engine import Game, Refused
from yegg.engine.prose import offered

from .columns import names_of, parsed

KEYS = ("of", "parts", "title", "fair")
SEAT = re.compile(r"^(share|score)_(\d+)$")
KINDS = {"share": "share of the win", "score": "score"}


@dataclass(frozen=True)
class Shown:
    """How a report shows a measure."""

    title: str
    fair: float | None = None
    """The value that is marked in its plot."""
    whole: str = ""
    """The measure that it is a part of; parts are drawn as one bar."""


def measured(
    game: Game, given: Any, counts: Sequence[int]
) -> tuple[dict[str, str], dict[str, Shown]]:
    """The measures of a file's ``[measure]`` by name, each tried on its columns.  Raises Refused.

    ``counts`` are the numbers of players of all variants.  Without any measure, the seats' shares
    of the win are measured.
    """
    players = max(counts)
    if not isinstance(given, dict):
        raise Refused("measure is a table of keys and values")
    usual = {f"share_{seat}": f"share_{seat}" for seat in range(1, players + 1)}
    known = names_of(game, players)
    measures: dict[str, str] = {}
    shown: dict[str, Shown] = {}
    for name, said in (given or usual).items():
        entry = said if isinstance(said, dict) else {"of": said}
        for key in entry:
            if key not in KEYS:
                raise Refused(f"measure.{name} has no key {key!r}; {offered(key, KEYS)}")
        title = str(entry.get("title", _titled(name)))
        for part, expression in _parts(name, entry).items():
            if not isinstance(expression, str):
                raise Refused(f"measure.{name}: write an expression over columns, in quotes")
            parsed(expression, known, f"measure.{part}")
            if part in measures:
                raise Refused(f"two measures are called {part!r}")
            measures[part] = expression
            whole = name if part != name else ""
            shown[part] = Shown(title, _fair(name, entry, counts), whole)
    return measures, shown


def _parts(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The expressions of a measure: one under its own name, or one for each of its parts."""
    parts = entry.get("parts")
    if parts is None and "of" in entry:
        return {name: entry["of"]}
    if not isinstance(parts, dict) or not parts or "of" in entry:
        raise Refused(f'measure.{name} has either of = "…" or parts = {{ name = "…" }}')
    return {f"{name}: {part}": said for part, said in parts.items()}


def _fair(name: str, entry: Mapping[str, Any], counts: Sequence[int]) -> float | None:
    """What the file says is fair; for a seat's share of the win, the same for all seats."""
    fair = entry.get("fair")
    if fair is None and (seat := SEAT.match(name)) and seat[1] == "share":
        return 1 / counts[0] if len(set(counts)) == 1 and counts[0] > 1 else None
    if fair is not None and (isinstance(fair, bool) or not isinstance(fair, int | float)):
        raise Refused(f"measure.{name}: fair is a number")
    return fair


def _titled(name: str) -> str:
    """What a measure without a title is called: ``share of the win, seat 1``."""
    if seat := SEAT.match(name):
        return f"{KINDS[seat[1]]}, seat {seat[2]}"
    return name.replace("_", " ")
