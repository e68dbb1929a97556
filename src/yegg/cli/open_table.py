"""``yegg open``: a table on a server, for people and for bots that sit down there."""

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg.text.phrases import counted
from yegg.text.untrusted import say

from .bot import kept_token
from .options import (
    FILE,
    checked,
    flag,
    game_argument,
    json_option,
    names_of,
    option,
    options_option,
    players_option,
)
from .output import emit

if TYPE_CHECKING:
    from yegg.engine import Game

ME, OPEN = "me", "open"


@click.command(name="open")
@click.argument("url")
@game_argument
@players_option
@options_option
@option(
    "--seats A,B,…",
    "For each seat: open (for whoever comes), me (yours, which needs --token), or a bot of the "
    "server's; by default all are open, and with --token the first is yours.",
    callback=names_of,
)
@option("--name", "What you are called at your seat; without one, Guest.", None, "")
@option(
    "--token FILE",
    "Have a seat of your own there, and keep its token in this file: "
    "yegg sit with the same file plays it.",
    FILE,
)
@flag("--listed", "Show the table in the server's lobby, where anybody may sit down.")
@json_option
def open_table(
    url: str,
    game: "Game",
    players: int | None,
    options: dict[str, str],
    seats: list[str],
    name: str,
    token: Path | None,
    listed: bool,
    as_json: bool,
) -> None:
    """Open a table for GAME on the server at URL, and say how people and bots get there.

    \b
    yegg open http://localhost:8000 magnate
    yegg open http://localhost:8000 secrets -p 4 --seats open,open,hard,medium
    yegg open http://localhost:8000 second-story --option houses=5 --token seat.txt

    Whoever has the link sits down: people in a browser, a bot by yegg sit.  The game begins once
    all seats are taken.  Whoever has the file of --token has your seat.
    """
    from yegg import client

    count = len(seats) or (game.usual_players(options) if players is None else players)
    if seats and players not in (None, count):
        why = f"--seats has {counted(count, 'seat')}, and -p says {players}"
        raise click.UsageError(f"{why}; give one of the two")
    checked(game, count, options)
    seats = seats or [ME if token and seat == 0 else OPEN for seat in range(count)]
    if seats.count(ME) != (token is not None):
        raise click.UsageError(
            "--token FILE keeps the token of the one seat that is yours, as in "
            "--seats me,open --token seat.txt"
        )
    if token and token.exists():
        raise click.UsageError(f"{token} is there already: take another file for this seat")
    with client.Server(url) as server:
        mine = kept_token(token, server.token)
        try:
            seat = server.open(game.name, seats, name, options, token=mine, listed=listed)
        except client.Gone:
            if token:  # it is the token of no seat
                token.unlink()
            raise
        link = seat.link
    own = seats.index(ME) + 1 if token else None
    told = {"link": link, "table": seat.table, "game": game.name, "seats": seats, "seat": own}
    emit(
        lambda: told | {"token_file": str(token) if token else None},
        partial(_show, game, link, seats, token),
        as_json=as_json,
    )


def _show(game: "Game", link: str, seats: list[str], token: Path | None) -> None:
    """The link, and what to type next."""
    say(f"A table of {game.title} with {counted(len(seats), 'seat')} is open:\n\n  {link}\n")
    if OPEN in seats:
        say("Send people this link.  For a bot on a free seat:\n")
        say(f"  yegg sit {link} --bot hard\n")
    if token:
        say(f"Seat {seats.index(ME) + 1} is yours.  For a bot of yours there:\n")
        say(f"  yegg sit {link} --token {shlex.quote(str(token))} --bot hard\n")
