"""Writing files atomically, private files that only their owner may read, and taking turns."""

import errno
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
OTHERS = 0o077
PART = ".part"  # the end of the name of a file that is still being written
SOON, LONG = 5.0, 30.0  # seconds after which it is told who is waited for, and who waits no longer
_stuck: set[str] = set()  # processes that were waited for in vain
log = logging.getLogger(__name__)
GIVEN = "/dev/null", "/dev/std", "/dev/fd/", "/proc/self/fd/"
"""The beginnings of paths that mean what a process was given, whatever that is."""


def check_kind(path: Path, *, replaced: bool = False) -> None:
    """Check that a path is a file or a folder, or nothing is there yet.

    From a pipe one could wait for ever, and a device may never end.  What a process was given may
    be either, unless it is to be ``replaced``.  Raises OSError.
    """
    if not replaced and str(path).startswith(GIVEN):
        return
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # whoever opens it says why not
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "is neither a file nor a folder", str(path))


def write_atomic(path: Path, data: bytes, *, private: bool = False, lasting: bool = True) -> None:
    """Replace a file in one step; a crash leaves either the old one or the whole new one.

    When this returns it is on disk, unless it need not be ``lasting``.  A ``private`` one may be
    read by nobody but its owner.
    """
    with (
        named(path),
        replacing(path, lasting=lasting) as part,
        open_private(part, "wb") if private else part.open("wb") as file,
    ):
        file.write(data)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Let an error of what is written in here name the file: a full disk does not."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def replacing(path: Path, *, lasting: bool = True) -> Iterator[Path]:
    """Where to write what replaces a file once it is whole; see `write_atomic`."""
    check_kind(path, replaced=True)
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{PART}")
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
    """One process of this machine at a time; the others wait, and say for whom if it takes long.

    Nobody waits for ever: after `LONG` seconds, or where the folder cannot be locked, it is not
    waited for.  What is done in turn must therefore be right, if wasteful, when two do it at once.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):  # Windows has no fcntl
            import fcntl

            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{name}.lock"
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666)
            stack.callback(os.close, lock)
            if _waited(lambda: fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB), lock, name):
                os.ftruncate(lock, 0)
                os.pwrite(lock, str(os.getpid()).encode(), 0)
        yield


def _waited(take: Callable[[], None], lock: int, name: str) -> bool:
    """Whether a lock could be taken in time.  The process that holds it has written its number."""
    begun, told = time.monotonic(), False
    while True:
        with suppress(BlockingIOError):
            take()
            return True
        holder = os.pread(lock, 20, 0).decode(errors="replace")
        process = f"process {holder or '(unknown)'}"
        who = "another thread" if holder == str(os.getpid()) else process
        seconds = time.monotonic() - begun
        if seconds > LONG or holder in _stuck:
            break
        if seconds > SOON and not told:
            told = True
            working = f"{who}, which is at work on {name or 'the same'}"
            log.warning("waiting for %s; %.0f seconds at most", working, LONG)
        time.sleep(0.01)
    if holder not in _stuck:
        log.warning("%s is not waited for any longer", who)
    _stuck.update(filter(None, [holder]))
    return False
