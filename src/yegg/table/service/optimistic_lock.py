"""The optimistic lock: what is done at a table is tried again if another process wrote first."""

from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from yegg.table.refusals import HttpRefusal

TRIES = 8  # how often somebody may be overtaken before being asked to try again later
P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class StaleWrite(HttpRefusal):
    """Another process wrote first (optimistic lock).  Its events are applied; try again."""


def retried(
    act: Callable[Concatenate[S, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Do something at a table; if another process was faster, see whether it can still be done."""

    @wraps(act)
    async def tried(table: S, /, *args: P.args, **more: P.kwargs) -> T:
        for _ in range(TRIES):
            with suppress(StaleWrite):
                return await act(table, *args, **more)
        raise HttpRefusal(503, "too many people are acting here at once; try again")

    return tried
