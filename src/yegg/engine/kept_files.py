"""Files of machine code: each carries a checksum, and what does not match it does not count.

A full disk, a power cut or another program may leave a file cut off, emptied, changed or swapped.
Whoever unpickled it, or ran what is in it, would crash or do what somebody else wants.
"""

import hashlib
import logging
import os
import shutil
import stat
from contextlib import suppress
from functools import cache
from pathlib import Path

from yegg import folders
from yegg.files import write_atomic

log = logging.getLogger(__name__)
INDEX, CODE = ".nbi", ".nbc"
"""The ends of names: of a function's index, and of its machine code for some types."""


def keep(path: Path, data: bytes) -> None:
    """Keep a file for the next start; where that cannot be, that is told once and nothing is."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, checksum(path, data) + data, lasting=False)
    except OSError as error:
        _tell_not_kept(folders.cache(), error.strerror or str(error))


def read(path: Path) -> bytes | None:
    """What was kept there; None if nothing was.

    What is not as it was kept is removed, with all that is kept of the same function.
    """
    try:
        return _judged(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        discard(path, getattr(error, "strerror", None) or str(error))
        return None


def whole(index: Path) -> bool:
    """Whether a function's index and its machine code are as they were kept."""
    code = list(index.parent.glob(f"{index.stem}.*{CODE}"))
    return bool(code) and all(read(file) is not None for file in (index, *code))


def checksum(path: Path, data: bytes) -> bytes:
    """Of what a file holds, and of its place: a whole file in the place of another is none."""
    digest = hashlib.sha256(f"{path.parent.name}/{path.name}\n".encode())
    digest.update(data)
    return digest.digest()


def _judged(path: Path) -> bytes:
    """What was kept in a file.  Raises OSError, or ValueError if it is not as it was kept."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # nobody writes to a FIFO
    with open(handle, "rb") as file:  # noqa: PTH123  it is open already
        there = os.fstat(handle)
        if not stat.S_ISREG(there.st_mode):
            raise ValueError("it is no file")
        if there.st_uid not in _trusted():
            raise ValueError("somebody else has written it")
        data = file.read()
    size = hashlib.sha256().digest_size
    if checksum(path, data[size:]) != data[:size]:
        raise ValueError("its checksum does not match")
    return data[size:]


def _trusted() -> set[int]:
    """Whose files may be run: one's own, root's, and those of whose the cache folder is."""
    if not hasattr(os, "geteuid"):
        return {0}  # Windows knows no such numbers
    trusted = {0, os.geteuid()}
    with suppress(OSError):
        trusted.add(folders.cache().stat().st_uid)
    return trusted


def discard(path: Path, why: str) -> None:
    """Remove all that is kept of a function, and say so in a line of the log."""
    base = path.stem if path.suffix == INDEX else path.stem.rpartition(".")[0]
    try:
        if path.parent.is_file():
            path.parent.unlink()  # it stands in the place of the folder
        for file in [path, *path.parent.glob(f"{base}.*")]:
            if file.is_dir() and not file.is_symlink():
                shutil.rmtree(file)
            else:
                file.unlink(missing_ok=True)
    except OSError as error:
        _tell_not_kept(folders.cache(), error.strerror or str(error))
    else:
        log.warning("compiled code does not count and is made anew: %s: %s", path, why)


@cache
def _tell_not_kept(folder: Path, why: str) -> None:
    log.warning(
        "compiled code cannot be kept in %s (%s), so the next start compiles it again; "
        "YEGG_CACHE names another folder",
        folder,
        why.lower(),
    )
