"""Levels of players in words."""

from yegg.text.phrases import listing, number


def who(level: str) -> str:
    """A level of players in words: ``medium players``, ``random play``."""
    if level == "uniform":
        return "random play"
    names = level.split()
    if len(names) == 1:
        return f"{level} players"
    if len(names) > 2 and names[0] not in names[1:] and len(set(names[1:])) == 1:
        rest = "random" if names[1] == "uniform" else names[1]
        return f"{names[0]} and {number(len(names) - 1)} {rest} players"
    return listing(["random" if name == "uniform" else name for name in names])


def among(level: str) -> str:
    """Where a figure holds: ``between medium players``, ``at random play``."""
    return f"at {who(level)}" if level == "uniform" else f"between {who(level)}"
