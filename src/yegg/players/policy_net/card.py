"""The card of a policy net: what its file says of it, in lines that people read."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import field

from yegg.engine import Game, Refused
from yegg.observations.layout import keywords
from yegg.observations.setting import setting
from yegg.stats.intervals import Figure
from yegg.text.phrases import listing, percent

from .weights import ANY

Share = tuple[float, float, float]


class Point(msgspec.Struct):
    """How often the net won on the way: shares with the ends of their 95 % intervals."""

    decisions: int
    uniform: Share
    greedy: Share


class TrainingFacts(msgspec.Struct):
    """How the net learned; files of nets that were made in another way say nothing of it."""

    learned_from: int | None = None
    seed: int | None = None
    minutes: float | None = None
    players: int | None = None
    options: dict[str, str] = field(default_factory=dict)
    published: float = 0.5
    begin_with: str | None = None
    teachers: list[str] = field(default_factory=list)
    teaching: float = 0.3


Covers = list[tuple[int, dict[str, str] | str]]


class Part(msgspec.Struct):
    """A net that is part of the file's, and is asked in its own settings alone."""

    units: int
    covers: Covers
    course: TrainingFacts = field(default_factory=TrainingFacts)


class Told(msgspec.Struct):
    """What is shown of a file."""

    version: str
    units: int
    covers: Covers
    joined: list[Part] = field(default_factory=list)
    course: TrainingFacts = field(default_factory=TrainingFacts)
    shown: tuple[int, dict[str, str]] | None = None
    curve: list[Point] = field(default_factory=list)


def card(game: Game, about: Mapping[str, Any], path: Path) -> str:
    """What a net has learned, how, and how well it played on the way.

    ``about`` is what `weights.load` gives of the file ``path``.  Raises Refused if it is not as
    `yegg train` writes it.
    """
    try:
        told = msgspec.convert(about, Told)
    except msgspec.ValidationError as error:
        raise Refused(f"what the net's file says of it cannot be shown: {error}") from None
    pairs = [covered(told.covers), *course(told.course)]
    for part in told.joined:
        settings = covered(part.covers)[1]
        pairs.append(("joined with", f"a net of {part.units} units, which plays with {settings}"))
        pairs += course(part.course)
    lines = [
        f"{game.title}: a policy net of two layers of {told.units} units, for {told.version}",
        *(f"  {name:<16}{said}" for name, said in pairs),
        f"  {'file':<16}{path}",
    ]
    return "\n".join([*lines, *curve(game, told)])


def covered(settings: Covers) -> tuple[str, str]:
    """The settings that it has learned."""
    by: dict[str, list[str]] = {}
    for players, options in settings:
        by.setdefault(_named(options), []).append(str(players))
    listed = "; ".join(f"{listing(players)} players, {how}" for how, players in by.items())
    return ("has learned", listed)


def _named(options: dict[str, str] | str) -> str:
    if options == ANY:
        return "all options"
    if isinstance(options, str) or not options:
        return "the published rules"
    return ", ".join(f"{name}={value}" for name, value in options.items())


def course(told: TrainingFacts) -> list[tuple[str, str]]:
    """How it learned, as pairs of a name and a sentence."""
    if told.learned_from is None:
        return [("learned from", "its file does not say")]
    games = f"{percent(told.published)} by the published rules"
    if told.options:
        games = f"with {_named(told.options)}"
    elif told.published < 1:
        games += f", {percent(1 - told.published)} with options drawn"
    minutes = f" in {told.minutes:g} minutes" if told.minutes else ""
    pairs = [("learned from", f"{told.learned_from:,} decisions{minutes}: {games}")]
    if told.seed is not None:
        pairs.append(("seed", str(told.seed)))
    if told.begin_with:
        pairs.append(("began with", told.begin_with))
    if told.teachers:
        pairs.append(
            ("teachers", f"{listing(told.teachers)}, for {percent(told.teaching)} of the time")
        )
    return pairs


def curve(game: Game, told: Told) -> list[str]:
    """How often it won, by decisions; nothing if nobody looked."""
    if not (told.shown and told.curve):
        return []
    players, options = told.shown
    even = percent(1 / setting(game, players, **keywords(options)).sides, 1)
    how = f", {_named(options)}" if options else ""
    head = f"  wins of {players} players{how}, by its likeliest choice; even is {even}:"
    columns = f"  {'million decisions':>17}  {'against uniform':>22}  {'against greedy':>22}"
    return [head, columns, *(_line(point) for point in told.curve)]


def _line(point: Point) -> str:
    uniform, greedy = (str(Figure(*one, percent=True)) for one in (point.uniform, point.greedy))
    return f"  {point.decisions / 1e6:>17.2f}  {uniform:>22}  {greedy:>22}"
