"""A net's weights, and the file in which they stand with where they came from."""

import io
import json
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Refused
from yegg.files import write_atomic

Floats = NDArray[np.float32]


class Net(NamedTuple):
    """Weights, or the sums of their gradients; all four are parts of one flat array."""

    w1: Floats
    """(senses, units)"""
    b1: Floats
    """(units,)"""
    w2: Floats
    """(units,)"""
    b2: Floats
    """(1,)"""


def size(senses: int, units: int) -> int:
    """How many weights a net has."""
    return (senses + 2) * units + 1


def shaped(flat: Floats, senses: int, units: int) -> Net:
    """A flat array of so many weights as a net; it stays the same memory."""
    ends = np.cumsum([senses * units, units, units])
    w1, b1, w2, b2 = np.split(flat, ends)
    return Net(w1.reshape(senses, units), b1, w2, b2)


def write(path: Path, about: dict[str, Any], **arrays: NDArray[Any]) -> None:
    """Keep arrays and a line about them, whole or not at all; the same always as the same bytes."""
    memory = io.BytesIO()
    line = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(memory, about=line, **arrays)  # type: ignore[arg-type]
    write_atomic(path, memory.getvalue())


def read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What `write` kept: what it is about, and the arrays.  Raises Refused for other files."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        about: dict[str, Any] = json.loads(arrays.pop("about").tobytes())
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise Refused(f"{path} is no file of learned weights: {error}") from None
    return about, arrays
