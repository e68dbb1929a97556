"""Machine code for custom decks: what it depends on, so that decks of one shape share it.

So code that was compiled over one deck can be lent to another of the same shape.  A folder of
machine code is named by a digest of all that the code depends on, and by the deck's own digest
after it.  The code has the deck's digest in the names of its functions and tables, and nothing else
of the deck: where that is replaced by another's, it is the other's code.
"""

import re
from enum import Enum
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, NoneType
from typing import Any

import numpy as np

from . import kept_files
from .record import Record

KEY = 20  # digits that stand for all that machine code depends on, but for a deck's tables
DIGITS = 12  # of the SHA-256 of a deck's file: what `sha256sum` prints first
OF_A_DECK = re.compile(rf"(?:[\w.]*\.)?deck_([0-9a-f]{{{DIGITS}}})\.")


def deck_of(module: str) -> str:
    """The digest of the deck that a module of this name is over; "" for the published cards."""
    found = OF_A_DECK.match(module)
    return found[1] if found else ""


def names(code: CodeType) -> set[str]:
    """All names that some code, and the code within it, takes from elsewhere."""
    inner = (names(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inner)


def own(module: ModuleType) -> list[FunctionType]:
    """The functions that a module defines, and does not only import."""
    there = (thing for thing in vars(module).values() if isinstance(thing, FunctionType))
    return [function for function in there if function.__module__ == module.__name__]


def constants(module: ModuleType) -> dict[str, Any]:
    """The module constants that machine code of a deck's functions can contain, by name."""
    named = set().union(*(names(function.__code__) for function in own(module)))
    return {name: thing for name, thing in vars(module).items() if name in named and shape(thing)}


def outline(module: ModuleType) -> str:
    """All that the machine code of a deck's module depends on, beside its sources."""
    frozen = {name: shape(thing) for name, thing in constants(module).items()}
    usual = [(function.__name__, shape(function.__defaults__)) for function in own(module)]
    return f"{frozen} {usual}"


def shape(thing: Any) -> str:
    """The part of a deck's module constant on which machine code depends; "" if it cannot have it.

    Rules have no strings, but may count them: each is to machine code as any other.
    """
    if isinstance(thing, str):
        return "a string"
    if isinstance(thing, np.ndarray):
        return f"{thing.dtype}{thing.shape}" if thing.dtype.kind in "biuf" else ""
    if isinstance(thing, (int, float, np.number, np.bool_, NoneType)):
        return repr(thing)
    if type(thing) is tuple:
        parts = [shape(part) for part in thing]
        return str(parts) if all(parts) else ""
    if isinstance(thing, type) and issubclass(thing, Enum):
        return str([member.value for member in thing])
    if isinstance(thing, type) and issubclass(thing, Record) and thing is not Record:
        return str(thing.dtype)
    if isinstance(thing, ModuleType):
        return "" if deck_of(thing.__name__) else thing.__name__
    return str(getattr(thing, "__name__", "")) if callable(thing) else ""


def index_files(folder: Path, kernel: str) -> list[Path]:
    """The index files of a kernel's machine code, for this deck and for decks of the same shape."""
    folders = folder.name[:KEY] + "?" * (len(folder.name) - KEY)
    found = folder.parent.glob(f"{folders}/*.{kernel}__*{kept_files.INDEX}")
    return sorted(filter(kept_files.whole, found))


def lend(folder: Path, kernel: str) -> None:
    """Copy a kernel's code to a folder from that of another deck, unless there is some already."""
    if len(folder.name) == KEY:  # it is over the published cards
        return
    indices = index_files(folder, kernel)
    if not indices or any(index.is_relative_to(folder) for index in indices):
        return
    lender = indices[0].parent
    theirs, ours = lender.name[-DIGITS:], folder.name[-DIGITS:]
    for file in sorted(lender.glob(f"*.{kernel}__*.nb[ci]")):  # the index last, when all is there
        code = kept_files.read(file)
        if code is not None:
            copy = folder / file.name.replace(theirs, ours)
            kept_files.keep(copy, code.replace(theirs.encode(), ours.encode()))
