"""Names of version 1.0 that are others today: they work until 2.0, and each says its new one.

Who implements an old name is met in `adopt`, and who asks a module for one in `by_old_names`.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from warnings import warn

VERBS = {
    "ways": "n_legal",
    "way": "nth_legal",
    "worth": "evaluate",
    "worths": "evaluate_all",
    "spread": "value_scale",
    "mix": "sample_choice",
    "note": "count_event",
    "close": "count_end",
}
"""What games and compiled players implement and call."""
WITH_VERBS = "lore", "tally"
"""Parts of a game, beside its rules, that implement them; others may call a helper `worth`."""
T = TypeVar("T")


def adopt(made: T, names: Mapping[str, str] = VERBS) -> T:
    """Give a module or class of somebody's, which implements an old name, the new one too."""
    space: Mapping[str, Any] = vars(made)
    for old, new in names.items():
        own = space.get(old)
        if callable(own) and new not in space and own.__module__ != "yegg.engine.verbs":
            _warn(f"{getattr(made, '__name__', made)}.{old}", new)
            setattr(made, new, own)
    return made


def by_old_names(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module whose names were once others."""

    def found(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", names[name])
        return getattr(sys.modules[module], names[name])

    return found


def _warn(old: str, new: str) -> None:
    warn(f"{old} is called {new} today; the old name works until 2.0", DeprecationWarning, 3)
