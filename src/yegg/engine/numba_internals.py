"""Everything that is used of Numba's internals: a test fails where Numba changes it.

* Where it keeps a kernel's machine code: by what is in the code, and not by where the package lies.
  Numba itself names the folder after that of the source file, so it never finds what was compiled
  for a copy of the package elsewhere; and it believes whatever file has the right name.
* A deck's tables in machine code: read where they lie, and not written into it.  Numba freezes an
  array that is a module constant: fast, but each deck would have code of its own.  A `Table` is to
  Numba an array of a known shape at a place that has a name, and the linker puts the address there
  when the code is loaded.  So code differs from deck to deck in nothing but names.
* Indices: nothing in yegg's own functions makes a negative one count from an array's end.
* Arrays on the stack (`scratch`): Numba's own come from the heap.
* A kernel that is called often with tuples of the same arrays: Numba looks at the type of each
  array in every call, which takes longer than a step of one game.
* Only kernels become machine code, each of them once and as a whole.  Numba makes machine code of
  each function with all that it calls, and then the same for its callers.
* A function that only compiled code calls is compiled once for signed integers of all sizes, known
  ones too.  Numba would compile Magnate's `count` eight times.
* The values of a compiler's flags, which Numba compares all the time, are put together at once.
* No timers: Numba times each call of LLVM once for every function that is being compiled.

It is imported where something is compiled, since Numba takes half a second.
"""

import math
import pickle
import sys
from contextlib import nullcontext
from functools import cache, partial
from pathlib import Path
from secrets import randbits
from types import FunctionType, ModuleType
from typing import Any, Self

import numpy as np
from llvmlite import binding, ir
from numba import typeof
from numba.core import cgutils, errors, event, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler, CompileResult, Flags
from numba.core.imputils import lower_constant
from numba.core.serialize import dumps
from numba.extending import intrinsic, models, register_model, typeof_impl
from numba.np import arrayobj
from numba.np.numpy_support import as_dtype, from_dtype

from . import kept_files
from .deck_shapes import constants


class Files(IndexDataCacheFile):
    """The files of one function, each with a checksum: an index, and the code that it names."""

    def _load_index(self) -> dict[Any, str]:
        data = kept_files.read(Path(self._index_path))
        return {} if data is None else pickle.loads(data)  # noqa: S301  its checksum matched

    def _save_index(self, overloads: dict[Any, str]) -> None:
        kept_files.keep(Path(self._index_path), dumps(overloads))  # type: ignore[no-untyped-call]

    def _load_data(self, name: str) -> Any:
        data = kept_files.read(self._at(name))
        return None if data is None else pickle.loads(data)  # noqa: S301  as above

    def _save_data(self, name: str, data: Any) -> None:
        kept_files.keep(self._at(name), dumps(data))  # type: ignore[no-untyped-call]

    def _data_name(self, _number: int) -> str:
        """A name that no file had before: an index never names what was kept for other types."""
        return str(super()._data_name(randbits(64)))  # type: ignore[no-untyped-call]

    def _at(self, name: str) -> Path:
        return Path(self._cache_path) / name


class Shelf(FunctionCache):
    """The machine code of one function, in a folder that is named by its sources."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        """Nothing is looked for yet."""
        module = function.__module__.rpartition(".")[2]
        name = f"{module}.{function.__qualname__}.{sys.implementation.cache_tag}"
        self._py_func = function
        self._cache_path = str(folder)
        self._cache_file = Files(self._cache_path, name, None)  # type: ignore[no-untyped-call]
        self.read: dict[Any, Any] = {}  # and not yet loaded, by the types of arguments

    def has(self, signature: Any, context: Any) -> bool:
        """Whether there is code for arguments of these types; if so it is read."""
        key = self._index_key(signature, context.codegen())  # type: ignore[no-untyped-call]
        try:
            found = self._cache_file.load(key)  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001  whole, but other versions have written it
            kept_files.discard(Path(self._cache_file._index_path), repr(error))  # noqa: SLF001
            found = None
        if found is not None:
            self.read[signature] = found
        return found is not None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for these types, or None."""
        target_context.refresh()
        if sig in self.read or self.has(sig, target_context):
            rebuild: Any = CompileResult._rebuild  # noqa: SLF001
            return rebuild(target_context, *self.read.pop(sig))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function for the next start, unless it holds addresses of this one."""
        if not data.library.has_dynamic_globals:
            key = self._index_key(sig, data.codegen)  # type: ignore[no-untyped-call]
            self._cache_file.save(key, data._reduce())  # type: ignore[no-untyped-call]  # noqa: SLF001


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
event.install_timer = lambda _kind, _callback: nullcontext()  # type: ignore[assignment,return-value]


def counts_from_0(context: Any, builder: Any, ty: Any, index: Any, size: Any) -> Any:
    """An index into an array: in yegg's own functions it is never negative, but for constants."""
    ours = builder.function.name.startswith("_ZN4yegg")
    if ours and ty.signed and not isinstance(index, ir.Constant):
        return context.cast(builder, index, ty, types.intp)
    return _counts_from_either_end(context, builder, ty, index, size)  # type: ignore[no-untyped-call]


_counts_from_either_end = arrayobj.fix_integer_index
arrayobj.fix_integer_index = counts_from_0


KEPT = "yegg callee"
"""What stands beside a function's text on disk; beside machine code Numba writes "object"."""


class Callee(JITCodeLibrary):
    """The code of a function that only compiled code calls: LLVM's text of it, and nothing more.

    Each kernel that calls it takes it in, optimises all that it took in, and makes machine code of
    that.  Numba would do both for each function too, so that Python can call it.
    """

    def _optimize_final_module(self) -> None:
        """What takes it in does so."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """There is none."""
        return 0

    @property
    def codegen(self) -> Self:
        """What Numba asks for `set_env`."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Nothing to do: see `ready`."""

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """What `load` takes."""
        return self.name, KEPT, self._final_module.as_bitcode()

    @classmethod
    def load(cls, codegen: Any, name: str, bitcode: bytes) -> Self:
        """What was kept on disk."""
        made = cls(codegen, name)
        made._final_module = binding.parse_bitcode(bitcode)
        made._finalize_final_module()
        return made


class CalleeCompiler(Compiler):
    """Numba's compiler; what it makes is a `Callee`."""

    def compile_extra(self, function: FunctionType) -> Any:
        """The function, compiled."""
        where = self.state.targetctx.codegen()
        self.state.library = Callee(where, function.__qualname__)  # type: ignore[no-untyped-call]
        return super().compile_extra(function)  # type: ignore[no-untyped-call]


def load_library(codegen: Any, kept: tuple[str, str, Any]) -> Any:
    """The code of a function or of a kernel, as it was kept on disk."""
    name, kind, bitcode = kept
    if kind == KEPT:
        return Callee.load(codegen, name, bitcode)
    return _load_library(codegen, kept)  # type: ignore[no-untyped-call]


_load_library = JITCPUCodegen.unserialize_library
JITCPUCodegen.unserialize_library = load_library  # type: ignore[method-assign]


def ready(made: Any) -> None:
    """Write the environments of all that a kernel took in into its machine code."""
    for env in made._find_referenced_environments():  # noqa: SLF001
        made.library.codegen.set_env(env.env_name, env)
