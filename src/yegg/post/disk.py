"""Files that are written whole or not at all, and a lock on a folder."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yegg import private
from yegg.engine import Refused

PATIENCE = 10.0  # seconds to wait for another command
FRESH = ".new"  # the end of the name of a file that is still being written


def put(path: Path, text: str) -> None:
    """Replace the text of a file; a crash leaves either the old text or the new one."""
    path.parent.mkdir(private.FOLDER, exist_ok=True)
    fresh = path.with_name(f".{path.name}{FRESH}")
    with private.opened(fresh, "wb") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    settle(path.parent)


def drop(path: Path) -> None:
    """Delete a file, if it is there."""
    path.unlink(missing_ok=True)
    settle(path.parent)


def settle(folder: Path) -> None:
    """Make sure that the names of the files, not only their contents, are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock the folder.  Raises Refused if another command keeps it locked."""
    with private.opened(folder / ".lock", "wb") as lock:
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
