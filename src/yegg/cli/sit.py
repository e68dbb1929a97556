"""``yegg sit``: a bot takes a seat at a table on any server."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from yegg import private

from .arguments import GameName, enrolled

if TYPE_CHECKING:
    from yegg.engine import Game


@click.command()
@click.argument("url")
@click.option(
    "--bot", default="hard", show_default=True, metavar="NAME", help="A bot, or mybots:Bold."
)
@click.option("--name", default="", help="What the bot is called at the table.")
@click.option(
    "--seat", type=click.IntRange(1), metavar="N", help="Take this seat; by default any free one."
)
@click.option(
    "--token",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the seat's token in this file; if it is there already, take that seat up again.",
)
@click.option("--forever", is_flag=True, help="URL is a server: play at table after table.")
@click.option(
    "--game",
    "games",
    type=GameName(),
    multiple=True,
    help="With --forever: only tables of this game; may be given several times.",
)
def command(
    url: str,
    bot: str,
    name: str,
    seat: int | None,
    token: Path | None,
    forever: bool,
    games: "tuple[Game, ...]",
) -> None:
    """Let a bot play at the table URL, through its HTTP interface.

    What the bot needs is compiled first, which takes up to a minute the first time.
    It goes on after a lost connection or a restart of the server, and stops when the game is
    over.  Ctrl-C gives the seat back, unless --token keeps it.

    \b
    yegg sit http://localhost:8000/t/… --bot hard
    yegg sit http://localhost:8000/t/… --bot mybots:Bold --token seat.txt
    yegg sit http://localhost:8000 --bot medium --forever --game magnate
    """
    try:
        from yegg.client import sit, sit_forever, token_for
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"sitting at tables needs more libraries ({error.name}): pip install 'yegg[client]'"
        ) from None
    from yegg.text.untrusted import say

    (bot,) = enrolled([bot])
    if forever:
        if seat or token:
            raise click.UsageError("--seat and --token are for one table, without --forever")
        sit_forever(url, bot, name=name, games=tuple(game.name for game in games), say=say)
    else:
        if games:
            raise click.UsageError("--game goes with --forever: a table's link means one game")
        sit(url, bot, name=name, seat=seat, token=kept(token, partial(token_for, url)), say=say)


def kept(file: Path | None, fresh: Callable[[], str]) -> str:
    """The token in a file; a new one is written there before it is used."""
    if file is None:
        return ""
    if file.exists():
        return file.read_text(encoding="ascii").strip()
    token = fresh()
    with private.opened(file, "x") as opened:
        opened.write(token)
    return token
