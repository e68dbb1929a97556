"""Playing an experiment on the command line: compiling, progress, and what could not be played."""

import math
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from yegg.stats.intervals import brackets
from yegg.text.phrases import counted
from yegg.text.untrusted import say

from .options import (
    FILE,
    FOLDER,
    THREADS,
    flag,
    grouped,
    json_option,
    on_option,
    option,
    threads_option,
)
from .output import compiling, emit, reported

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from yegg.lab.executors.threads import Executor
    from yegg.lab.experiment.runs import Run
    from yegg.lab.experiment.schema import Experiment
    from yegg.lab.experiment.shards import Piece

experiment_argument = click.argument("file", type=FILE)


class ExperimentOptions(NamedTuple):
    """What a command that plays an experiment was given; each field is an option of that name."""

    file: Path
    out: Path | None
    threads: int | None
    on: str
    quiet: bool
    no_report: bool
    as_json: bool

    @property
    def folder(self) -> Path:
        """Where it is kept: by default beside the file, under its name."""
        return self.out or self.file.with_suffix("")

    @property
    def without_bar(self) -> bool:
        """Whether a line a minute is all that is shown on the way."""
        return self.quiet or self.as_json


def of_playing(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of `ExperimentOptions`, as ``asked``; ``what`` is kept."""
    return grouped(
        ExperimentOptions,
        "asked",
        experiment_argument,
        option(
            "--out", f"The {what}'s folder; by default beside the file, under its name.", FOLDER
        ),
        threads_option,
        on_option,
        flag("--quiet", "No bar; a line a minute instead."),
        flag("--no-report", "Write no report.html, .md and .json."),
        json_option,
    )


def executor_on(on: str, threads: int | None) -> "AbstractContextManager[Executor]":
    """The executor that ``--on`` names; of a cluster's nodes, ``threads`` cores are used."""
    from yegg.lab.executors.ray import at_work
    from yegg.lab.executors.threads import Threads

    return nullcontext(Threads(threads)) if on == THREADS else at_work(threads)


def compiled(experiment: "Experiment") -> None:
    """Compile what an experiment needs."""
    from yegg.lab.experiment.shards import is_cold, prepare

    with compiling(experiment.title, lambda: is_cold(experiment)):
        prepare(experiment)


def complete(run: "Run", executor: "Executor", *, quiet: bool) -> None:
    """Compile what a run needs, and let an executor play what is missing of it.

    It shows a bar over all deals, or with ``quiet`` a line a minute on the error output.
    Raises ClickException if some of it could not be played.
    """
    from yegg.lab.cells import who

    compiled(run.experiment)
    cells = run.experiment.cells

    def wanted() -> int:
        return sum(run.early_stopping.deals(cell.level) for cell in cells)

    done = wanted() - sum(len(block.deals) for block in run.missing())
    with reported("deals", quiet=quiet) as report:
        report(done, wanted(), f"{run.experiment.title}, deals")

        def advance(block: "Piece") -> None:
            nonlocal done
            total, cell = wanted(), block.cell
            done = min(done + len(block.deals), total)
            report(done, total, _least_clear(run) or f"{cell.variant.name}, {who(cell.level)}")

        run.play(progress=advance, executor=executor)
    if run.lost:
        (cell, _, lacking), lost = run.lost[0]
        first = f"{cell.variant.name}, {who(cell.level)}, deals {lacking[0]} to {lacking[-1]}"
        raise click.ClickException(
            f"{counted(len(run.lost), 'block')} could not be played in {lost.times} tries and lack "
            f"in {run.folder}: {first} ({lost.why}); journal.jsonl there names all with their "
            "seed; the same command tries again"
        )


def _least_clear(run: "Run") -> str:
    """The claim that is least clear, and what is known of it; empty if nothing is claimed."""
    from yegg.lab.cells import who

    claim = run.early_stopping.least_clear
    if claim is None:
        return ""
    low, high = claim.interval.low, claim.interval.high
    known = brackets(low, high, "+.3g") if math.isfinite(high - low) else "too early to say"
    return f"{claim.claim}, {who(claim.level)}: {known}"


def tell(
    run: "Run", *, as_json: bool, published: bool = False, copy_to: Path | None = None
) -> None:
    """Print the findings of a complete run, and if it is ``published``, where its page is."""
    from yegg.files import write_atomic
    from yegg.lab.experiment.findings import findings, to_dict
    from yegg.lab.report.files import publish
    from yegg.lab.report.narrative import as_text

    found = findings(run)
    page = publish(found, run.folder) if published else None
    emit(lambda: to_dict(found), lambda: as_text(found), as_json=as_json)
    if page and copy_to:
        write_atomic(copy_to, page.read_bytes())
    if page and not as_json:
        say(f"The report: {copy_to or page}")
