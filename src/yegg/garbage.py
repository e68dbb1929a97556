"""How often Python looks for garbage in processes of yegg's own."""

import gc


def collect_seldom() -> None:
    """Look for garbage seldom: compiling makes little of it, and is a tenth faster so.

    Only who owns the process may decide that: a command, or a process that was started to compile.
    """
    gc.set_threshold(100_000, 20, 100)
