"""Processor, system and versions, on which reproducible figures and machine code depend."""

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import yegg

PACKAGES = ("numpy", "numba", "polars")


@cache
def machine() -> dict[str, str]:
    """Processor, system and Python: where one differs, figures may differ in their last digit."""
    from llvmlite.binding import get_host_cpu_name

    return {
        "processor": os.environ.get("NUMBA_CPU_NAME") or str(get_host_cpu_name()),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def versions() -> dict[str, str]:
    """The versions of what plays games and writes parts."""
    return {"yegg": yegg.__version__, **{name: version_of(name) for name in PACKAGES}}


def version_of(package: str) -> str:
    """The version of a package, empty if it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
