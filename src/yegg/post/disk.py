"""Files that are written whole or not at all, and a folder that one command has at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yegg.engine import Refused

PATIENCE = 10.0  # seconds to wait for another command
FRESH = ".new"  # the end of a name that does not count yet


def put(path: Path, text: str) -> None:
    """Put a text in the place of what was there; a crash leaves the old one or the new one."""
    path.parent.mkdir(exist_ok=True)
    fresh = path.with_name(f".{path.name}{FRESH}")
    with fresh.open("wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    settle(path.parent)


def drop(path: Path) -> None:
    """Take a file away, if it is there."""
    path.unlink(missing_ok=True)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Have names, not only contents, on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Have the folder for oneself.  Raises Refused if another command does not let go of it."""
    with (folder / ".lock").open("wb") as lock:
        last = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > last:
                    raise Refused(f"another command is at work in {folder}; try again") from None
                time.sleep(0.02)
        yield
