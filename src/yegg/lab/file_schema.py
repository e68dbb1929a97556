"""Tables of the laboratory's files, declared as structs; what does not fit is refused in words."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from yegg.engine import Refused
from yegg.text.phrases import offered

S = TypeVar("S", bound=msgspec.Struct)


def struct(kind: type[S], given: Any, where: str, **known: Any) -> S:
    """What stands in a table of a file, with what is ``known`` from elsewhere.

    Raises Refused, which names the key and says what would be right.
    """
    if not isinstance(given, Mapping):
        raise Refused(f"{where} is a table of keys and values")
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key, value in given.items():
        if key not in fields or key in known:
            raise Refused(
                f"{where} has no key {key!r}; "
                f"{offered(key, [name for name in fields if name not in known])}"
            )
        try:
            msgspec.convert(value, fields[key].type)
        except msgspec.ValidationError:
            right = described(fields[key].type)
            raise Refused(f"{where}.{key} is {right}, not {value!r}") from None
    for key, field in fields.items():
        if field.required and key not in given and key not in known:
            raise Refused(f"{where} lacks {key}, {described(field.type)}")
    return msgspec.convert({**given, **known}, kind)


def described(kind: Any) -> str:
    """What a value of a type is, in words: ``a whole number of at least 1``."""
    match inspect.type_info(kind):
        case inspect.IntType(ge=least):
            return "a whole number" + ("" if least is None else f" of at least {least}")
        case inspect.FloatType(ge=least, le=most):
            ends = f" from {least:g} to {most:g}" if least is not None and most is not None else ""
            return f"a number{ends}"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "a text in quotes"
        case inspect.ListType() | inspect.VarTupleType():
            return 'a list, as ["a", "b"]'
        case inspect.UnionType(types=types):
            return " or ".join(dict.fromkeys(described(one) for one in map(plain, types)))
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(map(str, values))
    return "a table of keys and values"


def plain(info: inspect.Type) -> Any:
    """The Python type that a part of a union stands for."""
    kinds = {inspect.IntType: int, inspect.FloatType: float, inspect.StrType: str}
    kinds |= {inspect.BoolType: bool, inspect.ListType: list, inspect.DictType: dict}
    return kinds.get(type(info), dict)
