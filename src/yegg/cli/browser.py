"""Opens the browser on the machine that runs the server, if it has one."""

import os
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser

import click


def show_when_there(address: str) -> None:
    """Open the browser as soon as the server answers, or say that there is none."""
    threading.Thread(target=_wait_and_show, args=[address], daemon=True).start()


def _wait_and_show(address: str) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(address + "health", timeout=2)  # noqa: S310
        except urllib.error.HTTPError:
            break  # still compiling, but it answers
        except OSError:
            time.sleep(0.2)
        else:
            break
    if not shown(address):
        click.echo(f"There is no browser to open here: go to {address} yourself.")


def shown(address: str) -> bool:
    """Open the browser at an address if there is a screen: a text browser takes the terminal."""
    screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )
    try:
        return screen and webbrowser.open(address)
    except webbrowser.Error:
        return False
