"""Threads that give results in order, and values that several threads need, made once."""

import os
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    work: Callable[[T], R], items: Iterable[T], threads: int | None = None
) -> Iterator[tuple[T, R]]:
    """Do the work for each item; give each item with its result, in order.

    At most twice as many are begun ahead as there are ``threads``, by default one for each core:
    so little waits in memory, and little is for nothing if nobody wants the rest.

    >>> list(in_order(abs, [-3, 2], 2))
    [(-3, 3), (2, 2)]
    """
    threads = threads or os.cpu_count() or 1
    todo = iter(items)
    running: list[tuple[T, Future[R]]] = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            while True:
                ahead = islice(todo, 1 + 2 * threads - len(running))
                running += [(item, pool.submit(work, item)) for item in ahead]
                if not running:
                    return
                item, future = running.pop(0)
                yield item, future.result()
        finally:
            for _, future in running:
                future.cancel()


class Once(Generic[R]):
    """A cache for threads: the first that asks for a key makes its value, the others wait for it.

    >>> once = Once()
    >>> once.get("one", lambda: 1), once.get("one", lambda: 2)
    (1, 1)
    """

    def __init__(self) -> None:
        """Nothing is made yet."""
        self._guard = threading.Lock()
        self._made: dict[Hashable, Future[R]] = {}

    def get(self, key: Hashable, make: Callable[[], R]) -> R:
        """The value of a key; what ``make`` raised is raised for all that ask."""
        with self._guard:
            mine = key not in self._made
            future = self._made.setdefault(key, Future())
        if mine:
            try:
                future.set_result(make())
            except BaseException as error:
                future.set_exception(error)
                raise
        return future.result()
