"""The sets of rules that an experiment plays: what varies, and by which design."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from yegg.engine import Game, Refused
from yegg.lab.cells import Variant
from yegg.lab.toml_files import sequence, table, whole
from yegg.text.phrases import offered

DESIGNS = ("grid", "pairs", "one-at-a-time")


def varied(game: Game, vary: Any, players: Any) -> Iterator[Variant]:
    """The variants of a file's ``[vary]``: named rules, or options that take several values."""
    vary = dict(table(vary, "vary"))
    design = vary.pop("design", "grid")
    if design not in DESIGNS:
        raise Refused(f"vary.design = {design!r}: {offered(str(design), DESIGNS)}")
    rules = sequence(vary.pop("rules", [{}]), "vary.rules")
    axes = {name: sequence(values, f"vary.{name}") for name, values in vary.items()}
    if any(not values for values in axes.values()):
        raise Refused("an axis of [vary] needs at least one value")
    seen: set[str] = set()
    for rule in rules:
        fixed = dict(table(rule, "an entry of vary.rules"))
        name = fixed.pop("name", None)
        for point in _points(axes, design):
            options = {key: str(value) for key, value in {**fixed, **point}.items()}
            count = options.pop("players", players)
            many = game.usual_players(options) if count is None else whole(count, "players", 1)
            said = _named(name, fixed if name is None else {}, point)
            if said in seen:
                raise Refused(f"two variants are called {said!r}")
            seen.add(said)
            game.setup(many, options)
            yield Variant(said, many, tuple(sorted(options.items())))


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
    said = ", ".join(f"{key}={value}" for key, value in {**fixed, **point}.items())
    if name is None:
        return said or "published"
    return f"{name}, {said}" if said else str(name)
