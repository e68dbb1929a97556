"""Work on several threads, whose results come in the order of the work."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

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
