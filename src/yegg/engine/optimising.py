"""In a process that only fills the cache: each kernel is optimised once, as a whole.

Numba optimises and translates each function with all that it calls, and then does the same for its
callers: a function at depth five is optimised five times, though only the kernel is kept on disk.
"""

from typing import Any


def optimise_kernels_only() -> None:
    """From here on leave out what only serves to call a kernel's callees from Python.

    It is for a process that compiles for others: here kernels would be slow, since they would share
    their callees' code with one another.  What lies on disk is as fast as ever.  The steps that are
    left out are not a documented part of Numba; where it has none of this name, all functions are
    optimised, and compiling takes longer.
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
        return lambda library: step(library) if depth[0] <= 1 else None

    event.register("numba:compile", Depth())  # type: ignore[no-untyped-call]
    for owner, name in (
        (codegen.CPUCodeLibrary, "_optimize_final_module"),
        (codegen.JITCodeLibrary, "_finalize_specific"),
    ):
        if step := getattr(owner, name, None):
            setattr(owner, name, only_for_kernels(step))
