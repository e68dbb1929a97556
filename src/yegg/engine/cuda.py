"""Numba for graphics cards (numba-cuda): whether it can be had here, and what it compiles.

With ``NUMBA_ENABLE_CUDASIM=1`` in the environment its simulator runs kernels in plain Python, so
that they can be tested where there is no card.
"""

import warnings
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import Refused
from .words import words

LACKING = 'a card needs numba-cuda: install yegg with its extra `cuda` (pip install "yegg[cuda]")'
THREADS = 64  # of a block
SPARE = 0.9  # of the free memory: what the kernels themselves need is not known before


def numba_cuda() -> Any:
    """Numba's module.  Raises Refused where it is missing, or a card, or the card's driver."""
    if find_spec("numba_cuda") is None:
        raise Refused(LACKING)
    from numba import cuda

    if not cuda.is_available():
        raise Refused("there is no graphics card here that CUDA can use, or no driver for it")
    return cuda


def simulated() -> bool:
    """Whether kernels run in numba-cuda's simulator."""
    from numba.cuda.core import config

    return bool(config.ENABLE_CUDASIM)


def jitted(plain: FunctionType, *, kernel: bool) -> Any:
    """A kernel, or a function that kernels call; the simulator calls such functions as they are."""
    from numba import cuda

    if kernel:
        return cuda.jit(plain)
    return plain if simulated() else cuda.jit(device=True)(plain)


def in_place(plain: FunctionType) -> Any:
    """A function of `scratch` or `words` as kernels have it."""
    if simulated():
        return plain
    from .cuda_scratch import in_thread, of_state

    return of_state if plain is words else in_thread(plain)


def name() -> str:
    """What the card is called.  Raises Refused as `numba_cuda` does."""
    called: Any = getattr(numba_cuda().get_current_device(), "name", "Numba's simulator")
    return called.decode() if isinstance(called, bytes) else str(called)


def launch(kernel: Any, games: int, stream: Any, *given: Any) -> None:
    """Queue a kernel with a thread for each game; do not wait for it."""
    threads = 1 if simulated() else THREADS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that so few games do not fill the card
        ready = kernel[-(-games // threads), threads, stream]
    ready(*given)


def free_memory() -> float:
    """How many bytes of the card are free."""
    return float(numba_cuda().current_context().get_memory_info().free)


def room(each: int) -> int:
    """How many games there is memory for, if each takes so many bytes of the card."""
    return int(min(free_memory() * SPARE, 2**62) // each)


def stream_of(given: Any) -> Any:
    """A stream of Numba's: from PyTorch's, CuPy's, an address, or None for the usual one."""
    for name in ("cuda_stream", "ptr"):
        given = getattr(given, name, given)
    if given is None or given == 0:
        return 0
    return numba_cuda().external_stream(given) if isinstance(given, int) else given


def lifted(thing: Any, stream: Any) -> Any:
    """Arrays of the processor on the card; of tuples all that they hold."""
    if isinstance(thing, np.ndarray):
        return numba_cuda().to_device(thing, stream=stream)
    if isinstance(thing, tuple):
        parts = [lifted(part, stream) for part in thing]
        return type(thing)._make(parts) if hasattr(thing, "_make") else tuple(parts)
    return thing


class CudaArray:
    """An array on the card, which PyTorch, JAX and CuPy read and write without a copy.

    They take it by ``__cuda_array_interface__``, for which nothing is waited, or by DLPack, for
    which the work is that was queued before.
    """

    def __init__(self, array: Any) -> None:
        """``array`` is Numba's."""
        self.array = array
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: np.dtype[Any] = array.dtype

    def __repr__(self) -> str:
        return f"<CudaArray {self.shape} {self.dtype}>"

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        told: dict[str, Any] = self.array.__cuda_array_interface__ | {"stream": None}
        return told

    def __dlpack__(self, **how: Any) -> Any:
        numba_cuda().synchronize()
        return self._view().__dlpack__(**how | {"stream": -1})

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = self._view().__dlpack_device__()
        return int(kind), int(number)

    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView.from_cuda_array_interface(self, stream_ptr=-1)

    def copy_to_host(self) -> NDArray[Any]:
        """A copy as NumPy's array, once all work that was queued before is done."""
        numba_cuda().synchronize()
        copied: NDArray[Any] = self.array.copy_to_host()
        return copied


def array_of(given: ArrayLike | CudaArray) -> Any:
    """Numba's array in the same memory of the card; None for what is not on a card."""
    if isinstance(given, CudaArray):
        return given.array
    if hasattr(given, "__cuda_array_interface__"):
        return numba_cuda().as_cuda_array(given, sync=False)
    return None
