"""`yegg house`: looking after a house where people play."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from yegg.engine.prose import counted

from .configured import configured, where

F = TypeVar("F", bound=Callable[..., Any])


def of_a_house(command: F) -> F:
    """Give a command the options that say which house is meant."""
    for option in (
        click.option("--db", metavar="FILE|URL", help="Where its games are, as for yegg serve."),
        click.option(
            "--config",
            type=click.Path(dir_okay=False, path_type=Path),
            envvar="YEGG_CONFIG",
            metavar="FILE",
            help="Its settings, as for yegg serve.",
        ),
    ):
        command = option(command)
    return command


def address(config: Path | None, db: str | None) -> str:
    """Where the games of the house are."""
    return where(configured(config, {"db": db}))


@click.group("house")
def command() -> None:
    """Look after a house: copies, new rules, guests.

    Each command needs to know where the games are, as `yegg serve` does: by --db, YEGG_DB or the
    settings of --config.  Servers may go on meanwhile, if nothing else is said.
    """


@command.command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--to", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--keep", type=click.IntRange(1), metavar="N", help="With --to: only the newest N.")
@of_a_house
def backup(
    file: Path | None, to: Path | None, keep: int | None, config: Path | None, db: str | None
) -> None:
    """Copy everything into FILE, or into a file named by the time in a folder, while people play.

    The copy is an SQLite file, also of a PostgreSQL.  Whoever has it can enter every seat.
    """
    from yegg.table.house import copies

    if (file is None) == (to is None):
        raise click.UsageError("say a file, or --to and a folder")
    if keep and not to:
        raise click.UsageError("--keep goes with --to")
    url = address(config, db)
    made = copies.backup_into(url, to, keep or 0) if to else copies.backup(url, Path(file or ""))
    click.echo(f"{made.path}: {counted(made.games, 'game')}, {counted(made.events, 'event')}")


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@of_a_house
def restore(file: Path, config: Path | None, db: str | None) -> None:
    """Make a house of a copy; nothing that is there already is changed.

    The copy may come from either database, and from an older version of yegg.
    """
    from yegg.table.house import copies

    made = copies.restore(file, address(config, db))
    click.echo(f"restored: {counted(made.games, 'game')}, {counted(made.events, 'event')}")
