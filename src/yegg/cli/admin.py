"""``yegg house``: administration of a server: backups, new rules, guests, the host's key."""

import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.files import open_private
from yegg.text.phrases import counted
from yegg.text.untrusted import quoted, say

from .house import House, of_a_house
from .house_figures import day, people, stats, tables
from .options import FOLDER, PATH, Named, flag, json_option, number, option
from .output import draw, emit, table

if TYPE_CHECKING:
    from sqlalchemy import Connection

DASHED = {"ignore_unknown_options": True}  # a key may begin with a dash and is no option then


@click.group("house")
def command() -> None:
    """Look after a house: who plays there, copies, new rules, guests.

    Each command needs to know where the games are, as `yegg serve` does: by --db, YEGG_DB or the
    settings of --config.  Servers may go on meanwhile, if nothing else is said.
    """


for looks in (tables, people, stats):
    command.add_command(looks)


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
        name = None if address else block_list.called(connection, blocked)
        block_list.bar(connection, blocked, why[:200], name)
    say(f"{name or who} cannot play here any more")


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
@json_option
def blocked(house: House, *, as_json: bool) -> None:
    """List who cannot play here, by the names of then, and since when."""
    from yegg.table.service import block_list

    with house.changing() as connection:
        kept = block_list.listed(connection)

    def listed() -> None:
        rows = table("who", "since", "why", fold=True)
        for one in kept:
            rows.add_row(one.name, day(one.at), one.why)
        draw(rows)

    emit(
        lambda: [{"name": one.name, "at": one.at, "why": one.why} for one in kept],
        listed if kept else lambda: say("nobody is blocked"),
        as_json=as_json,
    )


@command.command("host-key")
@flag("--end", "Have no key any more, and no page.")
@of_a_house
def host_key(*, end: bool, house: House) -> None:
    """Make a key to the host's page, /host of your server; a key of before ends.

    There you see tables in play and people, and rename, mute or block somebody or close a table by
    one press.  The key is shown this once: the house keeps only its digest.
    """
    from yegg.table.accounts import host_key as keys
    from yegg.table.accounts.tokens import new_token

    with house.opened() as store:
        store.secret(new_token())  # so that there is a row to keep the digest in
        with store.engine.begin() as connection:
            if end:
                keys.end(connection)
                say("there is no key any more")
                return
            key = keys.make(connection)
    say(f"{key}\n\nOpen /host of your server, and type this key there.")


def _person(connection: "Connection", named: str) -> str:
    """The person on a seat.  Raises UsageError."""
    from yegg.table.service import block_list

    key, _, number = named.rpartition(":")
    person = block_list.seat(connection, key, int(number) if number.isdecimal() else 0)
    if person is None:
        raise click.UsageError(f"{quoted(named)} is no person: TABLE:2 is who sits on its seat 2")
    return person
