"""Who plays what a command asks for: threads of this machine, or a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from yegg.lab.executors.threads import Crew

THREADS, CLUSTER = "threads", "cluster"

on_option = click.option(
    "--on",
    type=click.Choice([THREADS, CLUSTER]),
    default=THREADS,
    show_default=True,
    help="Who plays: this machine's threads, or the Ray cluster that RAY_ADDRESS names; "
    "without one, a cluster of this machine alone.  The games are the same.",
)


@contextmanager
def crew_on(on: str, threads: int | None) -> Iterator["Crew"]:
    """The crew that ``--on`` names; of a cluster's nodes, ``threads`` cores are used."""
    from yegg.lab.executors.threads import Threads

    if on == THREADS:
        yield Threads(threads)
        return
    from yegg.lab.executors.ray import at_work

    with at_work(threads) as crew:
        yield crew
