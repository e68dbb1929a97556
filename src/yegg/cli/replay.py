"""``yegg replay``: check records, and look at any position as a seat saw it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.untrusted import say

from .arguments import cards_option

if TYPE_CHECKING:
    from yegg.engine import Match


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(0), metavar="N", help="Show the position after event N.")
@click.option("--seat", type=int, metavar="K", help="As seat K sees it (0: a spectator).")
@cards_option
def command(files: tuple[Path, ...], at: int | None, seat: int | None, cards: Path | None) -> None:
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
    from yegg.text.phrases import counted

    from .scene import WHOLE, scene
    from .screen import Screen

    match = notation.read_file(file, games.find, how="plain", cards=cards)
    if seat is not None and not 0 <= seat <= match.players:
        raise click.UsageError(f"there is no seat {seat}; seats are 1 to {match.players}")
    if at is None and seat is None:
        say(f"{file}: {summary(match)}")
        return
    events = len(match.history)
    if at is not None and at > events:
        raise click.UsageError(f"{file} has {counted(events, 'event')}; --at {at} is beyond")
    there = match.again()
    there.follow(match.history[: events if at is None else at])
    console = Screen()
    lines = notation.body(match, seat=None if seat is None else seat - 1)
    if at:
        console.print(f"{file}: event {at} of {events}: {lines[at - 1]}", soft_wrap=True)
    console.print(scene(there, WHOLE if seat is None else seat - 1))


def summary(match: "Match") -> str:
    """A record that was checked, in one line."""
    from yegg.text.phrases import counted, listing

    players, events = counted(match.players, "player"), counted(len(match.history), "event")
    text = f"{match.game.title}, {players}, {events}, "
    if not match.over:
        return text + "still going on"
    sides = zip(match.side_names(), match.places, strict=True)
    best = [name for name, place in sides if place == 1]
    return text + ("won by " if len(best) == 1 else "shared by ") + listing(best)
