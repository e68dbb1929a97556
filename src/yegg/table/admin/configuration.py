"""Configuration of a server: file, environment and command line; the last one wins.

Nothing is listed here: the keys are the fields of `Settings`, and its nested dataclasses are the
sections of the file.
"""

import dataclasses
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec
from msgspec import inspect

from yegg.engine import Refused
from yegg.table.field_docstrings import docstrings
from yegg.table.settings import Option, Settings
from yegg.text.phrases import listing, offered
from yegg.text.untrusted import quoted

PREFIX = "YEGG_"
HIDDEN = "(not shown)"
PASSWORD = re.compile(r"(://[^:/@\s]*):[^@\s]*@")  # in the address of a database
Path_ = tuple[str, ...]
"""A key with its sections: ``telling.mail.host``."""
BEFORE = {
    "YEGG_ADDRESS": "YEGG_TELLING_ADDRESS",
    "YEGG_MAIL": "YEGG_TELLING_MAIL_HOST",
    "YEGG_MAIL_FROM": "YEGG_TELLING_MAIL_SENDER",
    "YEGG_LETTERS": "YEGG_TELLING_LETTERS",
    "YEGG_PUSH": "YEGG_TELLING_PUSH",
    "YEGG_HOOKS": "YEGG_TELLING_HOOKS",
}
"""What variables were called before: refused, so that nobody's letters stop in silence."""


class Key(NamedTuple):
    """A setting, or a section of them."""

    kind: Any
    """The type of its values."""
    usual: Any
    """Its value where nothing is said; `dataclasses.MISSING` if it is needed."""
    secret: bool
    """Whether its value is not shown to anybody: a field that `repr` leaves out."""
    says: str
    """The docstring of the field."""

    @property
    def section(self) -> type | None:
        """The dataclass of a section; None of a setting."""
        info = bare(self.kind)
        return info.cls if isinstance(info, inspect.DataclassType) else None

    @property
    def option(self) -> Option | None:
        """The option of the command line that stands for it."""
        said = getattr(self.kind, "__metadata__", ())
        return next((one for one in said if isinstance(one, Option)), None)


@dataclass(frozen=True)
class Source:
    """A source of settings: a file, the environment, or the command line."""

    name: str
    """As errors and `shown` call it."""
    values: Mapping[Path_, Any]
    """By key; a section's value is a mapping."""
    typed: bool = True
    """Whether values have types; else all of them are texts."""


@dataclass(frozen=True)
class Held:
    """The settings after all sources, and which source each is from."""

    settings: Settings
    said_by: Mapping[Path_, str]
    """The source of each key that some source has set."""


