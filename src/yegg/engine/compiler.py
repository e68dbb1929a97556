"""Compiles plain rules with Numba into a twin of the same names, and keeps the machine code."""

import hashlib
import logging
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Literal

import numpy as np

from yegg import folders

from .compile_clock import compiling
from .deck_shapes import KEY, deck_of, index_files, lend, outline
from .renamed import adopt

VERBS = "yegg.engine.verbs"
IN_PLACE = "yegg.engine.scratch", "yegg.engine.words"  # their arrays lie where code puts them
LEAN_KERNELS = (
    "yegg.engine.kernels",
    "yegg.engine.contest",
    "yegg.engine.curve",
    "yegg.engine.dice",
    "yegg.parts.pile",
)
LAYOUT = 8  # of the cache folder, and of how Numba is asked; changes when older code will not do
log = logging.getLogger(__name__)
NEWER = (0, 69)
"""The first version of Numba that was not tried, as pyproject.toml says."""
How = Literal["compiled", "checked", "plain", "cuda"]
ON_DISK = ("compiled", "checked")
"""Whose machine code is kept on disk."""

_twins: dict[Any, ModuleType] = {}  # of this process, by all that a twin depends on
_kernel_folders: set[Path] = set()  # of this process: where the machine code of its kernels is kept
_linking = threading.RLock()


def kernel_folders() -> list[Path]:
    """The folders with the machine code of all kernels that this process has asked for."""
    return sorted(_kernel_folders)


