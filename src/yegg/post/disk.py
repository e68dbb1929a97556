"""Files that are written whole or not at all, and a lock on a folder."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yegg.engine import Refused
from yegg.files import PRIVATE_FOLDER, open_private, sync, write_atomic

PATIENCE = 10.0  # seconds to wait for another command


def put(path: Path, text: str) -> None:
    """Replace the text of a file; a crash leaves either the old text or the new one."""
    path.parent.mkdir(PRIVATE_FOLDER, exist_ok=True)
    write_atomic(path, text.encode(), private=True)


def drop(path: Path) -> None:
    """Delete a file, if it is there."""
    path.unlink(missing_ok=True)
    sync(path.parent)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock the folder.  Raises Refused if another command keeps it locked."""
    with open_private(folder / ".lock", "wb") as lock:
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
