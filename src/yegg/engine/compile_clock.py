"""How long threads have compiled: a player's time to think does not run meanwhile."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_spent: dict[int, float] = {}  # seconds, by thread
_begun: dict[int, float] = {}  # when a thread began that is compiling now


@contextmanager
def compiling() -> Iterator[None]:
    """Within, this thread compiles, loads what was compiled, or waits for another that does."""
    me = threading.get_ident()
    if me in _begun:  # a kernel compiles what it calls
        yield
        return
    _begun[me] = time.perf_counter()
    try:
        yield
    finally:
        took = time.perf_counter() - _begun.pop(me)
        _spent[me] = _spent.get(me, 0.0) + took


def is_compiling(thread: int) -> bool:
    """Whether a thread, by its identifier, compiles now."""
    return thread in _begun


def spent(thread: int) -> float:
    """How many seconds a thread has compiled, what it compiles now not included."""
    return _spent.get(thread, 0.0)
