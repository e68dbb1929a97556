"""A deck's tables in machine code: read where they lie, and not written into it.

Numba freezes an array that is a module constant: its numbers become part of the code.  That is
fast, but each deck would have code of its own.  A `Table` is to Numba an array of a known shape at
a place that has a name, and the linker puts the address there when the code is loaded.  So code
differs from deck to deck in nothing but names (`lending`).
"""

from types import ModuleType
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import types
from numba.core.imputils import lower_constant
from numba.extending import models, register_model, typeof_impl
from numba.np.numpy_support import from_dtype

from .shapes import constants


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
        """What tells types apart."""
        return (*super().key, self.table.name)

    def copy(self, *changed: Any, **more: Any) -> Any:
        """Itself, if nothing but ``readonly`` is asked for, which it is; else an array's type."""
        return super().copy(*changed, **more) if changed or more != {"readonly": True} else self


def space(module: ModuleType) -> dict[str, Any]:
    """What compiled code finds in a deck's module: nothing that its digest does not know."""
    given = {name: thing for name, thing in vars(module).items() if name[:2] == "__"}
    tables = constants(module).items()
    return given | {name: placed(thing, f"{module.__name__}.{name}") for name, thing in tables}


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
    made = context.make_array(ty)(context, builder)
    word = context.get_value_type(types.intp)
    context.populate_array(
        made,
        data=builder.bitcast(there, made.data.type),
        shape=ir.Constant.literal_array([word(n) for n in array.shape]),
        strides=ir.Constant.literal_array([word(n) for n in array.strides]),
        itemsize=word(array.itemsize),
        parent=None,
        meminfo=None,
    )
    return made._getvalue()  # noqa: SLF001  # as all of Numba does it
