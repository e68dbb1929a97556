"""TOML files of the laboratory, parsed into structs; errors say what would be right."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct, inspect

from yegg.engine import Refused
from yegg.text.phrases import offered

S = TypeVar("S", bound=Struct)
T = TypeVar("T")

Whole = Annotated[int, Meta(ge=0, lt=2**62)]
Positive = Annotated[int, Meta(ge=1, lt=2**62)]
Margin = Annotated[float, Meta(ge=0, lt=1e6)]

NOTHING: tuple[Any, ...] = (None, "", (), [], {})


def from_toml(path: Path, parse: Callable[[dict[str, Any], str], T]) -> T:
    """Parse the data and the text of a TOML file.  Raises Refused, which names the file."""
    try:
        source = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(source)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"{path} is no TOML: {error}") from None
    try:
        return parse(data, source)
    except Refused as refusal:
        raise Refused(f"{path}: {refusal}") from None


def as_toml(data: Mapping[str, Any]) -> str:
    """Data as the text of a TOML file; what is empty or None is left out.  Raises Refused."""
    import tomli_w

    try:
        return tomli_w.dumps({key: value for key, value in data.items() if value not in NOTHING})
    except TypeError:
        raise Refused("a file holds texts, numbers, lists and tables, and nothing else") from None


def struct(kind: type[S], given: Any, where: str, prefix: str | None = None) -> S:
    """A table of a file as a struct; before its keys errors put ``prefix``, or ``where`` it is.

    Raises Refused, which names the key and says what would be right.
    """
    if not isinstance(given, Mapping):
        raise Refused(f"{where} is a table of keys and values")
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    values = {}
    for key, value in given.items():
        if key not in fields:
            raise Refused(f"{where} has no key {key!r}; {offered(key, list(fields))}")
        path = f"{where}.{key}" if prefix is None else prefix + key
        values[fields[key].name] = converted(fields[key].type, value, path)
    for key, field in fields.items():
        if field.required and key not in given:
            raise Refused(f"{where} lacks {key}, {described(field.type)}")
    return kind(**values)


def converted(kind: Any, value: Any, where: str) -> Any:
    """A value of a file as a type, in which structs may stand.  Raises Refused as `struct` does."""
    for part in get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,):
        origin, inner = get_origin(part), get_args(part)
        if isinstance(part, type) and issubclass(part, Struct) and isinstance(value, Mapping):
            return struct(part, value, where)
        if origin is dict and isinstance(value, Mapping):
            return {key: converted(inner[1], one, f"{where}.{key}") for key, one in value.items()}
        if origin is list and isinstance(inner[0], type) and issubclass(inner[0], Struct):
            if not isinstance(value, list):
                raise Refused(f"{where} is a table of keys and values under [[{where}]]")
            return [struct(inner[0], one, where) for one in value]
        if origin is Literal and value not in inner:
            raise Refused(f"{where} = {value!r}: {offered(str(value), inner)}")
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        raise Refused(f"{where} is {described(kind)}, not {value!r}") from None


def described(kind: Any) -> str:
    """A type in words, for errors: ``a whole number of at least 1``."""
    return _described(inspect.type_info(kind))


def _described(info: inspect.Type) -> str:
    if isinstance(info, inspect.UnionType):
        parts = [part for part in info.types if not isinstance(part, inspect.NoneType)]
        return " or ".join(dict.fromkeys(map(_described, parts)))
    if isinstance(info, inspect.LiteralType):
        return "one of " + ", ".join(map(str, info.values))
    if isinstance(info, inspect.IntType | inspect.FloatType):
        what = "a whole number" if isinstance(info, inspect.IntType) else "a number"
        if info.ge is None:
            return f"{what} of more than 0" if info.gt == 0 else what
        ends = f"of at least {info.ge:g}" if info.le is None else f"from {info.ge:g} to {info.le:g}"
        return f"{what} {ends}"
    return WORDS.get(type(info), "a table of keys and values")


WORDS: dict[type[inspect.Type], str] = {
    inspect.BoolType: "true or false",
    inspect.StrType: "a text in quotes",
    inspect.ListType: 'a list, as ["a", "b"]',
    inspect.VarTupleType: 'a list, as ["a", "b"]',
}
