"""``yegg sim GAME --vary``: the command line as an experiment."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import quoted, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from yegg.engine import Game


def _axes(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[str]]:
    """``NAME=A,B`` as a name and its values."""
    axes: dict[str, list[str]] = {}
    for value in values:
        name, equals, many = value.partition("=")
        if not equals or not name or not many:
            raise click.UsageError(f"{quoted(value)} is not NAME=A,B, as --vary districts=4,5", ctx)
        if name in axes:
            raise click.UsageError(f"--vary {quoted(name)} is given twice; list all values at once")
        axes[name] = [one.strip() for one in many.split(",")]
    return axes


vary_option = click.option(
    "--vary",
    multiple=True,
    metavar="NAME=A,B,…",
    callback=_axes,
    help="Compare values of an option over the same deals, as an experiment; "
    "several make a grid, and `players` is one too.  -n is the number of deals then.",
)
report_option = click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
    help="Write a page about it; the experiment comes beside it as FILE.toml, its games as FILE/.",
)


def experiment(
    game: "Game",
    *,
    vary: "Mapping[str, Sequence[str]]",
    options: "Mapping[str, str]",
    bots: "Sequence[str]",
    players: int | None,
    deals: int,
    seed: int,
) -> str:
    """The experiment that the command line asks for, as a file."""
    from yegg.lab.experiment.writer import written

    levels: list[object] = [list(bots)] if len(bots) > 1 else list(bots) or ["uniform"]
    count = players or (len(bots) if len(bots) > 1 else None)
    return written(
        game,
        vary=vary,
        options=options,
        bots=levels,
        players=None if "players" in vary else count,
        deals=deals,
        seed=seed,
    )


def play(source: str, report: Path | None, threads: int | None, *, as_json: bool) -> None:
    """Play an experiment and tell what came out; with ``report`` keep it and write the page."""
    from yegg.lab.api import begun
    from yegg.lab.executors.threads import Threads
    from yegg.lab.experiment.runs import write

    from .experiments import played, tell

    with TemporaryDirectory(prefix="yegg-") as folder:
        run = begun(source, report.with_suffix("") if report else Path(folder))
        if report:
            write(report.with_suffix(".toml"), source.encode())
        played(run, Threads(threads), quiet=as_json)
        page = tell(run, as_json=as_json, published=report is not None)
        if report and page:
            write(report, page.read_bytes())
            if not as_json:
                say(f"The report: {report}")
