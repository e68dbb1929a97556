"""Arrays that a card's kernels find in place: `scratch` in a thread's memory, `words` in a state's.

Imported only where numba-cuda is, and is no simulator.
"""

import math
from functools import cache, partial
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.core import errors
from numba.cuda.extending import intrinsic
from numba.cuda.np.numpy_support import from_dtype


@cache
def in_thread(plain: FunctionType) -> Any:
    """A function of `scratch` as a kernel has it."""
    sample = plain(*[1] * plain.__code__.co_argcount)
    made = types.Array(from_dtype(sample.dtype), sample.ndim, "C")

    def typed(sizes: tuple[Any, ...]) -> Any:
        if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
            raise errors.RequireLiteralValue(f"{plain.__name__} takes constants, not {sizes}")
        shape = tuple(size.literal_value for size in sizes)
        return made(*sizes), partial(_lay, shape, sample.itemsize)

    if sample.ndim == 1:
        return intrinsic(lambda _typing, n: typed((n,)))
    return intrinsic(lambda _typing, n, columns: typed((n, columns)))


def _lay(
    shape: tuple[int, ...], itemsize: int, context: Any, builder: Any, signature: Any, _sizes: Any
) -> Any:
    """Code for an array of zeros, row after row."""
    ty, word = signature.return_type, context.get_value_type(types.intp)
    kind = ir.ArrayType(context.get_data_type(ty.dtype), math.prod(shape))
    there = cgutils.alloca_once(builder, kind)
    cgutils.memset(builder, there, word(itemsize * math.prod(shape)), 0)
    return _array_at(context, builder, ty, there, shape)


@intrinsic  # type: ignore[untyped-decorator]
def of_state(_typing: Any, state: Any) -> Any:
    """`words`: the record that is handed over is its place in memory."""
    made = types.Array(types.int32, 1, "C")

    def lay(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return _array_at(context, builder, made, given[0], (state.size // 4,))

    return made(state), lay


def _array_at(context: Any, builder: Any, ty: Any, there: Any, shape: tuple[int, ...]) -> Any:
    """The array that lies at a place, row after row."""
    word = context.get_value_type(types.intp)
    itemsize = context.get_abi_sizeof(context.get_data_type(ty.dtype))
    made = context.make_array(ty)(context, builder)
    strides = [itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    context.populate_array(
        made,
        data=builder.bitcast(there, made.data.type),
        shape=[word(n) for n in shape],
        strides=[word(n) for n in strides],
        itemsize=word(itemsize),
        meminfo=None,
    )
    return made._getvalue()  # noqa: SLF001  # as all of Numba does it
