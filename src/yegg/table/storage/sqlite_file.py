"""The file of an SQLite database: its address, whether it is ours, and who serves it."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from yegg.engine import Refused
from yegg.files import open_private

from .migrate import STEPS, stranger

PREFIX = "sqlite:///"
MAGIC = b"SQLite format 3\0"
OURS = {"alembic_version", "games", "events", "sittings"}  # tables of every version


def address(path: Path) -> str:
    """The address of a file; whatever its name contains, it stands there as it is."""
    return f"{PREFIX}{path}"


def path_of(url: str) -> Path | None:
    """The file of an address; None for a database that is no file."""
    return Path(url.removeprefix(PREFIX)) if url.startswith("sqlite:") else None


def check(path: Path) -> None:
    """Look whether games may be kept in a file: ours, an empty one, or one that is not there yet.

    Nothing is changed.  Raises Refused.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise Refused(f"there is no folder {path.parent} to keep games in: make it") from None
        return
    except OSError as error:
        raise Refused(f"{path} cannot be used: {(error.strerror or '').lower()}") from None
    if stat.S_ISDIR(mode):
        raise Refused(f"{path} is a folder; name a file in it, as {path / 'table.db'}")
    if not stat.S_ISREG(mode):
        raise Refused(f"{path} is no file on a disk, so games cannot be kept there")
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
        tables, versions = _within(path) if head == MAGIC else (set(), set())
    except (OSError, sqlite3.DatabaseError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(f"{path} cannot be read: {why.lower()}") from None
    if head and (head != MAGIC or (tables and not tables >= OURS)):
        raise Refused(f"{path} is something else than games of yegg; nothing in it was changed")
    if not versions <= STEPS.keys():
        raise Refused(f"{path} is of {stranger(*versions)}; nothing in it was changed")


def _within(path: Path) -> tuple[set[str], set[str]]:
    """The tables of a database, and if it is ours its version.

    It is only read: no file beside it is made.
    """
    at = f"file:{quote(str(path.absolute()))}?immutable=1"
    with closing(sqlite3.connect(at, uri=True)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = {name for (name,) in rows}
        last = "SELECT version_num FROM alembic_version"
        ours = connection.execute(last) if tables >= OURS else ()
        return tables, {version for (version,) in ours}


@contextmanager
def served(path: Path) -> Iterator[None]:
    """Be the only process that serves a file, whatever links lead to it.

    Raises Refused where another one serves it, or where games cannot be kept in it.
    """
    check(path)
    try:
        import fcntl
    except ImportError:  # Windows has none
        yield
        return
    # SQLite's own locks are of another kind, but would be lost if this were closed before SQLite.
    with open_private(path, "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Refused(
                f"another server keeps its games in {path}: end that one, or name another file "
                "with --db (several servers share games only in PostgreSQL: docs/hosting.md)"
            ) from None
        yield
