"""Arrays of zeros that live no longer than the call which asks for them.

In machine code they lie on the stack, where they cost less than on the heap: lore and policy nets
ask for several at each position.  So sizes are constants of a module, and none is returned.
"""

import numpy as np
from numpy.typing import NDArray

from .record import Ints


def numbers(n: int) -> NDArray[np.float64]:
    """So many numbers."""
    return np.zeros(n)


def grid(rows: int, columns: int) -> NDArray[np.float64]:
    """So many rows of numbers."""
    return np.zeros((rows, columns))


def floats(n: int) -> NDArray[np.float32]:
    """So many short numbers."""
    return np.zeros(n, np.float32)


def ints(n: int) -> Ints:
    """So many integers."""
    return np.zeros(n, np.int32)


def int_grid(rows: int, columns: int) -> Ints:
    """So many rows of integers."""
    return np.zeros((rows, columns), np.int32)
