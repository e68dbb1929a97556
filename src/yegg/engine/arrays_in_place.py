"""Arrays of compiled code that lie where it says: a deck's tables, and arrays on the stack.

* Tables in machine code: read where they lie, and not written into it.  Numba freezes an array that
  is a module constant: fast, but each deck would have code of its own, and code with a net's
  weights in it cannot be kept.  A `Table` is to Numba an array of a known shape at a place that has
  a name, and the linker puts the address there when the code is loaded.  So code differs from deck
  to deck in nothing but names.
* Arrays on the stack (`scratch`): Numba's own come from the heap.
* The numbers of a state (`words`), in the state's own memory.

By Numba's extension interface (`numba.extending`).
"""

import math
from functools import cache, partial
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model, typeof_impl
from numba.np.numpy_support import as_dtype, from_dtype

from .deck_shapes import constants
from .words import words


class Table:
    """An array at a place that the linker knows by a name."""

    def __init__(self, array: Any, name: str) -> None:
        """From now on changes of ``array`` itself change nothing."""
        self.array, self.name = np.array(array, order="C"), name
        _placed.append(self.array)
        binding.add_symbol(name, self.array.ctypes.data)


_placed: list[Any] = []  # machine code has their addresses, so that they stay where they are


class TableType(types.Array):
    """The type of one table: of an array that nobody changes."""

    def __init__(self, table: Table) -> None:
        """Each table has a type of its own."""
        self.table = table
        array = table.array
        name = f"table({table.name})"
        super().__init__(from_dtype(array.dtype), array.ndim, "C", readonly=True, name=name)

    @property
    def key(self) -> tuple[Any, ...]:
        """The values by which two types are equal."""
        return (*super().key, self.table.name)

    def copy(self, *changed: Any, **more: Any) -> Any:
        """Itself, if nothing but ``readonly`` is asked for, which it is; else an array's type."""
        return super().copy(*changed, **more) if changed or more != {"readonly": True} else self


def space(module: ModuleType) -> dict[str, Any]:
    """The globals that compiled code of a module sees, with arrays as tables.

    Of a deck's module there are none that its digest leaves out; any other one names its tables in
    ``IN_PLACE``, and its own name tells what they hold.
    """
    if hasattr(module, "IN_PLACE"):
        at = module.__name__
        tables = {name: Table(getattr(module, name), f"{at}.{name}") for name in module.IN_PLACE}
        return vars(module) | tables
    given = {name: thing for name, thing in vars(module).items() if name[:2] == "__"}
    found = constants(module).items()
    return given | {name: placed(thing, f"{module.__name__}.{name}") for name, thing in found}


def placed(thing: Any, name: str) -> Any:
    """A module constant with its arrays as tables, and with empty strings."""
    if isinstance(thing, np.ndarray):
        return Table(thing, name)
    if type(thing) is tuple:
        return tuple(placed(part, f"{name}.{i}") for i, part in enumerate(thing))
    return "" if isinstance(thing, str) else thing


register_model(TableType)(models.ArrayModel)


@typeof_impl.register(Table)
def _type_of(table: Table, _context: Any) -> TableType:
    return TableType(table)


@lower_constant(TableType)  # type: ignore[no-untyped-call,untyped-decorator]
def _lower(context: Any, builder: Any, ty: TableType, table: Table) -> Any:
    array = table.array
    name, kind = table.name, ir.ArrayType(context.get_data_type(ty.dtype), array.size)
    there = builder.module.globals.get(name)
    if there is None:
        there = ir.GlobalVariable(builder.module, kind, name)
        there.global_constant = True
    return _array_at(context, builder, ty, there, array.shape)


def _array_at(context: Any, builder: Any, ty: Any, there: Any, shape: tuple[int, ...]) -> Any:
    """The array that lies at a place, row after row."""
    made = context.make_array(ty)(context, builder)
    word = context.get_value_type(types.intp)
    itemsize = as_dtype(ty.dtype).itemsize
    strides = [itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    context.populate_array(
        made,
        data=builder.bitcast(there, made.data.type),
        shape=ir.Constant.literal_array([word(n) for n in shape]),
        strides=ir.Constant.literal_array([word(n) for n in strides]),
        itemsize=word(itemsize),
        parent=None,
        meminfo=None,
    )
    return made._getvalue()  # noqa: SLF001  # as all of Numba does it


def in_place(plain: FunctionType) -> Any:
    """A function of `scratch` or `words` as compiled code has it."""
    return of_state if plain is words else on_stack(plain)


@intrinsic
def of_state(_typing: Any, state: Any) -> Any:
    """`words`: the record that is handed over is its place in memory."""
    made = types.Array(types.int32, 1, "C")

    def lay(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return _array_at(context, builder, made, given[0], (state.size // 4,))

    return made(state), lay


@cache
def on_stack(plain: FunctionType) -> Any:
    """A function of `scratch` as compiled code has it: its array lies on the stack."""
    sample = plain(*[1] * plain.__code__.co_argcount)
    made = types.Array(from_dtype(sample.dtype), sample.ndim, "C")

    def typed(sizes: tuple[Any, ...]) -> Any:
        if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
            raise errors.RequireLiteralValue(f"{plain.__name__} takes constants, not {sizes}")
        return made(*sizes), partial(_lay, tuple(size.literal_value for size in sizes))

    if sample.ndim == 1:
        return intrinsic(prefer_literal=True)(lambda _typing, n: typed((n,)))
    return intrinsic(prefer_literal=True)(lambda _typing, n, columns: typed((n, columns)))


def _lay(shape: tuple[int, ...], context: Any, builder: Any, signature: Any, _sizes: Any) -> Any:
    """Code for an array of zeros on the stack."""
    made, word = signature.return_type, context.get_value_type(types.intp)
    kind = ir.ArrayType(context.get_data_type(made.dtype), math.prod(shape))
    there = cgutils.alloca_once(builder, kind)  # type: ignore[no-untyped-call]
    size = context.get_abi_sizeof(kind)
    cgutils.memset(builder, there, word(size), 0)  # type: ignore[no-untyped-call]
    return _array_at(context, builder, made, there, shape)
