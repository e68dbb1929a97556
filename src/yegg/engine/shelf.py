"""Where Numba keeps a kernel's machine code: by what is in the code, not by where the package lies.

Numba itself names the folder after that of the source file, so it never finds what was compiled for
a copy of the package elsewhere.  The forge's folder has a name that stands for all sources.  Numba
still asks whether processor, Python and its own version are the same.  Where it knows no locators
(0.61) all is as it would be without.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Self

from numba.core import config
from numba.core.caching import _CacheLocator


class Shelf(_CacheLocator):
    """The folder of one kernel."""

    def __init__(self, function: FunctionType) -> None:
        """As `kept_in` says now."""
        self.folder = Path(config.CACHE_DIR)  # type: ignore[attr-defined]
        self.line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """Its name is a digest of the sources."""
        return self.folder.name

    def get_disambiguator(self) -> str:
        """What tells functions of one name in one file apart."""
        return str(self.line)

    @classmethod
    def from_function(cls, function: FunctionType, _file: str) -> Self:
        """Every kernel has a folder."""
        return cls(function)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Functions that Numba is given meanwhile are kept in ``folder``, named by their sources."""
    wanted = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": f"{__name__}.{Shelf.__name__}"}
    before = {name: getattr(config, name, "") for name in wanted}
    vars(config).update(wanted)
    try:
        yield
    finally:
        vars(config).update(before)
