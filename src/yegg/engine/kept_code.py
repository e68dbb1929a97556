"""What machine code is kept on this machine: listed, and cleared."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from yegg import folders

from . import kept_files

ENDS = {kept_files.INDEX, kept_files.CODE, ".lock", ".ready"}


class KeptFunction(NamedTuple):
    """A function or a kernel, with its machine code for all types that it was called with."""

    module: str
    function: str
    size: int
    """In bytes, with what names its parts."""
    written: float
    """When, in seconds since 1970."""


def kept_functions() -> tuple[list[KeptFunction], int]:
    """All functions that are kept; and how many were not as they were kept, and are removed."""
    indices = sorted(folders.cache().rglob(f"*{kept_files.INDEX}"))
    whole = [index for index in indices if kept_files.whole(index)]
    return sorted(_read(whole)), len(indices) - len(whole)


def _read(indices: list[Path]) -> Iterator[KeptFunction]:
    for index in indices:
        with suppress(OSError, ValueError):  # another process may clear it meanwhile
            found = [path.stat() for path in index.parent.glob(f"{index.stem}.*")]
            module, _, function = index.name.partition("__")[0].partition(".")
            written = max(file.st_mtime for file in found)
            yield KeptFunction(module, function, sum(file.st_size for file in found), written)


def clear() -> tuple[int, int]:
    """Remove all that is kept, and nothing else that lies there: so many files, of so many bytes.

    Processes that run go on with what they have loaded.  Raises OSError.
    """
    there = folders.cache()
    files = [path for path in there.rglob("*") if path.suffix in ENDS and path.is_file()]
    size = sum(path.stat().st_size for path in files)
    for path in files:
        path.unlink(missing_ok=True)
    above = {folder for path in files for folder in path.parents if there in folder.parents}
    for folder in sorted(above, reverse=True):
        with suppress(OSError):  # something else lies in it
            folder.rmdir()
    return len(files), size
