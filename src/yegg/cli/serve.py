"""``yegg serve``: start the web server, and open the browser."""

import errno
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from yegg.table import networks
from yegg.table.admin.configuration import shown
from yegg.text.phrases import listing
from yegg.text.untrusted import quoted

from .about import warn
from .options import FILE, enrolled, flag, option
from .settings import configured, serving, setting_options, usable, where

WHY_CLOSED = {
    errno.EADDRINUSE: "something listens there already, perhaps a table; --port N takes another",
    errno.EADDRNOTAVAIL: "this machine has no such address; 0.0.0.0 means all that it has",
    errno.EACCES: "ports below 1024 are for administrators; --port 8000 takes another one",
    errno.EAFNOSUPPORT: "this machine has no addresses of that kind",
}


@click.command("serve")
@option(
    "--config FILE",
    "Settings in TOML; else yegg.toml in your settings folder, or in /etc/yegg.",
    FILE,
    envvar="YEGG_CONFIG",
)
@flag("--check", "Only show the settings that would hold, as TOML.")
@flag("--open show", "Open the browser.")
@setting_options
def command(config: Path | None, check: bool, show: bool, **said: Any) -> None:
    """Serve tables of all games to browsers and scripts.

    \b
    What the command line says counts most, then the variables YEGG_PORT, YEGG_DB …,
    then the file.  docs/hosting.md lists its keys.
    """
    from yegg.table.app import serve
    from yegg.table.notifications.notifier import checked

    holds = configured(config, said)
    settings = replace(holds.settings, db=where(holds), host=networks.plain(holds.settings.host))
    if settings.telling:
        settings = replace(settings, telling=checked(settings.telling))
    if check:
        click.echo(shown(replace(holds, settings=settings)), nl=False)
        return
    warn()
    click.get_current_context().with_resource(serving(holds))
    enrolled(settings.bots)
    host, port = settings.host, settings.port
    if why := _closed(host, port):
        raise click.UsageError(f"nothing can be served at {networks.url(host, port)}: {why}")
    letters = settings.telling and settings.telling.letters
    if letters and (why := _closed(*letters, shared=True)):
        raise click.UsageError(f"no letters can be taken at {letters[0]}:{letters[1]}: {why}")
    address = networks.url(networks.here(host), port)
    click.echo(f"The table is at {address}   (Ctrl-C ends it)")
    if not settings.secure:  # else a proxy stands before it
        click.echo(_for_friends(host, port))
    if show:
        threading.Thread(target=_show_when_there, args=[address], daemon=True).start()
    with usable(settings.db):
        serve(settings)


def _for_friends(host: str, port: int) -> str:
    """Where others in the network reach the server, or how they could."""
    urls = [networks.url(own, port) for own in networks.every_outside(host)]
    if urls:
        return f"Friends in your network reach it at {listing(urls, 'or')}"
    if host in networks.EVERYWHERE:
        return "This machine is in no network yet, so nobody else can reach it."
    return "Only this machine reaches it; with --host 0.0.0.0 friends in your network do too."


def _closed(host: str, port: int, *, shared: bool = False) -> str:
    """Why nobody can listen there, in words; ``shared``: beside others who share the port."""
    if not host:
        return "no host is named; 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses"
    for door in networks.doors(host):
        try:
            for family, kind, _, _, at in socket.getaddrinfo(door, port, type=socket.SOCK_STREAM):
                with socket.socket(family, kind) as listener:
                    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(shared))
                    if family == socket.AF_INET6:
                        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                    listener.bind(at)
        except (socket.gaierror, UnicodeError):
            return f"no host is called {quoted(door)}; take a name or an address of this machine"
        except OSError as error:
            return WHY_CLOSED.get(error.errno or 0, error.strerror or str(error))
    return ""


def _show_when_there(address: str) -> None:
    """Open the browser as soon as the server answers, or say that there is none."""
    for _ in range(600):
        try:
            urllib.request.urlopen(address + "health", timeout=2)  # noqa: S310
        except urllib.error.HTTPError:
            break  # still compiling, but it answers
        except OSError:
            time.sleep(0.2)
        else:
            break
    if not browse(address):
        click.echo(f"There is no browser to open here: go to {address} yourself.")


def browse(address: str) -> bool:
    """Open the browser at an address if there is a screen: a text browser takes the terminal."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )
    try:
        return screen and webbrowser.open(address)
    except webbrowser.Error:
        return False
