"""What `numba_internals` does, by nothing but what Numba promises: slower, and nothing is kept.

It serves where somebody has a newer Numba than was tried, and that one's inside is another.
"""

from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from numba import njit

from .words import words


def jitted(plain: FunctionType, *, kernel: bool, boundscheck: bool, **_options: Any) -> Any:  # noqa: ARG001
    """A function that is compiled when it is called."""
    return njit(nogil=True, error_model="numpy", boundscheck=boundscheck)(plain)


def keep_in(made: Any, folder: Path, name: str) -> None:
    """Nothing is kept: each process compiles for itself."""


def direct(kernel: Any, *_given: Any) -> Any:
    """The kernel as it is: types of arguments are looked at in each call."""
    return kernel


def in_place(plain: FunctionType) -> Any:
    """A function of `scratch`, whose array lies on the heap; or `words`, an intrinsic of ours."""
    if plain is not words:
        return njit(plain)
    from .arrays_in_place import of_state

    return of_state


def space(module: ModuleType) -> dict[str, Any]:
    """The globals that compiled code of a deck's module sees: each deck has code of its own."""
    return vars(module)
