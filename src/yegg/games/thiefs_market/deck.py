"""Reads a deck from its file: every cell is checked, and a bad one is named by line and column.

A line that begins with # is a remark.
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from io import StringIO
from pathlib import Path
from typing import TypeVar

from yegg.engine import Refused
from yegg.text.untrusted import quoted

FACES = ("red", "white", "blue", "green", "bag", "mask")
GEMS = FACES[:4]
LETTERS = ("A", "B", "C")
ICONS = ("henchman", "wand", "building", "finery", "compass", "plan")
COLUMNS = ("slug", "name", "deck", "promo", "cost", "icons", "points", "effect")
LEAST = 5  # cards of each letter: a row of the market
MOST = 200  # cards of a file: each has choices of its own, and is compiled
DEAREST = 20  # gems of a card: there are no more dice (TM-2)
LONGEST_NAME = 40
LARGEST = 200_000  # bytes of a file
REMARK = "#"
PUBLISHED = Path(__file__).with_name("cards.csv")
T = TypeVar("T")


class Effect(IntEnum):
    """The kinds of effect; what a kind needs besides its name is in ``GRAMMAR``."""

    NONE = 0
    TURN = 1  # one die to another face
    SPEND = 2  # one die for a token
    EXCHANGE = 3  # Gold for Infamy
    EXTRA_PURCHASE = 4
    BUY_INFAMY = 5
    HAUL = 6
    NO_REROLL = 7
    STOLEN_INFAMY = 8
    MARKER_INFAMY = 9
    DISCOUNT = 10
    EXTRA_GOLD = 11
    EXTRA_INFAMY = 12
    FREE_CARD = 13
    BUILDINGS = 14
    WANDS = 15
    PER_CARD = 16
    PER_INFAMY = 17
    TREASURE = 18
    COPY = 19
    BIG_PILE_INFAMY = 20
    RIVAL_WANDS = 21


NUMBER = "a number from 0 to 99"
GRAMMAR: dict[Effect, tuple[tuple[str, ...] | str | int, ...]] = {
    # words to choose from, NUMBER, or a number that may be left out and is then this
    Effect.TURN: ((*GEMS, "bag"), ("gem", "bag")),
    Effect.SPEND: (FACES, ("gold", "infamy"), 1),
    Effect.EXCHANGE: (("gold",), ("infamy",), NUMBER),
    Effect.EXTRA_PURCHASE: (FACES,),
    Effect.BUY_INFAMY: (GEMS, 1),
    Effect.HAUL: (1,),
    Effect.STOLEN_INFAMY: (1,),
    Effect.MARKER_INFAMY: (1,),
    Effect.EXTRA_GOLD: (1,),
    Effect.EXTRA_INFAMY: (1,),
    Effect.BUILDINGS: (NUMBER, NUMBER),
    Effect.WANDS: (3,),
    Effect.PER_CARD: (1,),
    Effect.PER_INFAMY: (2,),
    Effect.TREASURE: (7, 5),
    Effect.BIG_PILE_INFAMY: (2,),
    Effect.RIVAL_WANDS: (1,),
}
NAMES = {effect.name.lower().replace("_", "-"): effect for effect in list(Effect)[1:]}


@dataclass(frozen=True)
class Card:
    """One line of the file."""

    slug: str
    name: str
    deck: int
    promo: bool
    cost: tuple[int, ...]
    icons: tuple[int, ...]
    points: int
    effect: Effect
    words: tuple[str, ...]
    """The effect's words in their order: ``("red", "gem")`` of ``turn:red:gem``."""
    numbers: tuple[int, ...]
    """Its numbers, those left out included."""


def read(path: Path) -> list[Card]:
    """Every card of a file.  Raises Refused, with line and column, at the first bad cell."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise Refused(f"{path}: a file of cards has at most {LARGEST} bytes")
        cards = {}
        for number, line in _lines(path, raw.decode("utf-8-sig")):
            cards[number] = _card(f"{path.name}, line {number}", line)
            if len(cards) > MOST:
                raise Refused(f"{path.name}, line {number}: a deck has at most {MOST} cards")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refused(f"{path}: these cards cannot be read: {why}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise Refused(f"{path}: these cards cannot be read: {error}") from error
    _check_whole(path, cards)
    return list(cards.values())


def _lines(path: Path, text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of cards, each with its number and its cells by column; remarks are left out."""
    blank = "\n".join("" if line.startswith(REMARK) else line for line in text.splitlines())
    reader = csv.reader(StringIO(blank, newline=""), strict=True)
    heads: list[str] = []
    for cells in reader:
        at = f"{path.name}, line {reader.line_num}"
        if not any(cells) or cells[0].startswith(REMARK):  # a spreadsheet puts it into quotes
            continue
        if not heads:
            heads = [head.strip() for head in cells]
            _check_columns(at, heads)
            continue
        if any(cells[len(heads) :]):
            raise Refused(
                f"{at}: {len(cells)} cells for {len(heads)} columns; a cell with a comma in it "
                "stands in double quotes"
            )
        yield reader.line_num, dict(zip(heads, cells, strict=False))
    if not heads:
        _check_columns(f"{path.name}, line 1", heads)


