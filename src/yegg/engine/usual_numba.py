"""What `numba_internals` does, by nothing but what Numba promises: slower, and nothing is kept.

It serves where somebody has a newer Numba than was tried, and that one's inside is another.
"""

import threading
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakSet

from numba import njit
from numba.core import event

from .compile_clock import compiling
from .words import words

_ours: WeakSet[Any] = WeakSet()
"""The functions that yegg compiles; others in this process use Numba, too."""


class Clock(event.Listener):
    """Stops a player's time while Numba compiles a function of yegg in the player's thread."""

    def __init__(self) -> None:
        """Nothing is being compiled."""
        self.mine = threading.local()

    def on_start(self, event: Any) -> None:
        """Numba begins with a function."""
        stack = ExitStack()
        if event.data["dispatcher"] in _ours:
            stack.enter_context(compiling())
        self.open.append(stack)

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """It is done with the function that it began with last."""
        self.open.pop().close()

    @property
    def open(self) -> list[ExitStack]:
        """What this thread compiles now, one for the sake of the other."""
        return self.mine.__dict__.setdefault("open", [])  # type: ignore[no-any-return]


@cache
def listening() -> Clock:
    """The clock, which Numba tells of what it compiles from now on."""
    clock = Clock()
    event.register("numba:compile", clock)  # type: ignore[no-untyped-call]
    return clock


def jitted(plain: FunctionType, *, kernel: bool, boundscheck: bool, **_options: Any) -> Any:  # noqa: ARG001
    """A function that is compiled when it is called."""
    listening()
    made = njit(nogil=True, error_model="numpy", boundscheck=boundscheck)(plain)
    _ours.add(made)
    return made


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