class Compiler:
    """The compiled twins of some modules, linked with one another.

    ``parts`` are the modules that implement the verbs, a game's rules first.  A function that a
    module imports from ``yegg.engine.verbs`` is replaced by the function of that name in
    ``parts``; if there is none, the default body is compiled.  Numba notices neither edits in
    other files nor which functions implement the verbs.  Therefore each set of sources has a
    cache folder of its own.

    ``how`` is "compiled", where an index of yegg's own code must not be negative or too large;
    "checked", where such an index raises IndexError; "plain", which links without compiling: that
    is slow, but debuggers and coverage can follow it; or "cuda", for kernels on a graphics card.
    """

    def __init__(self, *parts: ModuleType, how: How = "compiled") -> None:
        """Compile nothing yet; each function is compiled when it is first asked for."""
        self.parts = tuple(map(adopt, parts))
        self.how = how
        self.packages = frozenset({"yegg"} | {part.__name__.partition(".")[0] for part in parts})
        self._twins: dict[ModuleType, ModuleType] = {}
        self._tags: dict[tuple[str, bool], str] = {}

    def twin(self, module: ModuleType) -> ModuleType:
        """A module like the given one, with compiled functions.

        All compilers share the twin of a module that calls no verbs: a game's rules are the same
        for all its players, and are then compiled once for all of them.
        """
        with _linking:
            if module not in self._twins:
                linked = self.parts if self._calls_verbs(module) else ()
                key = module, self.how, self.lean(module), self.packages, linked
                if key not in _twins:
                    _twins[key] = ModuleType(module.__name__, module.__doc__)
                    self._twins[module] = _twins[key]  # functions may call each other in a circle
                    self._fill(_twins[key], module)
                self._twins[module] = _twins[key]
            return self._twins[module]

    def _calls_verbs(self, module: ModuleType) -> bool:
        return VERBS in self.reach([module.__name__])

    def _copy(self, function: FunctionType, module: ModuleType, name: str) -> FunctionType:
        """A function of a module's twin, under a name that no other code has.

        Numba links machine code by names, what it loads from disk too, and tells functions of one
        name apart only by a number that begins again in each process.  So code that one process
        compiled for one judge could be taken for what another compiled for another judge.
        """
        space = vars(self._twins[module])
        usual, closure = function.__defaults__, function.__closure__
        copy = FunctionType(function.__code__, space, name, usual, closure)
        copy.__qualname__ = f"{name}__{self._tag(module)}"
        return copy

    def _tag(self, module: ModuleType) -> str:
        """A digest of all that a twin's code depends on."""
        if self.how not in ON_DISK:
            return self.how
        linked = self._calls_verbs(module)
        name = module.__name__
        if (name, linked) not in self._tags:
            self._tags[name, linked] = self.digest(name) if linked else self.digest(name, ())
        return self._tags[name, linked]

    def _fill(self, twin: ModuleType, module: ModuleType) -> None:
        """Put a module's functions into its twin, compiled, and linked with one another."""
        space = vars(twin)
        space.update(self._constants(module))
        for name, thing in vars(module).items():
            own = isinstance(thing, FunctionType) and self.ours(thing.__module__)
            if not own or name == "__getattr__":
                continue
            if self.home(thing) == module.__name__:
                space[name] = self._function(module, thing, name)
            else:
                space[name] = self.linked(thing)

    def _function(self, module: ModuleType, plain: FunctionType, name: str) -> Any:
        """A function that compiled code calls: kept on disk too, since many kernels call it."""
        tag = self._tag(module)
        made = self.compiled(
            self._copy(plain, module, name),
            lean=self.lean(module),
            inline=plain.__name__ in getattr(module, "INLINE", ()),
        )
        over_a_deck = len(tag) > KEY
        named = over_a_deck or hasattr(module, "IN_PLACE")  # its types are named after tables
        if self.how in ON_DISK and not named:  # see decision 0084
            whose = f"{module.__name__.rpartition('.')[2]}.{name}"  # a function may call a namesake
            toolchain().keep_in(made, folders.cache() / "functions" / tag, whose)
        return made

    def _constants(self, module: ModuleType) -> dict[str, Any]:
        there = deck_of(module.__name__) or hasattr(module, "IN_PLACE")
        if self.how not in ON_DISK or not there:
            return vars(module)
        space: dict[str, Any] = toolchain().space(module)
        return space

    def linked(self, function: FunctionType) -> Any:
        """The compiled twin of a function of the project; of a verb, the game's implementation."""
        if function.__module__ in IN_PLACE and self.how in ON_DISK:
            return toolchain().in_place(function)
        if function.__module__ in IN_PLACE and self.how == "cuda":
            from . import cuda

            return cuda.in_place(function)
        return vars(self.twin(sys.modules[self.home(function)]))[function.__name__]

    def home(self, function: FunctionType) -> str:
        """The module that implements a function; a verb: one of ``parts`` if it does."""
        if function.__module__ == VERBS:
            for part in self.parts:
                own = getattr(part, function.__name__, function)
                if own.__module__ != VERBS:  # it is not merely imported there
                    return part.__name__
        return function.__module__

    def lean(self, module: ModuleType) -> bool:
        """Whether a module declares ``ALLOCATES_NOTHING``; for a general kernel, the game's rules.

        Such code is compiled without counting references to arrays: Second Story plays 1.4 times
        as fast so.  Numba refuses to compile it if it does allocate.
        """
        over = self.parts[0] if module.__name__ in LEAN_KERNELS else module
        return bool(getattr(over, "ALLOCATES_NOTHING", False))

    def compiled(
        self, plain: FunctionType, *, lean: bool, inline: bool = False, kernel: bool = False
    ) -> Any:
        """Compile one function, unless ``how`` is plain; Python calls it if it is a ``kernel``.

        A module names in ``INLINE`` the functions that run so often that they are worth inlining.
        LLVM does not inline them by itself, for it does not know what is rare.  Second Story
        plays 1.3 times as fast with them inlined, and slower again with everything inlined.
        """
        if self.how == "plain":
            return plain
        if self.how == "cuda":
            from . import cuda

            return cuda.jitted(plain, kernel=kernel)
        build: Any = {"boundscheck": self.how == "checked", "_nrt": not lean}
        build["forceinline"] = inline and self.how == "compiled"
        build["no_cfunc_wrapper"] = True  # nothing but Python calls a kernel, and nothing a callee
        build["no_cpython_wrapper"] = not kernel
        return toolchain().jitted(plain, kernel=kernel, nogil=True, error_model="numpy", **build)

    def kernel(self, function: FunctionType) -> Any:
        """A function that Python calls: its machine code is kept on disk."""
        with compiling():  # what is linked and read for it is no player's time either
            return self._kernel(function)

    def _kernel(self, function: FunctionType) -> Any:
        module = sys.modules[function.__module__]
        self.twin(module)
        plain = self._copy(function, module, function.__name__)
        if self.how not in ON_DISK:
            return self.compiled(plain, lean=False, kernel=True)
        folder = self.folder(function)
        _kernel_folders.add(folder)
        lend(folder, function.__name__)
        made = self.compiled(plain, lean=self.lean(module), kernel=True)
        toolchain().keep_in(made, folder, function.__name__)
        return made

    def folder(self, function: FunctionType) -> Path:
        """Where the machine code of a kernel is kept."""
        return folders.cache() / self.digest(function.__module__)

    def cold(self, function: FunctionType) -> bool:
        """Whether a kernel must still be compiled."""
        if self.how not in ON_DISK:
            return False
        return not index_files(self.folder(function), function.__name__)

    def mark(self, module: str) -> Path:
        """A file beside the machine code: there once all is compiled that a module asks for."""
        return folders.cache() / f"{self.digest(module)[:KEY]}.ready"

    def digest(self, module: str, parts: Sequence[ModuleType] | None = None) -> str:
        """A digest of every source that a module's kernels depend on, linked with ``parts``.

        Over a deck of one's own it is the same for all decks of one shape, and the deck's own
        digest follows.
        """
        parts = self.parts if parts is None else parts
        modules = {module, *(part.__name__ for part in parts)}
        sources = {name: sys.modules[name].__file__ for name in self.reach(modules)}
        files = {name: Path(file) for name, file in sources.items() if file}  # else a namespace
        deck = next(filter(None, map(deck_of, sorted(files))), "")
        lean = self.lean(sys.modules[module])
        digest = hashlib.sha256(f"{version('numba')} {self.how} {lean} {LAYOUT}".encode())
        for part in parts:
            digest.update(part.__name__.replace(deck, "").encode())
        for name in sorted(files):
            digest.update(name.replace(deck, "").encode() + files[name].read_bytes())
            if deck_of(name):
                digest.update(outline(sys.modules[name]).replace(deck, "").encode())
                continue
            if hasattr(sys.modules[name], "IN_PLACE"):  # its name tells what its arrays hold
                continue
            for thing in vars(sys.modules[name]).values():
                if isinstance(thing, np.ndarray):  # tables read from data files
                    digest.update(thing.tobytes())
        return digest.hexdigest()[:KEY] + deck

    def reach(self, names: Iterable[str]) -> set[str]:
        """These modules of the project, and all of its modules that they import from."""
        seen: set[str] = set()
        todo = list(names)
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for thing in vars(sys.modules[name]).values():
                home = thing.__name__ if isinstance(thing, ModuleType) else None
                home = home or getattr(thing, "__module__", None)
                if isinstance(home, str) and self.ours(home) and home in sys.modules:
                    todo.append(home)
        return seen

    def ours(self, module: str) -> bool:
        """Whether a module is the project's or a game's, and no library."""
        return module.partition(".")[0] in self.packages


@cache
def toolchain() -> Any:
    """How Numba is used: by its inside where that is as it was tried, else in the usual way.

    Called where something is compiled: Numba takes half a second, and the plain twin needs none.
    """
    with compiling():
        return _toolchain(version("numba"))


@cache
def _toolchain(numba: str) -> ModuleType:
    try:
        from . import numba_internals

        if tuple(map(int, numba.split(".")[:2])) >= NEWER:
            numba_internals.check()
    except Exception as error:  # noqa: BLE001  whatever a newer Numba does otherwise
        log.warning(
            "Numba %s is newer than what yegg was tried with (%s), and its inside is another, so "
            "that games play slower and every start compiles anew: %r",
            numba,
            "below " + ".".join(map(str, NEWER)),
            error,
        )
        from . import usual_numba

        return usual_numba
    return numba_internals
