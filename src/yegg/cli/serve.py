"""`yegg serve`: the table in the browser."""

import socket
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from yegg.engine.prose import listing
from yegg.table.http import addresses

from .arguments import bot_names
from .browser import show_when_there
from .telling import settings_of, telling_options


@click.command("serve")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen; 0.0.0.0 lets friends in your network join.",
)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--db",
    envvar="YEGG_DB",
    metavar="FILE|URL",
    help="Where to keep games: by default a file in your data folder; postgresql://… for many.",
)
@click.option("--open", "show", is_flag=True, help="Open the browser.")
@click.option("--allow", multiple=True, metavar="NAME", help="A further host name of the server.")
@click.option("--pace", default=0.6, show_default=True, help="Seconds that a bot takes at least.")
@click.option(
    "--away",
    default=3.0,
    show_default=True,
    type=click.FloatRange(0.0),
    help="A player whose turn it is counts as away after this many minutes without a sign.",
)
@click.option(
    "--bots",
    callback=bot_names,
    metavar="A,B,…",
    help="Also offer these bots of your own, as mybots:Bold.",
)
@click.option("--no-limits", is_flag=True, help="Do not limit requests (for measuring).")
@click.option("--no-warm", is_flag=True, help="Compile each game only when it is first played.")
@click.option("--https", is_flag=True, help="A proxy in front serves https.")
@telling_options
def command(
    host: str,
    port: int,
    db: str | None,
    show: bool,
    allow: tuple[str, ...],
    pace: float,
    away: float,
    bots: list[str],  # `bot_names` has made them known
    no_limits: bool,
    no_warm: bool,
    https: bool,
    **telling: Any,
) -> None:
    """Serve tables of all games to browsers and scripts."""
    try:
        from yegg.table.app import serve
        from yegg.table.settings import Settings
        from yegg.table.storage.store import Unread
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"the table needs more libraries ({error.name}): pip install 'yegg[table]'"
        ) from None
    url = _url(db)
    _free(host, port)
    address = addresses.url(addresses.here(host), port)
    click.echo(f"The table is at {address}   (Ctrl-C ends it)")
    if not https:  # else a proxy stands before it
        click.echo(_for_friends(host, port))
    if show:
        show_when_there(address)
    settings = Settings(
        host,
        port,
        url,
        allow,
        not no_limits,
        pace,
        60 * away,
        warm=not no_warm,
        secure=https,
        telling=settings_of(telling),
    )
    try:
        serve(settings)
    except Unread as error:
        raise click.ClickException(f"the database does not answer: {error}") from None


def _for_friends(host: str, port: int) -> str:
    """Where others in the network reach the server, or how they could."""
    there = [addresses.url(own, port) for own in addresses.every_outside(host)]
    if there:
        return f"Friends in your network reach it at {listing(there, 'or')}"
    if host in addresses.EVERYWHERE:
        return "This machine is in no network yet, so nobody else can reach it."
    return "Only this machine reaches it; with --host 0.0.0.0 friends in your network do too."


def _free(host: str, port: int) -> None:
    """Raises UsageError if somebody else listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, port))
        except OSError as error:
            raise click.UsageError(
                f"nothing can be served at {host}:{port} ({error.strerror}): is a table open there "
                "already? --port N takes another"
            ) from None


def _url(db: str | None) -> str:
    if db and "://" in db:
        if db.startswith("postgres") and find_spec("psycopg") is None:
            raise click.ClickException(
                "PostgreSQL needs one more library: pip install 'yegg[postgres]'"
            )
        return db
    path = Path(db) if db else Path(click.get_app_dir("yegg")) / "table.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{path}"
