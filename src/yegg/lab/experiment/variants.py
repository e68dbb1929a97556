"""Variants of the rules that an experiment compares: a grid, pairs, or one option at a time."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from yegg.engine import Game, Refused
from yegg.lab.cells import Variant
from yegg.lab.file_schema import Positive, converted

from .decks import CARDS, PUBLISHED, Decks, named
from .rules_in_words import in_words

Design = Literal["grid", "pairs", "one-at-a-time"]


def varied(
    game: Game, vary: Mapping[str, Any], players: int | None, decks: Decks | None = None
) -> Iterator[Variant]:
    """The variants of a file's ``[vary]``: named rules, or options that take several values.

    ``cards`` is the file of one of ``decks``, or several; one alone is compared with the
    published deck.
    """
    vary, decks = dict(vary), decks or Decks(game, None)
    if isinstance(vary.get(CARDS), str):
        vary[CARDS] = [PUBLISHED, vary[CARDS]]
    design = converted(Design, vary.pop("design", "grid"), "vary.design")
    rules = converted(list[dict[str, Any]], vary.pop("rules", [{}]), "vary.rules")
    axes = converted(dict[str, list[Any]], vary, "vary")
    if not all(axes.values()):
        raise Refused("an axis of [vary] needs at least one value")
    seen: set[str] = set()
    for rule in rules:
        fixed = dict(rule)
        name = fixed.pop("name", None)
        for point in _points(axes, design):
            chosen = {**fixed, **point}
            values = named(chosen)
            deck = decks.find(chosen.pop(CARDS, PUBLISHED))
            options = {key: str(value) for key, value in chosen.items()}
            count = options.pop("players", players)
            many = game.usual_players(options) if count is None else _players(count)
            called = _named(name, named(fixed) if name is None else {}, named(point))
            if called in seen:
                raise Refused(f"two variants are called {called!r}")
            seen.add(called)
            game.setup(many, options)
            cards = deck.game.cards if deck else ""
            title = in_words(game, called, values)
            yield Variant(called, many, tuple(sorted(options.items())), cards=cards, title=title)


def _players(count: int | str) -> int:
    number = int(count) if str(count).isdecimal() else count
    return int(converted(Positive, number, "players"))


def _points(axes: Mapping[str, Sequence[Any]], design: str) -> list[dict[str, Any]]:
    """The settings that a design tries; others are compared with the first values."""
    first = {name: values[0] for name, values in axes.items()}
    if design == "grid":
        every = itertools.product(*axes.values())
        return [dict(zip(axes, values, strict=True)) for values in every]
    points = [first]
    points += [{**first, name: value} for name, values in axes.items() for value in values[1:]]
    if design == "pairs":
        for (a, many), (b, more) in itertools.combinations(axes.items(), 2):
            points += [{**first, a: x, b: y} for x, y in itertools.product(many[1:], more[1:])]
    return points


def _named(name: Any, fixed: Mapping[str, Any], point: Mapping[str, Any]) -> str:
    values = ", ".join(f"{key}={value}" for key, value in {**fixed, **point}.items())
    if name is None:
        return values or PUBLISHED
    return f"{name}, {values}" if values else str(name)
