"""Machine code that was compiled over one deck, lent to another of the same shape.

A folder of machine code is named by a digest of all that the code depends on, and by the deck's own
digest after it.  The code has the deck's digest in the names of its functions and tables, and
nothing else of the deck (`tables`): where that is replaced by another's, it is the other's code.
"""

from pathlib import Path

from yegg.files import write_atomic

from .shapes import DIGITS, KEY


def kept(folder: Path, kernel: str) -> list[Path]:
    """The indices of a kernel's machine code in a folder, and in those of decks of that shape."""
    folders = folder.name[:KEY] + "?" * (len(folder.name) - KEY)
    return sorted(folder.parent.glob(f"{folders}/**/*.{kernel}__*.nbi"))


def lend(folder: Path, kernel: str) -> None:
    """Copy a kernel's code to a folder from that of another deck, unless there is some already."""
    indices = kept(folder, kernel)
    if not indices or any(index.is_relative_to(folder) for index in indices):
        return
    lender = folder.parent / indices[0].relative_to(folder.parent).parts[0]
    theirs, ours = lender.name[-DIGITS:], folder.name[-DIGITS:]
    for file in sorted(lender.rglob(f"*.{kernel}__*.nb[ci]")):  # the index last, when all is there
        copy = folder / str(file.relative_to(lender)).replace(theirs, ours)
        copy.parent.mkdir(parents=True, exist_ok=True)
        code = file.read_bytes().replace(theirs.encode(), ours.encode())
        write_atomic(copy, code, lasting=False)
