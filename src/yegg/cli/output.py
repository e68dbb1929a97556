"""Output of commands: JSON or text, tables, progress bars, the notice of compiling.

Rich is imported by what draws, so that commands that print plain lines do not wait for it.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from yegg.text.untrusted import say

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

QUIET = 60  # seconds between two lines where there is no bar
INTERRUPTED = 130  # the status of a command that Ctrl-C ended, as shells have it


def emit(
    data: Callable[[], Any],
    text: Callable[[], "RenderableType | None"] = lambda: None,
    *,
    as_json: bool,
) -> None:
    """Print data as JSON for programs, or else the text for people; only one of them is made.

    A ``text`` that has printed everything itself returns None.
    """
    if as_json:
        from yegg.text import json_writer

        click.echo(json_writer.as_json(data(), indent=2))
    elif (drawn := text()) is not None:
        draw(drawn)


def draw(*things: "RenderableType", **how: Any) -> None:
    """Print something of Rich's on the screen; ``how``: as for Rich's own print."""
    from .screen import Screen

    Screen().print(*things, **how)


def headline(bold: str, rest: str) -> None:
    """Print a line that begins in bold."""
    from rich.text import Text

    draw(Text.assemble((bold, "bold"), rest))


def table(
    *columns: str, right: Collection[str] = (), fold: bool = False, title: str = ""
) -> "Table":
    """A table without lines and with these columns; those in ``right`` are aligned to the right.

    ``fold``: long words are broken, so that nothing is cut off in a narrow terminal.
    """
    from rich.table import Table

    how: dict[str, Any] = {"title_justify": "left", "box": None, "padding": (0, 2, 0, 0)}
    drawn = Table(title=title or None, header_style="dim", **how)
    for column in columns:
        justify: Any = "right" if column in right else "left"
        drawn.add_column(column, justify=justify, overflow="fold" if fold else "ellipsis")
    return drawn


@contextmanager
def progress(
    title: str, total: int | None, *, quiet: bool, before: int = 0
) -> Iterator[Callable[..., None]]:
    """A bar on the error output that vanishes at the end; none if ``quiet`` or off a terminal.

    It shows a title, how many of all are done, and the time that is left; ``before`` were done
    already, and until it moves on it says that it is compiling.  The function yielded moves it,
    as Rich's `Progress.update`: by ``advance``, or to ``completed``.
    """
    from rich import progress as bars
    from rich.text import Text

    from .screen import Screen

    class Title(bars.ProgressColumn):
        def render(self, task: bars.Task) -> Text:
            stands = task.completed <= task.fields["before"]
            return Text(f"{task.description}: compiling …" if stands else task.description)

    console = Screen(stderr=True)
    columns = Title(), bars.BarColumn(), bars.MofNCompleteColumn(), bars.TimeRemainingColumn()
    hidden = quiet or not console.is_terminal
    with bars.Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        yield partial(bar.update, bar.add_task(title, total=total, completed=before, before=before))


@dataclass
class Stop:
    """Whether somebody stopped what was going on."""

    why: KeyboardInterrupt | None = None

    def leave(self) -> None:
        """End with the status of an interrupt, if it was one.  Raises Exit."""
        if self.why:
            say("Stopped: this is what had been played.", err=True)
            raise click.exceptions.Exit(INTERRUPTED)


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Ctrl-C ends what is done within, and no more; `Stop.leave` follows once it is told."""
    stop = Stop()
    try:
        yield stop
    except KeyboardInterrupt as why:
        stop.why = why


@contextmanager
def reported(what: str, *, quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A bar of long work, or with ``quiet`` a line a minute on the error output.

    The function yielded is told how many of how many are done and what is new; first how many
    were done before.  ``what`` they are, as "games".
    """
    begun = spoke = time.monotonic()
    at_first: int | None = None
    with progress("", None, quiet=quiet) as update:

        def report(done: int, total: int, news: str) -> None:
            nonlocal spoke, at_first
            at_first = done if at_first is None else at_first
            update(completed=done, total=total, description=news, before=at_first)
            now = time.monotonic()
            if quiet and now - spoke > QUIET:
                spoke = now
                left = (now - begun) / 60 * (total - done) / max(done - at_first, 1)
                say(f"{done} of {total} {what}, about {math.ceil(left)} min left; {news}", err=True)

        yield report


@contextmanager
def compiling(
    title: str, is_cold: Callable[[], bool], where: str = "this machine (only this once)"
) -> Iterator[None]:
    """Say so on screen when the first call of a game has to compile it."""
    if not is_cold():
        yield
        return
    from rich.text import Text

    from .screen import Screen

    notice = Text(f"Compiling {title} for {where} …")
    with Screen(stderr=True).status(notice):
        yield
