"""A bar that shows how far a long command is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .screen import Screen


@contextmanager
def progress(title: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar, unless ``quiet`` or off a terminal; the function yielded moves it on."""
    from rich.progress import Progress

    console = Screen(stderr=True)
    hidden = quiet or not console.is_terminal
    with Progress(console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(title, total=total)
        yield lambda step: bar.advance(task, step)
