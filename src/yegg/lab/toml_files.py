"""Reads files that people write for the laboratory; what is wrong is refused with its name."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from yegg.engine import Refused
from yegg.text.phrases import offered

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


def only(what: str, data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse a key that is not among the known ones."""
    for key in data:
        if key not in known:
            raise Refused(f"{what} has no key {key!r}; {offered(key, known)}")


def table(value: Any, what: str) -> Mapping[str, Any]:
    """A table of TOML.  Raises Refused."""
    if not isinstance(value, dict):
        raise Refused(f"{what} is a table of keys and values")
    return value


def sequence(value: Any, what: str) -> list[Any]:
    """A list of TOML.  Raises Refused."""
    if not isinstance(value, list):
        raise Refused(f'{what} is a list, as ["a", "b"]')
    return value


def flag(value: Any, what: str) -> bool:
    """True or false.  Raises Refused."""
    if not isinstance(value, bool):
        raise Refused(f"{what} is true or false, not {value!r}")
    return value


def whole(value: Any, what: str, least: int) -> int:
    """A whole number, not below the least one.  Raises Refused."""
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise Refused(f"{what} is a whole number, not {value!r}") from None
    if isinstance(value, float | bool) or not least <= number < 2**62:
        raise Refused(f"{what} is a whole number of at least {least}, not {value!r}")
    return number
