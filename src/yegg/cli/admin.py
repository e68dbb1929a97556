"""``yegg house``: administration of a server: backups, new rules, bans, erasing people."""

import sys
from collections import Counter
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from yegg.files import open_private
from yegg.text.phrases import counted
from yegg.text.untrusted import quoted, say

from .options import FILE, FOLDER, PATH, Named, flag, grouped, number, option
from .settings import configured, there, usable, where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from yegg.table.storage.store import Store

DASHED = {"ignore_unknown_options": True}  # a key may begin with a dash and is no option then


class House(NamedTuple):
    """Which house is meant; each field is an option of that name."""

    config: Path | None
    db: str | None

    def address(self) -> str:
        """Where its games are, for their owner alone; earlier rules are at hand."""
        from yegg.engine import earlier
        from yegg.table.storage.store import mended

        holds = configured(self.config, {"db": self.db})
        if holds.settings.rules:
            earlier.use(Path(holds.settings.rules))
        url = where(holds)
        for why in mended(url):
            say(f"yegg: {why}", err=True)
        return url

    @contextmanager
    def opened(self) -> "Iterator[Store]":
        """Its store, brought up to date first."""
        from yegg.table.app import prepare
        from yegg.table.storage.store import Store

        url = self.address()
        there(url)
        with usable(url):
            prepare(url)
            store = Store(url)
            try:
                yield store
            finally:
                store.close()

    @contextmanager
    def changing(self) -> "Iterator[Connection]":
        """A transaction in its database; servers that run see it within seconds."""
        with self.opened() as store, store.engine.begin() as connection:
            yield connection


of_a_house = grouped(
    House,
    "house",
    option("--config FILE", "Its settings, as for yegg serve.", FILE, envvar="YEGG_CONFIG"),
    option("--db FILE|URL", "Where its games are, as for yegg serve."),
)


@click.group("house")
def command() -> None:
    """Look after a house: copies, new rules, guests.

    Each command needs to know where the games are, as `yegg serve` does: by --db, YEGG_DB or the
    settings of --config.  Servers may go on meanwhile, if nothing else is said.
    """


@command.command("backup")
@click.argument("file", required=False, type=PATH)
@option("--to DIR", "The folder for a copy that is named by the time.", FOLDER)
@number("--keep", "With --to: only the newest N.")
@of_a_house
def backup(file: Path | None, to: Path | None, keep: int | None, house: House) -> None:
    """Copy everything into FILE, or into a file named by the time in a folder, while people play.

    The copy is an SQLite file, also of a PostgreSQL.  Whoever has it can enter every seat.
    """
    from yegg.table.admin import backups

    if (file is None) == (to is None):
        raise click.UsageError("say a file, or --to and a folder")
    if keep and not to:
        raise click.UsageError("--keep goes with --to")
    url = house.address()
    copy = backups.backup_into(url, to, keep or 0) if to else backups.backup(url, Path(file or ""))
    say(f"{copy.path}: {counted(copy.games, 'game')}, {counted(copy.events, 'event')}")


@command.command("restore")
@click.argument("file", type=PATH)
@of_a_house
def restore(file: Path, house: House) -> None:
    """Make a house of a copy; nothing that is there already is changed.

    The copy may come from either database, and from an older version of yegg.  Dice of games that
    go on are sealed anew: the house that was copied may have opened their seeds since.
    """
    from yegg.table.admin import backups

    copy = backups.restore(file, house.address())
    say(f"restored: {counted(copy.games, 'game')}, {counted(copy.events, 'event')}")


# New rules


@command.command("rules")
@click.argument("folder", type=FOLDER)
def rules(folder: Path) -> None:
    """Keep the rules of today in a folder, before a new version of yegg replaces them.

    Where `rules` in the settings names that folder, games begun under these rules are finished
    under them.  Versions that are there already stay as they are.
    """
    from yegg import games
    from yegg.engine import earlier

    for name in games.names():
        game = games.find(name)
        kept = earlier.keep(game, folder)
        say(f"{game.title}, version {game.version}: {kept or 'is there already'}")


@command.command("dump")
@click.argument("file", type=Named(dir_okay=False, allow_dash=True, path_type=Path))
@of_a_house
def dump(file: Path, house: House) -> None:
    """Write down what today's rules say of each game that goes on; run it with the old release.

    Stop the servers first, so that no game goes on meanwhile.
    """
    import msgspec

    from yegg.engine import Refused
    from yegg.table.admin.adopt_rules import going, read

    if file.is_file():
        with file.open("rb") as before:
            try:
                for _ in read(before):
                    pass
            except Refused as error:
                raise click.UsageError(f"{file} is something else already: {error}") from None
    with house.opened() as store:
        lines = [msgspec.json.encode(game).decode() + "\n" for game in going(store)]
    with nullcontext(sys.stdout) if str(file) == "-" else open_private(file, "w") as to:
        to.writelines(lines)
    say(f"{counted(len(lines), 'game goes', 'games go')} on")


