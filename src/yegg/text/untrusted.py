"""Untrusted text (names, files, letters, typed lines), made safe to print.

A terminal obeys some characters instead of showing them: they move the cursor, change the title,
turn the reading order round.  Everything that is printed goes through `shown`.
"""

import re
from io import StringIO
from typing import TYPE_CHECKING

from .names import IN_EMOJI, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

PICTURES = 0x2400  # Unicode's pictures of the 32 oldest control characters begin here
DELETE = 0x7F
KEPT = "\n\t\N{NO-BREAK SPACE}"
NOT_SHOWN = "\ufffd"
LONGEST_QUOTE = 60


def shown(text: str) -> str:
    """A text as a terminal may have it: what would steer the terminal is a picture of itself.

    >>> shown("a\\x1b[2Jb")
    'a␛[2Jb'
    """
    if printable(text):
        return text
    parts = re.split(f"({IN_EMOJI})", text)  # every second part is kept in an emoji
    parts[::2] = ["".join(map(_picture, part)) for part in parts[::2]]
    return "".join(parts)


def _picture(c: str) -> str:
    if c.isprintable() or c in KEPT:
        return c
    if ord(c) < 32:
        return chr(PICTURES + ord(c))
    return "␡" if ord(c) == DELETE else NOT_SHOWN


def quoted(text: str) -> str:
    """A text in quotation marks, as an error names it; of a long one the beginning.

    >>> quoted("plai"), len(quoted("x" * 20000))
    ("'plai'", 63)
    """
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")


def as_text(drawn: "RenderableType", width: int = 100) -> str:
    """A drawing of Rich as plain text of at most so many columns."""
    from rich.console import Console

    paper = StringIO()
    Console(file=paper, width=width, color_system=None, force_terminal=False).print(drawn)
    return paper.getvalue()


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a text as it is `shown`."""
    import click

    click.echo(shown(text) + end, err=err, nl=False)
