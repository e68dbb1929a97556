"""`yegg serve`: the table in the browser."""

from pathlib import Path

import click


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: for everybody near.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--db", metavar="FILE|URL", help="Where games are kept; else in your data folder.")
@click.option("--open", "show", is_flag=True, help="Open the browser.")
@click.option("--allow", multiple=True, metavar="NAME", help="A name this host goes by.")
@click.option("--pace", default=0.6, show_default=True, help="Seconds a bot takes at least.")
@click.option("--no-limits", is_flag=True, help="No limits to requests a second (for measuring).")
@click.option("--no-warm", is_flag=True, help="Compile a game when it is first played.")
@click.option("--https", is_flag=True, help="It is reached over https, through a proxy.")
def command(
    host: str,
    port: int,
    db: str | None,
    show: bool,
    allow: tuple[str, ...],
    pace: float,
    no_limits: bool,
    no_warm: bool,
    https: bool,
) -> None:
    """Serve tables of all games to browsers and scripts."""
    try:
        from .app import serve
        from .settings import Settings
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"the table needs more libraries ({error.name}): pip install 'yegg[table]'"
        ) from None
    address = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}/"  # noqa: S104
    click.echo(f"The table is at {address}   (Ctrl-C ends it)")
    if show:
        _open_when_ready(address)
    serve(
        Settings(host, port, _url(db), allow, not no_limits, pace, warm=not no_warm, secure=https)
    )


def _url(db: str | None) -> str:
    if db and "://" in db:
        return db
    path = Path(db) if db else Path(click.get_app_dir("yegg")) / "table.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{path}"


def _open_when_ready(address: str) -> None:
    import threading
    import time
    import urllib.error
    import urllib.request
    import webbrowser

    def wait() -> None:
        for _ in range(600):
            try:
                urllib.request.urlopen(address + "health", timeout=2)  # noqa: S310
            except urllib.error.HTTPError:
                pass  # still warming up
            except OSError:
                time.sleep(0.2)
                continue
            webbrowser.open(address)
            return

    threading.Thread(target=wait, daemon=True).start()