def _check_columns(at: str, there: Sequence[str]) -> None:
    for column in COLUMNS:
        if column not in there:
            needed = ",".join(COLUMNS)
            raise Refused(f"{at}: column {column} is missing; needed: {needed}")


def _check_whole(path: Path, cards: Mapping[int, Card]) -> None:
    """What single cells cannot show: slugs that come twice, decks too small; cards by line."""
    there: set[str] = set()
    for line, card in cards.items():
        if card.slug in there:
            raise Refused(f"{path.name}, line {line}, column slug: {card.slug} comes twice")
        there.add(card.slug)
    for letter, name in enumerate(LETTERS):
        n = sum(card.deck == letter and not card.promo for card in cards.values())
        if n < LEAST:
            raise Refused(f"{path.name}, column deck: {n} cards of {name}; at least {LEAST} needed")


def _card(where: str, line: Mapping[str, str]) -> Card:
    cells = {column: line.get(column, "").strip() for column in COLUMNS}

    def cell(column: str, parse: Callable[[str], T]) -> T:
        try:
            return parse(cells[column])
        except ValueError as error:
            found = quoted(cells[column])
            raise Refused(f"{where}, column {column}: {found}: {error}") from None

    effect, words, numbers = cell("effect", parsed_effect)
    return Card(
        cell("slug", _slug),
        cell("name", _name),
        cell("deck", lambda text: _place(text, LETTERS)),
        cell("promo", lambda text: _place(text, ("", "yes")) == 1),
        cell("cost", _cost),
        cell("icons", lambda text: tuple(_place(icon, ICONS) for icon in text.split("+"))),
        cell("points", lambda text: _number(text or "0")),
        effect,
        words,
        numbers,
    )


def _place(text: str, there: Sequence[str]) -> int:
    if text not in there:
        raise ValueError(f"can be {', '.join(word or 'empty' for word in there)}")
    return there.index(text)


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(f"must be {NUMBER}")
    return int(text)


def _slug(text: str) -> str:
    if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", text):
        raise ValueError("a slug is small letters and digits, joined by single hyphens")
    return text


def _name(text: str) -> str:
    if not text:
        raise ValueError("the card needs a name")
    if len(text) > LONGEST_NAME or not text.isprintable():
        raise ValueError(f"a name is 1 to {LONGEST_NAME} printable characters")
    return text


def _cost(text: str) -> tuple[int, ...]:
    """How many gems of each colour: ``RRW`` is (2, 1, 0, 0)."""
    letters = [gem[0].upper() for gem in GEMS]
    if not text or set(text) - set(letters):
        raise ValueError(f"a cost is one or more of the letters {' '.join(letters)}")
    if len(text) > DEAREST:
        raise ValueError(f"{len(text)} gems; a card costs at most {DEAREST}, as many as dice")
    return tuple(text.count(letter) for letter in letters)


def parsed_effect(text: str) -> tuple[Effect, tuple[str, ...], tuple[int, ...]]:
    """Kind, words and numbers of an effect such as ``turn:red:gem`` or ``treasure:7:5``."""
    if not text:
        return Effect.NONE, (), ()
    name, *given = text.split(":")
    effect = list(NAMES.values())[_place(name, list(NAMES))]
    grammar = GRAMMAR.get(effect, ())
    words: list[str] = []
    numbers: list[int] = []
    for i, wanted in enumerate(grammar):
        if isinstance(wanted, int):
            numbers.append(_number(given[i]) if i < len(given) else wanted)
        elif i >= len(given):
            raise ValueError(f"{name} needs more: {form(effect)}")
        elif isinstance(wanted, str):
            numbers.append(_number(given[i]))
        else:
            words.append(wanted[_place(given[i], wanted)])
    if len(given) > len(grammar):
        raise ValueError(f"{name} needs less: {form(effect)}")
    if words == ["bag", "bag"]:
        raise ValueError("a bag is turned to a gem: turn:bag:gem")
    if effect == Effect.PER_INFAMY and numbers == [0]:
        raise ValueError("one Notoriety for every so many Infamy: from 1")
    return effect, tuple(words), tuple(numbers)


def form(effect: Effect) -> str:
    """How an effect is written: ``turn:red/white/blue/green/bag:gem/bag``, ``haul:[1]``."""
    name = next(name for name, kind in NAMES.items() if kind == effect)
    parts = [
        "/".join(item) if isinstance(item, tuple) else "NUMBER" if item == NUMBER else f"[{item}]"
        for item in GRAMMAR.get(effect, ())
    ]
    return ":".join([name, *parts])
