"""Ray clusters: connecting, checking that nodes agree, and sharing compiled code.

Nobody but `opened` starts Ray.  Without a cluster it runs on this machine alone, and nothing of it
stays alive.  Decision 0060.
"""

import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import folders
from .engine import Refused
from .engine.compiler import kernel_folders
from .files import write_atomic
from .text.phrases import listing

LACKING = 'a cluster needs Ray: install yegg with its extra (pip install "yegg[cluster]")'
ADDRESS = "RAY_ADDRESS"
ASKED = "; if the cluster asks for a token, as Ray does by itself, set RAY_AUTH_MODE=token"


@contextmanager
def opened(cores: int | None = None) -> Iterator[Any]:
    """Ray's module, connected to the cluster that RAY_ADDRESS names, or to one made here for now.

    ``cores`` is how many cores of this machine such a one has.  A cluster that was there before
    goes on after it.  Raises Refused if Ray lacks or no cluster answers.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # before Ray reads it
    try:
        import ray
    except ModuleNotFoundError:
        raise Refused(LACKING) from None
    if ray.is_initialized():  # by somebody who goes on with it
        yield ray
        return
    address = os.environ.get(ADDRESS)
    wanted: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if not address:
        wanted |= {"include_dashboard": False, "num_cpus": cores or os.cpu_count()}
    elif "://" in address:  # another process starts the driver, and would be told all this
        wanted = {}
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        ray.init(address=address or "local", **wanted)
    except Exception as error:  # noqa: BLE001 - Ray raises bare ones, too
        where = f"at {address} ({ADDRESS})" if address else "here"
        said = str(error).splitlines() or [type(error).__name__]
        hint = ASKED if "://" in (address or "") else ""
        raise Refused(f"no cluster of Ray answers {where}: {said[0]}{hint}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def nodes(ray: Any) -> list[dict[str, Any]]:
    """The nodes that can work now: ``id``, ``name``, ``cores``."""
    return [
        {"id": one["NodeID"], "name": one["NodeManagerHostname"], "cores": cores}
        for one in ray.nodes()
        if one["Alive"] and (cores := int(one["Resources"].get("CPU", 0)))
    ]


def agree(name: str, there: Mapping[str, Any], mine: Mapping[str, Any]) -> None:
    """Raise Refused if a node has anything else of what ``mine`` names."""
    other = [key for key in mine if there[key] != mine[key]]
    if other:
        has = ", ".join(there[key] or "none" for key in other)
        raise Refused(
            f"{name} would play other games than this machine: its {listing(other)} differs "
            f"({has} there, {', '.join(mine[key] for key in other)} here)"
        )


def why(error: BaseException) -> str:
    """The error of a Ray task in one line: what it raised, or that its worker died."""
    cause = getattr(error, "cause", None) or error
    lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
    name = type(cause).__name__
    return f"{name}: {lines[0].partition('. ')[0].rstrip('.')}" if lines else name


def code() -> dict[str, bytes]:
    """The machine code of all kernels of this process, by its path in the cache."""
    return {
        str(file.relative_to(folders.cache())): file.read_bytes()
        for folder in kernel_folders()
        for file in sorted(folder.rglob("*.nb[ci]"))
    }


def unpack(code: Mapping[str, bytes]) -> None:
    """Put machine code where it is looked for, unless there is some; a node need not compile then.

    On another processor it is not used.
    """
    for name in sorted(code):  # .nbc before .nbi, which says what there is
        path = folders.cache() / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, code[name], lasting=False)


def paths() -> tuple[str, ...]:
    """Where this process finds modules, for others on the same disk."""
    return tuple(str(Path(path).resolve()) for path in sys.path if path)


def find_as(paths: Sequence[str]) -> None:
    """Find modules where another process does, wherever these folders are here too."""
    sys.path += [path for path in paths if path not in sys.path and Path(path).is_dir()]
