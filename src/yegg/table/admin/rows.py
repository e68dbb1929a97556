"""Rows of a house, judged before they are restored: what each column may hold.

Types and lengths are those of `schema`.  What JSON holds, and what rows say of one another, is
told here.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Annotated, Any, Never

import msgspec
import sqlalchemy as sa

from yegg.engine import Refused
from yegg.engine.promised import promise
from yegg.engine.record import CHANCE, SIDES
from yegg.table.domain.clock import ClockTerms
from yegg.table.domain.deals import Looked
from yegg.table.domain.evening import Plan
from yegg.table.domain.seats import Kind, meant
from yegg.text.untrusted import quoted

Row = Mapping[str, Any]
Seats = dict[int, int]
"""How many seats each game has, by its number."""


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """How a game ended."""

    places: list[int]
    scores: list[int]


class Pending(msgspec.Struct, forbid_unknown_fields=True):
    """A message that is being sent."""

    at: int
    turns: list[tuple[int, int, bool]]


Clock = msgspec.defstruct(
    "Clock",
    [("turn", int), *((field.name, field.type, field.default) for field in fields(ClockTerms)[1:])],
    forbid_unknown_fields=True,
)
JSON: dict[str, tuple[Any, str]] = {
    "games.options": (dict[str, str], "options by their names"),
    "games.result": (Result | None, "places and scores"),
    "games.people": (list[tuple[str, str | None, str | None]] | None, "a list of seats"),
    "games.clock": (Clock | None, "the terms of a clock"),
    "games.waits": (list[tuple[int, int, int, int | None]] | None, "for whom the game waits"),
    "deals.looked": (Looked | None, "what the coach found"),
    "evenings.plan": (Plan, "what its host has chosen"),
    "evening_tables.members": (list[int], "numbers of members"),
    "contacts.more": (dict[str, Any], "values by their names"),
    "contacts.hours": (list[Annotated[int, msgspec.Meta(ge=0, lt=24)]], "hours of a day"),
    "contacts.pending": (Pending | None, "what is being sent"),
}
"""What the columns of JSON hold: a type, and its name in a sentence."""
BITS = {sa.SmallInteger: 15, sa.BigInteger: 63, sa.Integer: 31}
OPEN = ("games", "events", "sittings")
"""Tables whose values a sentence may show; others hold secrets."""


def check(table: sa.Table, rows: Iterable[Row], seats: Seats) -> int:
    """Check the rows of a table, in the order of its key; return how many there are.

    Those of `games` come first, and are noted in ``seats``.  Raises Refused, which names the first
    odd row, and what would have been right.
    """
    among, many = AMONG.get(table.name), 0
    before: Row = {}
    for row in rows:
        for name, value in row.items():
            if right := _right(table.c[name], value):
                _odd(table, row, name, right)
        if among:
            among(table, row, before, seats)
        before, many = row, many + 1
    return many


def _odd(table: sa.Table, row: Row, name: str, right: str) -> Never:
    shows = table.name in OPEN
    which = [f"{c.name} {row[c.name]}" for c in table.primary_key if shows and c.name != name]
    said = row[name] if shows else "odd"
    value = quoted(said) if shows and isinstance(said, str) else said
    raise Refused(f"{', '.join([table.name, *which])}: {name} is {value}, but it must be {right}")


def _right(column: sa.Column[Any], value: Any) -> str:
    """What a value must be; empty if it is so."""
    kind = column.type
    if value is None:
        return "" if column.nullable else "there"
    if isinstance(kind, sa.JSON):
        shape, right = JSON[str(column)]
        return "" if _fits(shape, value) else f"{right}, as JSON"
    if isinstance(kind, sa.String):
        longest = kind.length or len(value)
        if not isinstance(value, str) or "\0" in value or not _whole(value):
            return "text in UTF-8"
        return "" if len(value) <= longest else f"text of at most {longest} characters"
    if isinstance(kind, sa.Boolean):
        return "" if value in (0, 1) else "0 or 1"
    end = 1 << next(bits for of, bits in BITS.items() if isinstance(kind, of))
    fits = isinstance(value, int) and -end <= value < end
    return "" if fits else f"a whole number from {-end} to {end - 1}"


def _fits(shape: Any, value: Any) -> bool:
    try:
        msgspec.json.decode(value, type=shape)
    except (msgspec.MsgspecError, TypeError, UnicodeError):
        return False
    return True


def _whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeError:
        return False
    return True


# What rows say of one another


def _game(table: sa.Table, row: Row, _: Row, seats: Seats) -> None:
    count = row["seats"]
    if not 0 < count < SIDES:
        _odd(table, row, "seats", f"from 1 to {SIDES - 1}")
    people = msgspec.json.decode(row.get("people") or "null")
    if people is not None and len(people) != count:
        _odd(table, row, "people", f"a list of {count} seats, as JSON")
    seats[row["id"]] = count


def _event(table: sa.Table, row: Row, before: Row, seats: Seats) -> None:
    _of_game(table, row, before, seats)
    count, last = seats[row["game"]], before.get("number", 0)
    due = last + 1 if before.get("game") == row["game"] else 1
    if row["number"] != due:
        _odd(table, row, "number", f"{due}, since events are numbered without a gap")
    if not CHANCE <= row["actor"] < count:
        _odd(table, row, "actor", f"a seat from 0 to {count - 1}, or {CHANCE}")
    try:
        kind, of = meant(row["choice"])
    except ValueError:
        kind, of = Kind.PUT, count
    if kind in (Kind.PUT, Kind.GIVE) and of >= count:
        _odd(table, row, "choice", "a choice, or the number of a kind of event")


def _of_game(table: sa.Table, row: Row, _: Row, seats: Seats) -> None:
    if row["game"] not in seats:
        _odd(table, row, "game", "the number of a game")


def _dice(table: sa.Table, row: Row, before: Row, seats: Seats) -> None:
    _of_game(table, row, before, seats)
    if _bytes(row["seed"]) is None or promise(_bytes(row["seed"]) or b"") != row["promise"]:
        _odd(table, row, "seed", "the one that was promised")


def _house(table: sa.Table, row: Row, _before: Row, _seats: Seats) -> None:
    for name in ("dice", "deals"):
        if _bytes(row.get(name) or "") is None:
            _odd(table, row, name, "hexadecimal")


def _bytes(text: str) -> bytes | None:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


AMONG: dict[str, Callable[[sa.Table, Row, Row, Seats], None]] = {
    "games": _game,
    "events": _event,
    "sittings": _of_game,
    "deals": _of_game,
    "dice": _dice,
    "house": _house,
}
"""What is checked of a row beside its values, by the name of its table."""
