"""Everything that is used of Numba's internals: a test fails where Numba changes it.

* Where it keeps a kernel's machine code: by what is in the code, and not by where the package lies.
  Numba itself names the folder after that of the source file, so it never finds what was compiled
  for a copy of the package elsewhere.  Where it knows no locators (0.61) all is as without.
* A deck's tables in machine code: read where they lie, and not written into it.  Numba freezes an
  array that is a module constant: fast, but each deck would have code of its own.  A `Table` is to
  Numba an array of a known shape at a place that has a name, and the linker puts the address there
  when the code is loaded.  So code differs from deck to deck in nothing but names.
* Indices: nothing in yegg's own functions makes a negative one count from an array's end.
* Arrays on the stack (`scratch`): Numba's own come from the heap.
* A kernel that is called often with tuples of the same arrays: Numba looks at the type of each
  array in every call, which takes longer than a step of one game.
* How much LLVM optimises, function by function.
* In a process that only fills the cache each kernel is optimised once, as a whole.  Numba optimises
  each function with all that it calls, and then the same for its callers.
* A function that only compiled code calls is compiled once for signed integers of all sizes, known
  ones too.  Numba would compile Magnate's `count` eight times.
* The values of a compiler's flags, which Numba compares all the time, are put together at once.

It is imported where something is compiled, since Numba takes half a second.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Self

import numpy as np
from llvmlite import binding, ir
from numba import typeof
from numba.core import cgutils, config, errors, types
from numba.core.caching import FunctionCache, _CacheLocator
from numba.core.compiler import Flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model, typeof_impl
from numba.np import arrayobj
from numba.np.numpy_support import as_dtype, from_dtype

from .deck_shapes import constants


class Shelf(_CacheLocator):
    """The folder of one kernel."""

    def __init__(self, function: FunctionType) -> None:
        """As `kept_in` says now."""
        self.folder = Path(config.CACHE_DIR)  # type: ignore[attr-defined]
        self.line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self.folder)

    def get_source_stamp(self) -> str:
        """Its name is a digest of the sources."""
        return self.folder.name

    def get_disambiguator(self) -> str:
        """A name that tells functions of one name in one file apart."""
        return str(self.line)

    @classmethod
    def from_function(cls, function: FunctionType, _file: str) -> Self:
        """Every kernel has a folder."""
        return cls(function)


@contextmanager
def kept_in(folder: Path) -> Iterator[None]:
    """Functions that Numba is given meanwhile are kept in ``folder``, named by their sources."""
    wanted = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": f"{__name__}.{Shelf.__name__}"}
    before = {name: getattr(config, name, "") for name in wanted}
    vars(config).update(wanted)
    try:
        yield
    finally:
        vars(config).update(before)


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
    """The globals that compiled code of a deck's module sees: none that its digest leaves out."""
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


def direct(kernel: Any, *given: Any) -> Any:
    """A kernel's machine code for arguments of these types.  Call it with no others.

    Numba does not look at their types again, which takes 7 microseconds for 50 arrays.  A kernel
    that is not compiled is returned as it is.
    """
    if not hasattr(kernel, "compile"):
        return kernel
    return kernel.compile(tuple(map(typeof, given)))


def one_for_all_integers(function: Any) -> None:
    """Compile a function once for whole numbers of all sizes, and not for each that is known."""
    fold = function._compiler.fold_argument_types  # noqa: SLF001

    def folded(args: Any, kws: Any) -> tuple[Any, Any]:
        signature, given = fold(args, kws)
        return signature, tuple(map(widened, given))

    function._compiler.fold_argument_types = folded  # noqa: SLF001


def widened(ty: Any) -> Any:
    """The type of all signed integers for each of them; any other type itself."""
    plain = types.unliteral(ty)  # type: ignore[no-untyped-call]
    return types.intp if plain in types.signed_domain else ty


USUAL = {name: option.default for name, option in Flags.options.items()}
Flags.values = lambda flags: USUAL | flags._values  # type: ignore[method-assign]  # noqa: SLF001


def counts_from_0(context: Any, builder: Any, ty: Any, index: Any, size: Any) -> Any:
    """An index into an array: in yegg's own functions it is never negative, but for constants."""
    ours = builder.function.name.startswith("_ZN4yegg")
    if ours and ty.signed and not isinstance(index, ir.Constant):
        return context.cast(builder, index, ty, types.intp)
    return _counts_from_either_end(context, builder, ty, index, size)  # type: ignore[no-untyped-call]


_counts_from_either_end = arrayobj.fix_integer_index
arrayobj.fix_integer_index = counts_from_0


_save = FunctionCache.save_overload


@contextmanager
def optimising(level: int) -> Iterator[None]:
    """What is compiled meanwhile is optimised so much, from 1 to 3."""
    with global_compiler_lock:
        before = config.OPT  # type: ignore[attr-defined]
        vars(config)["OPT"] = level
        try:
            yield
        finally:
            vars(config)["OPT"] = before


def saves_functions() -> bool:
    """Whether this process keeps functions that only compiled code calls."""
    return FunctionCache.save_overload is _save


def optimise_kernels_only() -> None:
    """From here on leave out what only serves to call a kernel's callees from Python.

    It is for a process that compiles for others: here kernels would be slow, since they would share
    their callees' code with one another.  What lies on disk is as fast as ever.  The steps that are
    left out are not a documented part of Numba; where it has none of this name, all functions are
    optimised, and compiling takes longer.  Of what it compiles here only kernels are kept on disk.
    A function that it finds on disk is made ready as usual: Numba writes an address into it.
    """
    from numba.core import codegen, event

    depth = [0]  # 1: a kernel is being compiled; more: what it calls

    class Depth(event.Listener):
        """Numba compiles in one thread at a time."""

        def on_start(self, _event: Any) -> None:
            depth[0] += 1

        def on_end(self, _event: Any) -> None:
            depth[0] -= 1

    def only_for_kernels(step: Any) -> Any:
        def step_or_not(library: Any) -> None:
            loaded = getattr(library, "_compiled_object", None)
            if depth[0] <= 1 or loaded:
                step(library)

        return step_or_not

    event.register("numba:compile", Depth())  # type: ignore[no-untyped-call]
    for owner, name in (
        (codegen.CPUCodeLibrary, "_optimize_final_module"),
        (codegen.JITCodeLibrary, "_finalize_specific"),
    ):
        if step := getattr(owner, name, None):
            setattr(owner, name, only_for_kernels(step))

    def save_kernels(cache: Any, signature: Any, made: Any) -> None:
        if depth[0] == 0:
            _save(cache, signature, made)  # type: ignore[no-untyped-call]

    FunctionCache.save_overload = save_kernels  # type: ignore[method-assign]
