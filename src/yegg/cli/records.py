"""``yegg replay``, and records as other commands open them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.phrases import counted, listing
from yegg.text.untrusted import say

from .options import PATH, cards_option, number
from .output import draw

if TYPE_CHECKING:
    from yegg.engine import Match


@click.command()
@click.argument("files", nargs=-1, required=True, type=PATH)
@number("--at", least=0, says="Show the position after event N.")
@click.option("--seat", type=int, metavar="K", help="As seat K sees it (0: a spectator).")
@cards_option
def replay(files: tuple[Path, ...], at: int | None, seat: int | None, cards: Path | None) -> None:
    """Check the records FILES by playing them again, or show a position of theirs.

    \b
    yegg replay my.game                    is it a game that can be played?
    yegg replay my.game --at 12            the position after 12 events
    yegg replay my.game --at 12 --seat 2   as the second player saw it

    A record that is wrong anywhere is refused with FILE:LINE and the reason, and the
    command ends with status 1.
    """
    from yegg.engine.notation import BadRecord

    from . import FAILED

    bad = 0
    for file in files:
        try:
            _replay(file, at, seat, cards)
        except BadRecord as error:
            say(f"yegg: {error}", err=True)
            bad += 1
    if bad:
        raise click.exceptions.Exit(FAILED)


def _replay(file: Path, at: int | None, seat: int | None, cards: Path | None) -> None:
    from yegg import games
    from yegg.engine import notation

    from .play.terminal import WHOLE, scene

    match = notation.read_file(file, games.find, how="plain", cards=cards)
    if seat is not None and not 0 <= seat <= match.players:
        raise click.UsageError(f"there is no seat {seat}; seats are 1 to {match.players}")
    if at is None and seat is None:
        say(f"{file}: {summary(match)}")
        return
    then = _back(match.fork(), file, at)
    if at:
        lines = notation.body(match, seat=None if seat is None else seat - 1)
        draw(f"{file}: event {at} of {len(match.history)}: {lines[at - 1]}", soft_wrap=True)
    draw(scene(then, WHOLE if seat is None else seat - 1))


def position(file: Path, at: int | None, cards: Path | None) -> "Match":
    """The match of a record after event ``at``, or at its end.  Raises BadRecord, UsageError."""
    from yegg import games
    from yegg.engine import notation

    return _back(notation.read_file(file, games.find, cards=cards), file, at)


def _back(match: "Match", file: Path, at: int | None) -> "Match":
    """The match, taken back to event ``at``.  Raises UsageError where it had fewer."""
    events = len(match.history)
    if at is None:
        return match
    if at > events:
        raise click.UsageError(f"{file} has {counted(events, 'event')}; --at {at} is beyond")
    match.back(at)
    return match


def summary(match: "Match") -> str:
    """A record that was checked, in one line."""
    players, events = counted(match.players, "player"), counted(len(match.history), "event")
    text = f"{match.game.title}, {players}, {events}, "
    if not match.over:
        return text + "still going on"
    sides = zip(match.side_names(), match.places, strict=True)
    best = [name for name, place in sides if place == 1]
    return text + ("won by " if len(best) == 1 else "shared by ") + listing(best)
