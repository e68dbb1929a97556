"""Finds what can be plugged in: a package's own modules, and entry points of other packages."""

import pkgutil
from importlib import import_module
from importlib.metadata import entry_points


def found(package: str, *, folders: bool) -> dict[str, str]:
    """Everything in a package, and what others offer it, by name: where it can be imported.

    Folders or modules of ``package`` count, and entry points of the group that is named like
    it (``yegg.games``).  Nothing is imported but the package; our own come before others'.
    """
    here = {
        module.name.replace("_", "-"): f"{package}.{module.name}"
        for module in pkgutil.iter_modules(import_module(package).__path__)
        if module.ispkg == folders
    }
    elsewhere = {entry.name: entry.value for entry in entry_points(group=package)}
    return elsewhere | here
