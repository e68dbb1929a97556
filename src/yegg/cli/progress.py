"""Bars that show how far a long command is."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from yegg.text.untrusted import say

from .screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

QUIET = 60  # seconds between two lines where there is no bar


def bar(*columns: "ProgressColumn", quiet: bool) -> "Progress":
    """A bar on the error output that vanishes at the end; none if ``quiet`` or off a terminal.

    Without ``columns`` it has the usual ones.
    """
    from rich.progress import Progress

    console = Screen(stderr=True)
    hidden = quiet or not console.is_terminal
    return Progress(*columns, console=console, transient=True, disable=hidden)


def counting(text: str = "{task.description}", *, quiet: bool) -> "Progress":
    """A bar with a text, how many of all are done, and the time that is left."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn(text), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return bar(*columns, quiet=quiet)


@contextmanager
def progress(title: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar with a title; the function yielded moves it on by so many steps."""
    with bar(quiet=quiet) as shown:
        task = shown.add_task(title, total=total)
        yield lambda step: shown.advance(task, step)


@contextmanager
def reported(what: str, *, quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A bar of long work, or with ``quiet`` a line a minute on the error output.

    The function yielded is told how many of how many are done and what is new; first how many
    were done before.  ``what`` they are, as "games".
    """
    begun = spoke = time.monotonic()
    at_first: int | None = None
    with counting(quiet=quiet) as shown:
        task = shown.add_task("", total=None)

        def report(done: int, total: int, news: str) -> None:
            nonlocal spoke, at_first
            at_first = done if at_first is None else at_first
            shown.update(task, completed=done, total=total, description=news)
            now = time.monotonic()
            if quiet and now - spoke > QUIET:
                spoke = now
                left = (now - begun) / 60 * (total - done) / max(done - at_first, 1)
                say(f"{done} of {total} {what}, about {math.ceil(left)} min left; {news}", err=True)

        yield report
