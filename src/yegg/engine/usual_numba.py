"""What `numba_internals` does, by nothing but what Numba promises: slower, and nothing is kept.

It serves where somebody has a newer Numba than was tried, and that one's inside is another.
"""

from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from numba import njit


def jitted(plain: FunctionType, *, kernel: bool, boundscheck: bool, **_options: Any) -> Any:  # noqa: ARG001
    """A function that is compiled when it is called."""
    return njit(nogil=True, error_model="numpy", boundscheck=boundscheck)(plain)


def keep_in(made: Any, folder: Path, name: str) -> None:
    """Nothing is kept: each process compiles for itself."""


def direct(kernel: Any, *_given: Any) -> Any:
    """The kernel as it is: types of arguments are looked at in each call."""
    return kernel


def on_stack(plain: FunctionType) -> Any:
    """A function of `scratch`: its array lies on the heap."""
    return njit(plain)


def space(module: ModuleType) -> dict[str, Any]:
    """The globals that compiled code of a deck's module sees: each deck has code of its own."""
    return vars(module)
