"""The games: a folder here, or an entry point ``yegg.games`` of another package."""

from yegg.engine.game import faults, find, packages

__all__ = ["faults", "find", "names"]


def names() -> list[str]:
    """Every game that can be played, by name."""
    return sorted(packages())
