"""``yegg post``: run a game of Secrets by post."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.files import check_kind, make_private
from yegg.text.untrusted import quoted, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .folder import Folder

LARGEST = 200_000  # bytes; a longer letter is refused
FOLDER = click.argument("folder", type=click.Path(path_type=Path))


@click.group()
def command() -> None:
    """Run a game of Secrets by post: collect orders, carry out turns, send reports.

    \b
    yegg post new league --players Ann,Bill,Charles --deadline 3d
    yegg post orders league Ann mail.txt
    yegg post status league
    yegg post adjudicate league
    """


@command.command(short_help="Start a game in a new folder.")
@FOLDER
@click.option(
    "--players", "-p", required=True, metavar="NAMES", help="Who plays: Ann,Bill,Charles."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a rule: hidden=yes; repeat for more. `yegg play secrets --option` lists them.",
)
@click.option(
    "--deadline",
    default="",
    metavar="WHEN",
    help="3d, 12h, 45m or 1w for every turn; or a date and time: 2026-12-01 20:00 (UTC).",
)
def new(folder: Path, players: str, options: tuple[str, ...], deadline: str) -> None:
    """Start a game in the new folder FOLDER.

    \b
    yegg post new league --players Ann,Bill,Charles --deadline 3d
    yegg post new club --players Ann,Bill,Charles --option hidden=yes
    """
    from yegg.engine import Refused

    from . import deadlines
    from .folder import create

    chosen = {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or name in chosen:
            raise Refused(f"options are NAME=VALUE, each once; not {quoted(option)}")
        chosen[name] = value
    names = [name.strip() for name in players.split(",")]
    if not all(names):
        raise Refused(f"--players has an empty name in {quoted(players)}")
    due = deadlines.begin(deadline) if deadline else deadlines.Deadline()
    made = create(folder, names, chosen, due)
    wanted = "points" if made.turn == 0 else "orders"
    say(f"{folder}: a game of {', '.join(made.names)}. First {wanted} are due: {due}.")


@command.command(short_help="Take a player's orders from a mail.")
@FOLDER
@click.argument("player")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--late", is_flag=True, help="Take them although the deadline has passed.")
def orders(folder: Path, player: str, file: Path, *, late: bool) -> None:
    """Take PLAYER's orders from FILE, or from standard input for `-`.

    \b
    yegg post orders league Ann mail.txt
    cat mail.txt | yegg post orders league Ann -

    The orders may stand anywhere in the text.  They are checked, kept, and repeated as a
    receipt.  Until the deadline, new orders replace earlier ones.
    """
    from yegg.engine.orders import Faulty

    text = letter(file)
    with opened(folder) as game:
        seat = game.seat(player)
        try:
            say(game.receive(seat, text, late=late))
        except Faulty as error:
            few = len(error.faults) == 1
            many = "there is one thing" if few else f"there are {len(error.faults)} things"
            say(f"yegg: the orders of {game.names[seat]} are not kept; {many} to mend:", err=True)
            for fault in error.faults:
                say(f"  {fault}", err=True)
            raise click.exceptions.Exit(1) from None


@command.command(short_help="Tell whose orders are missing.")
@FOLDER
def status(folder: Path) -> None:
    """Tell whose orders are in and whose are missing, never what they are."""
    with opened(folder) as game:
        if game.match.over:
            say((game.report_paths(game.turn - 1)[0]).read_text("utf-8"), end="")
            return
        missing = game.missing(game.turn)
        stage = f"turn {game.turn} of {game.turns}" if game.turn else "set-up"
        say(f"{folder}, {stage}. Orders are due: {game.deadline(game.turn)}.")
        for seat, name in enumerate(game.names):
            say(f"  {name}: {'missing' if seat in missing else 'in'}")


@command.command(short_help="Carry out the turn, write the reports.")
@FOLDER
@click.option("--now", is_flag=True, help="Do so even if orders are missing before the deadline.")
@click.option("--deadline", default="", metavar="WHEN", help="When the next orders are due.")
def adjudicate(folder: Path, *, now: bool, deadline: str) -> None:
    """Carry out the turn and write the reports."""
    with opened(folder) as game:
        game.adjudicate(anyway=now, following=deadline)
        everybody, *own = game.report_paths(game.turn - 1)
        say(everybody.read_text("utf-8"))
        say(f"For all: {everybody}")
        for name, path in zip(game.names, own, strict=True):
            say(f"For {name} alone: {path}")


@command.command(short_help="Take the last turn back.")
@FOLDER
def undo(folder: Path) -> None:
    """Take the last adjudication back; its orders are kept and can be changed."""
    with opened(folder) as game:
        turn = game.undo()
        stage = f"Turn {turn}" if turn else "The set-up"
        late = "; its deadline has passed" if game.deadline(turn).passed() else ""
        say(f"{stage} is open again{late}. Orders for later turns no longer count.")


@contextmanager
def opened(folder: Path) -> "Iterator[Folder]":
    """A game that no other command changes meanwhile; repaired if the last one crashed."""
    from yegg.engine import Refused

    from .folder import RECORD, Folder, alone

    if not (folder / RECORD).is_file():
        raise Refused(f"there is no game by post in {folder}: no {RECORD}")
    with alone(folder):
        for why in make_private(folder, (folder, *folder.rglob("*"))):
            say(f"yegg: {why}", err=True)
        game = Folder(folder)
        game.mend()
        yield game


def letter(file: Path) -> str:
    """A player's letter.  Raises Refused if it cannot be read."""
    from yegg.engine import Refused

    name = "the letter" if str(file) == "-" else str(file)
    if str(file) == "-":
        raw = sys.stdin.buffer.read(LARGEST + 1)
    else:
        check_kind(file)
        with file.open("rb") as source:
            raw = source.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise Refused(f"{name} is larger than {LARGEST} bytes; send the orders alone")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{name} is not UTF-8 text; save it as UTF-8 and send it again") from None
    if "\0" in text:
        raise Refused(f"{name} is not text: it contains a zero byte")
    if not text.strip():
        raise Refused(f"{name} is empty")
    return text