@command.command("check")
@click.argument("file", type=Named(dir_okay=False, allow_dash=True, path_type=Path))
@of_a_house
def check(file: Path, house: House) -> None:
    """Say what today's rules make of each game in the file of `dump`; nothing is changed.

    "same": today's rules say of it what the older said.  "goes on": what was chosen is allowed,
    but today's rules part somewhere in what else was possible, or in the scores.  Others are
    finished under their own rules where these were kept; else they stay behind, to be looked at.
    """
    from yegg.table.admin.adopt_rules import judged

    verdicts: Counter[str] = Counter()
    with click.open_file(str(file), "rb") as lines, house.opened() as store:
        for judgement in judged(store, lines):
            verdict, why, going = judgement.verdict, judgement.why, judgement.going
            verdicts[verdict] += 1
            say(f"{going.key}  {going.game}  {verdict}{f': {why}' if why else ''}")
    say(", ".join(f"{verdict}: {many}" for verdict, many in sorted(verdicts.items())))


@command.command("adopt")
@click.argument("file", type=Named(dir_okay=False, allow_dash=True, path_type=Path))
@flag("--goes-on", "Also those where today's rules part in something.")
@of_a_house
def adopt(file: Path, goes_on: bool, house: House) -> None:
    """Let the games of `check` that are the same be played on by today's rules.

    No server may run meanwhile.
    """
    from yegg.table.admin.adopt_rules import adopt as adopted
    from yegg.table.admin.adopt_rules import judged

    with click.open_file(str(file), "rb") as lines, house.opened() as store:
        count = adopted(store, judged(store, lines), goes_on=goes_on)
    say(f"{counted(count, 'game is', 'games are')} played on by today's rules")


# Guests


@command.command("close", context_settings=DASHED)
@click.argument("table")
@of_a_house
def close(table: str, house: House) -> None:
    """Close a TABLE (its key, the end of its link): nobody plays on there."""
    from yegg.table.refusals import HttpRefusal
    from yegg.table.service.registry import close_any
    from yegg.table.storage.store import Unwritten

    with house.opened() as store:
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
def forget(person: str, house: House) -> None:
    """Erase a PERSON: name, devices, addresses; their games stay without their name.

    A person is named by a seat: TABLE:2 is whoever sits on seat 2 of that table.
    """
    from yegg.table.service import block_list

    with house.changing() as connection:
        count = block_list.forget(connection, _person(connection, person))
    say(f"forgotten; {counted(count, 'game stays', 'games stay')} without the name")


@command.command("block", context_settings=DASHED)
@click.argument("who")
@option("--why", "A note for yourself.", None, "", show_default=False)
@of_a_house
def block(who: str, why: str, house: House) -> None:
    """Let somebody not play here: a person (TABLE:2), an address, or a network (192.0.2.0/24).

    Whoever is blocked as a person can look on, and can come again as somebody else, since nobody
    needs an account.  An address is turned away altogether.
    """
    from yegg.table.networks import network
    from yegg.table.service import block_list

    address = network(who)
    with house.changing() as connection:
        blocked = str(address) if address else _person(connection, who)
        block_list.bar(connection, blocked, why[:200])
    say(f"{who} cannot play here any more")


@command.command("unblock", context_settings=DASHED)
@click.argument("who")
@of_a_house
def unblock(who: str, house: House) -> None:
    """Let somebody play here again; WHO as `yegg house blocked` lists them."""
    from yegg.table.networks import network
    from yegg.table.service import block_list

    with house.changing() as connection:
        was_blocked = block_list.let_in(connection, str(network(who) or who))
    if not was_blocked:
        raise click.UsageError(f"nobody has blocked {quoted(who)}")
    say(f"{who} can play here again")


@command.command("blocked")
@of_a_house
def blocked(house: House) -> None:
    """List who cannot play here."""
    from yegg.table.service import block_list

    with house.changing() as connection:
        for row in block_list.listed(connection):
            say(f"{row.who}  {row.why}".rstrip())


def _person(connection: "Connection", named: str) -> str:
    """The person on a seat.  Raises UsageError."""
    from yegg.table.service import block_list

    key, _, number = named.rpartition(":")
    person = block_list.seat(connection, key, int(number) if number.isdecimal() else 0)
    if person is None:
        raise click.UsageError(f"{quoted(named)} is no person: TABLE:2 is who sits on its seat 2")
    return person
