"""Reads files that people write for the laboratory."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from yegg.engine import Refused

T = TypeVar("T")


def from_toml(path: Path, made: Callable[[dict[str, Any], str], T]) -> T:
    """What is ``made`` of the data and the text of a TOML file.  Raises Refused, which names it."""
    try:
        source = path.read_text(encoding="utf-8")
        data = tomllib.loads(source)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"{path} is no TOML: {error}") from None
    try:
        return made(data, source)
    except Refused as refusal:
        raise Refused(f"{path}: {refusal}") from None