def file(path: Path) -> Source:
    """A file in TOML.  Raises Refused."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeError) as error:
        why = (getattr(error, "strerror", None) or "").lower() or "it is not UTF-8"
        raise Refused(f"{path} cannot be read: {why}") from None
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{path} is not TOML: {error}") from None
    return Source(str(path), {(name,): value for name, value in said.items()})


def environment(there: Mapping[str, str]) -> Source:
    """The variables that are named after a key: ``YEGG_PORT``, ``YEGG_TELLING_MAIL_HOST``.

    Raises Refused for a name of before.
    """
    for name, today in BEFORE.items():
        if name in there:
            raise Refused(f"the environment: {name} is called {today} now (docs/told.md)")
    said = {path: there.get(variable(path)) for path in keys(Settings)}
    values = {path: value for path, value in said.items() if value is not None}
    return Source("the environment", values, typed=False)


def variable(path: Path_) -> str:
    """The variable of a key.

    >>> variable(("telling", "mail", "host"))
    'YEGG_TELLING_MAIL_HOST'
    """
    return PREFIX + joined(path).upper()


def joined(path: Path_) -> str:
    """A key as one word.

    >>> joined(("telling", "mail", "host"))
    'telling_mail_host'
    """
    return "_".join(path)


def merge(sources: Sequence[Source]) -> Held:
    """Hear all sources, the last one loudest.  Raises Refused for the first mistake."""
    values: dict[Path_, Any] = {}
    said_by: dict[Path_, str] = {}
    for source in sources:
        for path, value in _checked(source, source.values):
            values[path], said_by[path] = value, source.name
    return Held(_made(Settings, values, ()), said_by)


def fields(section: type, above: Path_ = ()) -> Iterator[tuple[Path_, Key]]:
    """Everything in a section: each setting, and each further section before what is in it."""
    kinds, says = get_type_hints(section, include_extras=True), docstrings(section)
    for one in dataclasses.fields(section):
        path, what = (*above, one.name), (kinds[one.name], one.default, not one.repr)
        key = Key(*what, says.get(one.name, ""))
        yield path, key
        if key.section:
            yield from fields(key.section, path)


def keys(section: type) -> dict[Path_, Key]:
    """All keys of a section and of those in it."""
    return {path: key for path, key in fields(section) if not key.section}


def _checked(source: Source, values: Mapping[Path_, Any]) -> Iterator[tuple[Path_, Any]]:
    """Each key that a source sets, with its value.  Raises Refused."""
    known = dict(fields(Settings))
    for path, value in values.items():
        if path not in known:
            above = path[:-1]
            inside = f" in [{_named(above)}]" if above else ""
            there = offered(path[-1], [one[-1] for one in known if one[:-1] == above])
            raise Refused(f"{source.name}: there is no setting {quoted(path[-1])}{inside}; {there}")
        if not known[path].section:
            yield path, _value(source, path, known[path].kind, value)
        elif isinstance(value, Mapping):
            yield from _checked(source, {(*path, name): one for name, one in value.items()})
        else:
            where, line = f"{source.name}: {_named(path)}", f"[{_named(path)}]"
            raise Refused(f"{where} is a section: its settings stand below a line {line}")


def _value(source: Source, path: Path_, kind: Any, said: Any) -> Any:
    """A value of the type that its key needs.  Raises Refused."""
    given = said
    if not source.typed and isinstance(bare(kind), inspect.TupleType | inspect.VarTupleType):
        given = [one.strip() for one in said.split(",") if one.strip()]
    try:
        return msgspec.convert(given, kind, strict=source.typed)
    except msgspec.ValidationError:
        key = _named(path) if source.typed else variable(path)
        given = quoted(said) if isinstance(said, str) else json.dumps(said, default=str)[:60]
        shown = HIDDEN if path in secret() else given
        raise Refused(f"{source.name}: {key} has to be {wanted(kind)}, not {shown}") from None


def _made(section: type, values: Mapping[Path_, Any], above: Path_) -> Any:
    """A section from its values; one that may be left out, and of which nothing is said, is None.

    Raises Refused.
    """
    given: dict[str, Any] = {}
    missing = []
    for path, key in fields(section, above):
        if path[:-1] != above:
            continue  # of a section in it
        if key.section and any(one[: len(path)] == path for one in values):
            given[path[-1]] = _made(key.section, values, path)
        elif path in values:
            given[path[-1]] = values[path]
        elif key.usual is dataclasses.MISSING:
            missing.append(path[-1] + (f" ({key.option.names.split()[0]})" if key.option else ""))
    if missing:
        raise Refused(f"[{_named(above)}] needs {listing(missing)} too")
    return section(**given)


def _named(path: Path_) -> str:
    return ".".join(path)


# What a key wants, in words

PLAIN: dict[Any, str] = {
    inspect.StrType: "a text",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
}


def bare(kind: Any) -> Any:
    """What msgspec knows of a type, without the None that it may be."""
    info = inspect.type_info(kind)
    kinds = info.types if isinstance(info, inspect.UnionType) else (info,)
    return next(one for one in kinds if not isinstance(one, inspect.NoneType))


def wanted(kind: Any) -> str:
    """The type of a value, in words.

    >>> from typing import Annotated
    >>> wanted(Annotated[int, msgspec.Meta(ge=1, le=65535)]), wanted(tuple[str, ...] | None)
    ('a whole number from 1 to 65535', 'a list of texts')
    """
    match info := bare(kind):
        case inspect.LiteralType(values=values):
            return listing([json.dumps(one) for one in values], "or")
        case inspect.VarTupleType(item_type=item):
            return f"a list of {PLAIN[type(item)].partition(' ')[2]}s"
        case inspect.TupleType(item_types=items):
            return f"a list of {listing([PLAIN[type(one)] for one in items])}"
    low, high = getattr(info, "ge", None), getattr(info, "le", None)
    bounds = "" if low is None else f" from {low} {'upwards' if high is None else f'to {high}'}"
    return PLAIN[type(info)] + bounds


# Showing what holds


def secret() -> set[Path_]:
    """The keys that are not shown to anybody."""
    return {path for path, key in keys(Settings).items() if key.secret}


def shown(holds: Held) -> str:
    """All settings as a file in TOML, each with who said so; secrets are left out."""
    lines: dict[Path_, list[str]] = {}
    for path in keys(Settings):
        value: Any = holds.settings
        for name in path:
            value = getattr(value, name, None)
        if value is None:
            continue
        by = holds.said_by.get(path, "as usual")
        lines.setdefault(path[:-1], []).append(f"{path[-1]} = {_told(path, value)}  # {by}")
    text = []
    for section, inside in sorted(lines.items()):
        text += ["", f"[{_named(section)}]"] if section else []
        text += inside
    return "\n".join(text) + "\n"


def _told(path: Path_, value: Any) -> str:
    if path in secret() and value:
        return json.dumps(HIDDEN)
    return PASSWORD.sub(rf"\1:{HIDDEN}@", json.dumps(value, ensure_ascii=False))
