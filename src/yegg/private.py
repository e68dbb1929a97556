"""Files that nobody but their owner may read, whatever the umask: they hold what is secret."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

FILE, FOLDER = 0o600, 0o700
OTHERS = 0o077


def opened(path: Path, mode: str) -> IO[Any]:
    """As ``open``: text is UTF-8, and others may not read the file from its first byte on."""
    encoding = None if "b" in mode else "utf-8"
    return open(path, mode, encoding=encoding, opener=_own)


def _own(path: str, flags: int) -> int:
    handle = os.open(path, flags, FILE)
    how = os.fstat(handle).st_mode
    if stat.S_ISREG(how) and stat.S_IMODE(how) != FILE:
        os.fchmod(handle, FILE)
    return handle


def mend(name: Path, paths: Iterable[Path]) -> list[str]:
    """Take from others what they may do with files and folders; return what is to be said of it.

    ``name`` is what these are called together.  Links are left, and what is not there.
    """
    mended, left = 0, 0
    for path in paths:
        try:
            how = path.lstat().st_mode
            if how & OTHERS and (stat.S_ISREG(how) or stat.S_ISDIR(how)):
                path.chmod(stat.S_IMODE(how) & ~OTHERS)
                mended += 1
        except FileNotFoundError:
            continue
        except PermissionError:
            left += 1
    said = []
    if mended:
        said += [f"others on this machine could read {_files(mended)} of {name}; now they cannot"]
    if left:
        why = "and only whose it is can change that"
        said += [f"others on this machine can read {_files(left)} of {name}, {why}"]
    return said


def _files(many: int) -> str:
    return f"{many} file{'s' * (many != 1)}"
