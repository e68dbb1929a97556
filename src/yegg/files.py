"""Writing files atomically, private files that only their owner may read, and taking turns."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
OTHERS = 0o077
PART = ".part"  # the end of the name of a file that is still being written


def write_atomic(path: Path, data: bytes, *, private: bool = False, lasting: bool = True) -> None:
    """Replace a file in one step; a crash leaves either the old one or the whole new one.

    When this returns it is on disk, unless it need not be ``lasting``.  A ``private`` one may be
    read by nobody but its owner.
    """
    with (
        replacing(path, lasting=lasting) as part,
        open_private(part, "wb") if private else part.open("wb") as file,
    ):
        file.write(data)


@contextmanager
def replacing(path: Path, *, lasting: bool = True) -> Iterator[Path]:
    """Where to write what replaces a file once it is whole; see `write_atomic`."""
    part = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        yield part
        if lasting:
            sync(part)
        part.replace(path)
    except Exception:
        part.unlink(missing_ok=True)
        raise
    if lasting:
        sync(path.parent)


def sync(path: Path) -> None:
    """Have a file on disk; of a folder the names in it, not what they hold."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def open_private(path: Path, mode: str) -> IO[Any]:
    """As ``open``: text is UTF-8, and others may not read the file from its first byte on."""
    encoding = None if "b" in mode else "utf-8"
    return open(path, mode, encoding=encoding, opener=_own)


def _own(path: str, flags: int) -> int:
    handle = os.open(path, flags, PRIVATE_FILE)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode) and stat.S_IMODE(mode) != PRIVATE_FILE:
        os.fchmod(handle, PRIVATE_FILE)
    return handle


def make_private(name: Path, paths: Iterable[Path]) -> list[str]:
    """Make files and folders readable by their owner alone; return what is to be said of it.

    ``name`` is what these are called together.  Links are left, and what is not there.
    """
    changed, left = 0, 0
    for path in paths:
        try:
            mode = path.lstat().st_mode
            if mode & OTHERS and (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)
                changed += 1
        except FileNotFoundError:
            continue
        except PermissionError:
            left += 1
    lines = []
    if changed:
        lines += [f"others on this machine could read {_files(changed)} of {name}; now they cannot"]
    if left:
        why = "and only whose it is can change that"
        lines += [f"others on this machine can read {_files(left)} of {name}, {why}"]
    return lines


def _files(many: int) -> str:
    return f"{many} file{'s' * (many != 1)}"


@contextmanager
def in_turn(folder: Path, name: str = "") -> Iterator[None]:
    """One process of this machine at a time; the others wait.

    Where the folder cannot be locked nobody waits.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):  # Windows has no fcntl
            import fcntl

            folder.mkdir(parents=True, exist_ok=True)
            lock = stack.enter_context((folder / f"{name}.lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
