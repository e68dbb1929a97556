"""Where a net learns: on the processor's cores with NumPy, or on a graphics card with CuPy."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Refused, cuda
from yegg.envs.batches import Batch

Part = TypeVar("Part")
Result = TypeVar("Result")
LACKING = 'learning on a card needs CuPy: pip install "yegg[cuda,cupy]"'


class Processor:
    """Parts of the work on all cores.

    How many parts there are does not depend on the cores, so that a seed gives one net.  NumPy lets
    other threads work while it counts; of BLAS each thread is to have one, see `yegg.training`.
    """

    name = "cpu"
    xp: Any = np
    batch: Any = Batch
    layout = "rows"
    parts = 4
    """Of the games."""
    slices = 8
    """Of the decisions of a step of the optimizer."""
    games, steps, step = 256, 128, 2048
    """Games side by side, decisions of each to a lesson, and decisions to a step of the optimizer,
    where nobody says.  With few games a lesson is soon over, and the next is played better."""

    def __init__(self) -> None:
        """Its threads."""
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1)

    def each(self, work: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """Do something with each part; results come in the parts' order."""
        return list(self._pool.map(work, parts))

    def shared(self, array: Any) -> Any:
        """An array of a batch as ``xp`` has it, in the same memory."""
        return array

    def host(self, array: Any) -> NDArray[Any]:
        """An array as NumPy's."""
        return np.asarray(array)


class Card:
    """All work at once, one array after the other."""

    name = "cuda"
    layout = "columns"
    parts = slices = 1
    games, steps, step = 16384, 64, 65536

    def __init__(self) -> None:
        """Raises Refused where there is no card, or no library for it."""
        cuda.numba_cuda()
        os.environ.setdefault("CUPY_TF32", "1")  # before CuPy reads it
        try:
            import cupy
        except ModuleNotFoundError:
            raise Refused(LACKING) from None
        from yegg.envs.cuda import CudaBatch

        self.xp: Any = cupy
        self.batch: Any = CudaBatch

    def each(self, work: Callable[[Part], Result], parts: Iterable[Part]) -> list[Result]:
        """Do something with each part."""
        return [work(part) for part in parts]

    def shared(self, array: Any) -> Any:
        """An array of a batch as ``xp`` has it, in the same memory."""
        return self.xp.asarray(array)

    def host(self, array: Any) -> NDArray[Any]:
        """A copy as NumPy's array."""
        copied: NDArray[Any] = self.xp.asnumpy(array)
        return copied


Device = Processor | Card


def device(name: str) -> Device:
    """The processor (``cpu``), or the card (``cuda``).  Raises Refused."""
    if name not in {"cpu", "cuda"}:
        raise Refused(f"device can be cpu or cuda, not {name!r}")
    return Card() if name == "cuda" else Processor()
