"""`yegg house`: looking after a house where people play."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from yegg import private
from yegg.text.phrases import counted
from yegg.text.untrusted import quoted, say

from .settings import configured, there, where

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from yegg.table.storage.store import Store

F = TypeVar("F", bound=Callable[..., Any])
DASHED = {"ignore_unknown_options": True}  # a key may begin with a dash and is no option then


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
    """Where the games of the house are, for their owner alone; earlier rules are at hand."""
    from yegg.engine import earlier
    from yegg.table.storage.store import mended

    holds = configured(config, {"db": db})
    if holds.settings.rules:
        earlier.use(Path(holds.settings.rules))
    url = where(holds)
    for why in mended(url):
        say(f"yegg: {why}", err=True)
    return url


@contextmanager
def opened(config: Path | None, db: str | None) -> "Iterator[Store]":
    """The store of the house, brought up to date first."""
    from yegg.table.app import prepare
    from yegg.table.storage.store import Store, Unread

    url = address(config, db)
    there(url)
    try:
        prepare(url)
    except Unread as error:
        raise click.ClickException(f"the database does not answer: {error}") from None
    store = Store(url)
    try:
        yield store
    finally:
        store.close()


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
    from yegg.table.admin import backups

    if (file is None) == (to is None):
        raise click.UsageError("say a file, or --to and a folder")
    if keep and not to:
        raise click.UsageError("--keep goes with --to")
    url = address(config, db)
    made = backups.backup_into(url, to, keep or 0) if to else backups.backup(url, Path(file or ""))
    say(f"{made.path}: {counted(made.games, 'game')}, {counted(made.events, 'event')}")


@command.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@of_a_house
def restore(file: Path, config: Path | None, db: str | None) -> None:
    """Make a house of a copy; nothing that is there already is changed.

    The copy may come from either database, and from an older version of yegg.  Dice of games that
    go on are sealed anew: the house that was copied may have opened their seeds since.
    """
    from yegg.table.admin import backups

    made = backups.restore(file, address(config, db))
    say(f"restored: {counted(made.games, 'game')}, {counted(made.events, 'event')}")


# New rules


@command.command("rules")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def rules(folder: Path) -> None:
    """Keep the rules of today in a folder, before a new version of yegg replaces them.

    Where `rules` in the settings names that folder, games begun under these rules are finished
    under them.  Versions that are there already stay as they are.
    """
    from yegg import games
    from yegg.engine import earlier

    for name in games.names():
        game = games.find(name)
        made = earlier.keep(game, folder)
        say(f"{game.title}, version {game.version}: {made or 'is there already'}")


@command.command("dump")
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path))
@of_a_house
def dump(file: Path, config: Path | None, db: str | None) -> None:
    """Write down what today's rules say of each game that goes on; run it with the old release.

    Stop the servers first, so that no game goes on meanwhile.
    """
    import msgspec

    from yegg.table.admin.adopt_rules import going

    many = 0
    with opened(config, db) as store, _written(file) as lines:
        for one in going(store):
            lines.write(msgspec.json.encode(one).decode() + "\n")
            many += 1
    say(f"{counted(many, 'game goes', 'games go')} on")


@contextmanager
def _written(file: Path) -> Iterator[IO[str]]:
    if str(file) == "-":
        yield sys.stdout
        return
    with private.opened(file, "w") as lines:
        yield lines


@command.command("check")
@click.argument("file", type=click.File("rb"))
@of_a_house
def check(file: BinaryIO, config: Path | None, db: str | None) -> None:
    """Say what today's rules make of each game in the file of `dump`; nothing is changed.

    "same": today's rules say of it what the older said.  "goes on": what was chosen is allowed,
    but today's rules part somewhere in what else was possible, or in the scores.  Others are
    finished under their own rules where these were kept; else they stay behind, to be looked at.
    """
    from yegg.table.admin.adopt_rules import judged

    verdicts: Counter[str] = Counter()
    with opened(config, db) as store:
        for one in judged(store, file):
            verdicts[one.verdict] += 1
            why = f": {one.why}" if one.why else ""
            say(f"{one.going.key}  {one.going.game}  {one.verdict}{why}")
    say(", ".join(f"{verdict}: {many}" for verdict, many in sorted(verdicts.items())))


@command.command("adopt")
@click.argument("file", type=click.File("rb"))
@click.option("--goes-on", is_flag=True, help="Also those where today's rules part in something.")
@of_a_house
def adopt(file: BinaryIO, goes_on: bool, config: Path | None, db: str | None) -> None:
    """Let the games of `check` that are the same be played on by today's rules.

    No server may run meanwhile.
    """
    from yegg.table.admin.adopt_rules import adopt as adopted
    from yegg.table.admin.adopt_rules import judged

    with opened(config, db) as store:
        many = adopted(store, judged(store, file), goes_on=goes_on)
    say(f"{counted(many, 'game is', 'games are')} played on by today's rules")


# Guests


@command.command("close", context_settings=DASHED)
@click.argument("table")
@of_a_house
def close(table: str, config: Path | None, db: str | None) -> None:
    """Close a TABLE (its key, the end of its link): nobody plays on there."""
    from yegg.table.refusals import HttpRefusal
    from yegg.table.service.registry import close_any
    from yegg.table.storage.store import Unwritten

    with opened(config, db) as store:
        try:
            name = close_any(store, table)
        except HttpRefusal as refusal:
            raise click.UsageError(f"{quoted(table)}: {refusal.why}") from None
        except Unwritten as error:
            raise click.ClickException(f"nothing could be written: {error}") from None
    say(f"{name} is closed")


@command.command("forget", context_settings=DASHED)
@click.argument("person")
@of_a_house
def forget(person: str, config: Path | None, db: str | None) -> None:
    """Erase a PERSON: name, devices, addresses; their games stay without their name.

    A person is named by a seat: TABLE:2 is whoever sits on seat 2 of that table.
    """
    from yegg.table.service import block_list

    with changing(config, db) as connection:
        many = block_list.forget(connection, _person(connection, person))
    say(f"forgotten; {counted(many, 'game stays', 'games stay')} without the name")


@command.command("block", context_settings=DASHED)
@click.argument("who")
@click.option("--why", default="", help="A note for yourself.")
@of_a_house
def block(who: str, why: str, config: Path | None, db: str | None) -> None:
    """Let somebody not play here: a person (TABLE:2), an address, or a network (192.0.2.0/24).

    Whoever is blocked as a person can look on, and can come again as somebody else, since nobody
    needs an account.  An address is turned away altogether.
    """
    from yegg.table.networks import network
    from yegg.table.service import block_list

    there = network(who)
    with changing(config, db) as connection:
        block_list.bar(connection, str(there) if there else _person(connection, who), why[:200])
    say(f"{who} cannot play here any more")


@command.command("unblock", context_settings=DASHED)
@click.argument("who")
@of_a_house
def unblock(who: str, config: Path | None, db: str | None) -> None:
    """Let somebody play here again; WHO as `yegg house blocked` lists them."""
    from yegg.table.networks import network
    from yegg.table.service import block_list

    with changing(config, db) as connection:
        there = block_list.let_in(connection, str(network(who) or who))
    if not there:
        raise click.UsageError(f"nobody has blocked {quoted(who)}")
    say(f"{who} can play here again")


@command.command("blocked")
@of_a_house
def blocked(config: Path | None, db: str | None) -> None:
    """List who cannot play here."""
    from yegg.table.service import block_list

    with changing(config, db) as connection:
        for row in block_list.listed(connection):
            say(f"{row.who}  {row.why}".rstrip())


@contextmanager
def changing(config: Path | None, db: str | None) -> "Iterator[Connection]":
    """A transaction in the house's database; servers that run see it within seconds."""
    with opened(config, db) as store, store.engine.begin() as connection:
        yield connection


def _person(connection: "Connection", said: str) -> str:
    """The person on a seat.  Raises UsageError."""
    from yegg.table.service import block_list

    key, _, number = said.rpartition(":")
    person = block_list.seat(connection, key, int(number) if number.isdecimal() else 0)
    if person is None:
        raise click.UsageError(f"{quoted(said)} is no person: TABLE:2 is who sits on its seat 2")
    return person
