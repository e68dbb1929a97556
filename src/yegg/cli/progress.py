"""Bars that show how far a long command is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


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
