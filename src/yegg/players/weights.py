"""Files of learned weights: NumPy's arrays in a zip, and a line about them.

Such a file may come from anywhere, so that nothing in it is unpacked, or taken for an array, that
could be larger than weights are.
"""

import io
import json
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from yegg.engine import Refused
from yegg.files import write_atomic
from yegg.text.json_writer import as_json

LARGEST = 64 << 20  # bytes of an array
MOST = 16  # arrays
KINDS = "fiu"  # of NumPy's types: plain numbers


def write(path: Path, about: dict[str, Any], **arrays: NDArray[Any]) -> None:
    """Keep arrays and a line about them, whole or not at all; the same always as the same bytes."""
    memory = io.BytesIO()
    line = np.frombuffer(as_json(about).encode(), np.uint8)
    np.savez(memory, about=line, **arrays)  # type: ignore[arg-type]
    write_atomic(path, memory.getvalue())


def read(
    path: Path, *, largest: int = LARGEST, most: int = MOST
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The line and the arrays of a file of `write`; at most so many, and of so many bytes each.

    Raises Refused for other files.
    """
    try:
        with ZipFile(path) as kept:
            entries = kept.infolist()
            if len(entries) > most:
                raise ValueError(f"it has more than {most} arrays")
            arrays = {
                one.filename.removesuffix(".npy"): _array(kept, one, largest) for one in entries
            }
        about: Any = json.loads(arrays.pop("about").tobytes())
        if not isinstance(about, dict):
            raise ValueError("what it says about its arrays is no object")  # noqa: TRY004  a file's fault
    except KeyError as error:
        raise Refused(f"{path} is no file of learned weights: it has no {error}") from None
    except (*WRONG, RecursionError) as error:
        raise Refused(f"{path} is no file of learned weights: {error}") from None
    return about, arrays


WRONG = (BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, zlib.error)
"""What reading anything else ends in."""


def _array(kept: ZipFile, entry: ZipInfo, largest: int) -> NDArray[Any]:
    """An array, whose bytes are as many as its head says.  Raises ValueError."""
    if entry.file_size > largest:
        raise ValueError(f"{entry.filename} has more than {largest:,} bytes")
    with kept.open(entry) as packed:
        file = io.BytesIO(packed.read(largest))
    major, _ = npy.read_magic(file)
    head = npy.read_array_header_1_0 if major == 1 else npy.read_array_header_2_0
    shape, by_columns, dtype = head(file)
    raw = file.read()
    if dtype.kind not in KINDS or by_columns or len(raw) != dtype.itemsize * _product(shape):
        raise ValueError(f"{entry.filename} holds no numbers, or not as many as it says")
    return np.frombuffer(bytearray(raw), dtype).reshape(shape)


def _product(shape: tuple[int, ...]) -> int:
    many = 1
    for size in shape:
        many *= size
    return many
