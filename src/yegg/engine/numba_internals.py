"""What is used of Numba that it does not promise: a test fails where Numba changes it.

* Where it keeps a kernel's machine code: by what is in the code, and not by where the package lies.
  Numba itself names the folder after that of the source file, so it never finds what was compiled
  for a copy of the package elsewhere; and it believes whatever file has the right name.
* A kernel that is called often with tuples of the same arrays: Numba looks at the type of each
  array in every call, which takes longer than a step of one game.
* Only kernels become machine code, each of them once and as a whole.  Numba makes machine code of
  each function with all that it calls, and then the same for its callers.
* A function that only compiled code calls is compiled once for signed integers of all sizes, known
  ones too.  Numba would compile Magnate's `count` eight times.
* The values of a compiler's flags, which Numba compares all the time, are put together at once.

Nothing of Numba's is replaced: another program in this process has its Numba as it was.  What it
promises to extensions is used in `arrays_in_place` and `indices_from_0`.

It is imported where something is compiled, since Numba takes half a second.
"""

import pickle
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from secrets import randbits
from tempfile import TemporaryDirectory
from types import FunctionType
from typing import Any, Self

import numpy as np
from llvmlite import binding
from numba import njit, typeof
from numba.core import types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import (
    CompilerBase,
    CompileResult,
    DefaultPassBuilder,
    Flags,
    compile_result,
)
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.serialize import dumps
from numba.core.typed_passes import NopythonTypeInference

from yegg.files import in_turn

from . import kept_files
from .arrays_in_place import in_place, space
from .compile_clock import compiling
from .indices_from_0 import IndicesFrom0

__all__ = ["check", "direct", "in_place", "jitted", "keep_in", "space"]


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
            return rebuilt(target_context, *self.read.pop(sig))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function for the next start, unless it holds addresses of this one."""
        if not data.library.has_dynamic_globals:
            key = self._index_key(sig, data.codegen)  # type: ignore[no-untyped-call]
            self._cache_file.save(key, data._reduce())  # type: ignore[no-untyped-call]  # noqa: SLF001


def keep_in(made: Any, folder: Path, name: str) -> None:
    """Have a function compiled once on this machine: its code is looked for, and kept, there."""
    made._cache = Shelf(made.py_func, folder)  # noqa: SLF001
    made.compile = partial(compile_in_turn, made, folder, name)


def compile_in_turn(function: Any, folder: Path, name: str, signature: Any) -> Any:
    """Load a function, or compile it; wait for another process that is compiling it, and load."""
    compile_here = partial(type(function).compile, function, signature)
    if signature in function.overloads:
        return compile_here()
    with compiling():
        there = function._cache.has(signature, function.targetctx)  # noqa: SLF001
        with nullcontext() if there else in_turn(folder, name):
            made = compile_here()
            ready(function.overloads[signature])
    return made


def direct(kernel: Any, *given: Any) -> Any:
    """A kernel's machine code for arguments of these types.  Call it with no others.

    Numba does not look at their types again, which takes 7 microseconds for 50 arrays.  A kernel
    that is not compiled is returned as it is.
    """
    if not hasattr(kernel, "compile"):
        return kernel
    return kernel.compile(tuple(map(typeof, given)))


def widened(ty: Any) -> Any:
    """The type of all signed integers for each of them; any other type itself."""
    plain = types.unliteral(ty)  # type: ignore[no-untyped-call]
    return types.intp if plain in types.signed_domain else ty


class KernelCompiler(CompilerBase):
    """Numba's compiler, for kernels."""

    def define_pipelines(self) -> list[Any]:
        """Numba's steps, and `IndicesFrom0`."""
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]
        steps.add_pass_after(IndicesFrom0, NopythonTypeInference)
        steps.finalize()
        return [steps]


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


class CalleeCompiler(KernelCompiler):
    """Numba's compiler; what it makes is a `Callee`."""

    def compile_extra(self, function: FunctionType) -> Any:
        """The function, compiled."""
        where = self.state.targetctx.codegen()
        self.state.library = Callee(where, function.__qualname__)  # type: ignore[no-untyped-call]
        return super().compile_extra(function)  # type: ignore[no-untyped-call]


class QuickFlags(Flags):
    """A compiler's flags, which Numba compares all the time: here their values are put together."""

    def values(self) -> dict[str, Any]:
        """The value of each flag by its name."""
        return USUAL | self._values


USUAL = {name: option.default for name, option in Flags.options.items()}


class KernelTypes(_FunctionCompiler):  # type: ignore[misc]
    """How Numba goes about a kernel."""

    def _customize_flags(self, flags: Any) -> QuickFlags:
        return QuickFlags(flags)  # type: ignore[no-untyped-call]


class CalleeTypes(KernelTypes):
    """How it goes about a callee: once for integers of all sizes, not for each that is known."""

    def fold_argument_types(self, args: Any, kws: Any) -> tuple[Any, Any]:
        """The signature, and the types of what is given."""
        signature, given = super().fold_argument_types(args, kws)
        return signature, tuple(map(widened, given))


def jitted(plain: FunctionType, *, kernel: bool, **options: Any) -> Any:
    """A function that is compiled when it is called: by Python if it is a ``kernel``."""
    build, about = (KernelCompiler, KernelTypes) if kernel else (CalleeCompiler, CalleeTypes)
    made: Any = njit(pipeline_class=build, **options)(plain)
    made._compiler = about(plain, made.targetdescr, made.targetoptions, {}, build)  # noqa: SLF001
    return made


def rebuilt(context: Any, library: tuple[str, str, Any], *kept: Any) -> Any:
    """A compiled function or kernel, as it was kept on disk."""
    name, kind, bitcode = library
    if kind != KEPT:
        return CompileResult._rebuild(context, library, *kept)  # type: ignore[no-untyped-call]  # noqa: SLF001
    described, env, signature, objectmode, lifted, annotation, reload_init, environments = kept
    callee = Callee.load(context.codegen(), name, bitcode)
    return compile_result(  # type: ignore[no-untyped-call]
        typing_context=context.typing_context,
        target_context=context,
        entry_point=context.get_executable(callee, described, env),
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=described,
        library=callee,
        environment=env,
        reload_init=reload_init,
        referenced_envs=environments,
    )


def ready(made: Any) -> None:
    """Write the environments of all that a kernel took in into its machine code."""
    for env in made._find_referenced_environments():  # noqa: SLF001
        made.library.codegen.set_env(env.env_name, env)


def check() -> None:
    """Compile a kernel with a callee, keep both and load them.  Raises whatever is otherwise."""
    options = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
    with TemporaryDirectory() as folder:
        for _ in range(2):  # compiled, then loaded
            callee: Any = _last
            last = jitted(callee, kernel=False, no_cpython_wrapper=True, **options)
            kernel: Any = FunctionType(
                _kernel.__code__, {"__name__": __name__, "_last": last}, "kernel"
            )
            made = jitted(kernel, kernel=True, **options)
            for function in (last, made):
                keep_in(function, Path(folder), function.py_func.__name__)
            sample = np.arange(3)
            if direct(made, sample)(sample) != 2:
                raise ValueError("compiled code is wrong")
        if not made.stats.cache_hits:
            raise ValueError("compiled code is not found again")


def _last(numbers: Any, i: int) -> Any:
    return numbers[i]


def _kernel(numbers: Any) -> Any:
    return _last(numbers, numbers.size - 1)
