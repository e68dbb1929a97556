"""The folders of whoever runs yegg: for compiled code, for games, for settings.

They follow the XDG Base Directory Specification: a variable that is empty, or no absolute path,
does not count.
"""

import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache as once
from pathlib import Path

NAME = "yegg"
HOMELESS = "you have no home folder (HOME names one by its absolute path)"
"""What is said to whoever needs one and has none."""


def cache() -> Path:
    """Where compiled code is kept: ``YEGG_CACHE``, or else the user's cache folder.

    Whoever has no home keeps it in a folder of their own among the temporary files.
    """
    if named := os.environ.get("YEGG_CACHE"):
        return Path(named).absolute()
    return _of("XDG_CACHE_HOME", ".cache") or _temporary()


def data() -> Path | None:
    """Where games are kept; None for whoever has no home."""
    return _of("XDG_DATA_HOME", ".local/share")


def settings() -> Path | None:
    """Where settings are looked for; None for whoever has no home."""
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home()) / NAME
    usual = "Library/Application Support" if sys.platform == "darwin" else ".config"
    return _of("" if sys.platform == "darwin" else "XDG_CONFIG_HOME", usual)


def _of(variable: str, usual: str) -> Path | None:
    """A folder that a variable names, or else the usual one in the user's home, if there is one."""
    named = _absolute(os.environ.get(variable))
    if named:
        return named / NAME
    home = _home()
    return home / usual / NAME if home else None


def _home() -> Path | None:
    """The user's home: as HOME says, or else the list of users."""
    if home := _absolute(os.environ.get("HOME")):
        return home
    if os.name == "nt":
        return Path.home()
    import pwd

    with suppress(KeyError):
        return _absolute(pwd.getpwuid(os.getuid()).pw_dir)
    return None


def _absolute(name: str | None) -> Path | None:
    path = Path(name or "")
    return path if path.is_absolute() else None


@once
def _temporary() -> Path:
    """The user's own folder among the temporary files, which nobody else may have prepared."""
    user = os.getuid()
    folder = Path(tempfile.gettempdir()) / f"{NAME}-{user}"
    with suppress(FileExistsError):
        folder.mkdir(0o700)
    there = folder.lstat()
    if stat.S_ISDIR(there.st_mode) and there.st_uid == user and not there.st_mode & 0o022:
        return folder
    return Path(tempfile.mkdtemp(prefix=f"{NAME}-"))
