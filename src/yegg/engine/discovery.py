"""Finds games and players: a package's own modules, and entry points of other packages."""

import pkgutil
from importlib import import_module
from importlib.metadata import entry_points


def found(package: str, *, folders: bool) -> dict[str, str]:
    """By name, where each thing that a package holds, or others add to it, can be imported.

    These are the package's folders (``folders``) or else its modules, and the entry points of the
    group that has the package's name, as ``yegg.games``.  Only the package itself is imported.
    Where two have one name, the package's own wins.
    """
    here = {
        module.name.replace("_", "-"): f"{package}.{module.name}"
        for module in pkgutil.iter_modules(import_module(package).__path__)
        if module.ispkg == folders
    }
    elsewhere = {entry.name: entry.value for entry in entry_points(group=package)}
    return elsewhere | here
