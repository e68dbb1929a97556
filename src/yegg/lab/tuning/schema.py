"""A search as a file: which settings there are, what is aimed at, how much may be played.

Everything is checked before the first game.  docs/lab-tuning.md describes the file.
"""

import itertools
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from yegg import games
from yegg.engine import Game, Refused
from yegg.lab.cells import Cell, Variant
from yegg.lab.experiment.schema import Experiment, checked
from yegg.lab.experiment.writer import written
from yegg.lab.toml_files import from_toml
from yegg.text.phrases import offered

from .targets import Target, targets

KEYS = ("question", "game", "players", "seed", "bots", "tune", "target", "sample", "search")
SEARCHES = ("halving", "optuna")
LISTED = 5000  # settings at most that are listed; of more, some are proposed
GAMES, FINAL = 4000, 1000  # in the search; and deals for each setting that is left in the end
FRESH = 1_000_000  # added to the seed for the last deals, which no setting has met
LOOKED = 20_000  # settings at most that are looked through for one that is possible


@dataclass(frozen=True)
class Tuning:
    """A checked search."""

    question: str
    axes: Mapping[str, tuple[str, ...]]
    """The values of every option, and of ``players``, that are tried."""
    targets: tuple[Target, ...]
    games: int
    """How many the search plays, in all."""
    final: int
    """How many fresh deals each setting plays that is left in the end."""
    search: str
    """``halving`` of all settings, or ``optuna``, which proposes some."""
    players: int | None
    """None: as many as usual, or as the setting says."""
    experiment: Experiment
    """How every setting is played: who, with which seed, measured by the targets."""
    source: str = field(repr=False, default="")
    """The file, as it was written."""

    @property
    def game(self) -> Game:
        """The game whose settings are searched."""
        return self.experiment.game

    @property
    def many(self) -> int:
        """How many settings there are, possible or not."""
        return math.prod(map(len, self.axes.values()))

    def variant(self, point: Mapping[str, str]) -> Variant | None:
        """A setting as rules to play; None if the game does not allow it."""
        return _variant(self.game, point, self.players)

    def point(self, variant: Variant) -> dict[str, str]:
        """The values of a setting, by option; as `variant` is given them."""
        values = {**dict(variant.options), "players": str(variant.players)}
        return {name: values[name] for name in self.axes}

    def settings(self) -> list[Variant]:
        """All settings that the game allows."""
        return list(filter(None, map(self.variant, _points(self.axes))))

    def cell(self, variant: Variant) -> Cell:
        """A setting with its players."""
        names = self.experiment.lineups[0]
        return Cell(variant, names * variant.players if len(names) == 1 else names)

    def last(self, left: Sequence[Variant]) -> str:
        """The experiment that measures what is left in the end, as a file; the first leads."""
        names = self.experiment.lineups[0]
        return written(
            self.game,
            question=self.question,
            vary={},
            rules=[_rules(one, f"{rank}: ") for rank, one in enumerate(left, 1)],
            bots=[names[0] if len(names) == 1 else list(names)],
            deals=self.final,
            seed=self.experiment.seed + FRESH,
            measure=_measure(self.targets),
        )


def read(path: Path) -> Tuning:
    """The search in a file.  Raises Refused, with what would have been right."""
    return from_toml(path, tuned)


def tuned(data: Mapping[str, Any], source: str = "") -> Tuning:
    """A search from its data.  Raises Refused."""
    for key in data:
        if key not in KEYS:
            raise Refused(f"a search has no key {key!r}; {offered(key, KEYS)}")
    if "tune" not in data:
        raise Refused("there is no [tune]: the options to be searched, as chips = [8, 9, 10]")
    name = data.get("game")
    if not isinstance(name, str):
        raise Refused(f"game is missing; there are: {', '.join(games.names())}")
    game = games.find(name)
    axes = _axes(game, data["tune"])
    bots = data.get("bots", ["medium"])
    if not isinstance(bots, list) or len(bots) != 1:
        raise Refused('bots names one level, as ["medium"]: a search has one')
    players = data.get("players")
    if players is not None and "players" in axes:
        raise Refused("players stands in [tune] too; say it once")
    one_of_each = list(_one_of_each(game, axes, players))
    if not one_of_each:
        raise Refused("the game allows none of these settings")
    question = str(data.get("question", f"Which settings of {game.title} come closest?"))
    sample, aims = _sample(data.get("sample", {})), targets(data.get("target"))
    base = written(
        game,
        question=question,
        vary={},
        rules=one_of_each,
        bots=bots,
        deals=1,
        seed=data.get("seed", 0),
        measure=_measure(aims),
    )
    base = f"lots = true\n{base}"  # every setting meets the same luck
    experiment = checked(tomllib.loads(base), base)
    shown = experiment.shown
    return Tuning(
        question=question,
        axes=axes,
        targets=tuple(
            replace(one, title=shown[one.name].title, share=shown[one.name].bounded) for one in aims
        ),
        games=sample["games"],
        final=sample["final"],
        search=_search(data.get("search"), math.prod(map(len, axes.values()))),
        players=players,
        experiment=experiment,
        source=source,
    )


def _measure(aims: Sequence[Target]) -> dict[str, dict[str, Any]]:
    """Targets as measures of an experiment."""
    return {
        one.name: {"of": one.of, **({"title": one.title} if one.title else {}), "fair": one.value}
        for one in aims
    }


def _rules(variant: Variant, rank: str = "") -> dict[str, Any]:
    """A variant as an entry of ``vary.rules``; its ``rank`` stands before its name."""
    return {"name": rank + variant.name, "players": variant.players, **dict(variant.options)}


def _axes(game: Game, given: Any) -> dict[str, tuple[str, ...]]:
    """The values of each option that are tried.  Raises Refused."""
    if not isinstance(given, dict) or not given:
        raise Refused("tune is a table of options, as chips = { from = 3, to = 20 }")
    axes = {}
    for name, said in given.items():
        values = _range(name, said) if isinstance(said, dict) else said
        if not isinstance(values, list) or not values:
            raise Refused(f"tune.{name} is a list of values, or {{ from = 3, to = 20 }}")
        texts = tuple(dict.fromkeys(str(value) for value in values))
        for text in texts:
            if name != "players":
                game.codes(game.usual, {name: text})
            elif not text.isdecimal() or int(text) not in game.players:
                raise Refused(f"tune.players: {game.title} is not for {text} players")
        axes[name] = texts
    return axes


def _range(name: str, said: Mapping[str, Any]) -> list[int]:
    """``{ from = 3, to = 20, step = 1 }`` as the numbers meant."""
    keys = ("from", "to", "step")
    for key in said:
        if key not in keys:
            raise Refused(f"tune.{name} has no key {key!r}; {offered(key, keys)}")
    ends = [said.get(key, 1 if key == "step" else None) for key in keys]
    if any(isinstance(end, bool) or not isinstance(end, int) for end in ends):
        raise Refused(f"tune.{name} runs between whole numbers, as {{ from = 3, to = 20 }}")
    first, last, step = ends
    if step < 1 or not first <= last <= first + 10_000 * step:
        raise Refused(f"tune.{name}: from {first} to {last} by {step} is no range")
    return list(range(first, last + 1, step))


def _points(axes: Mapping[str, Sequence[str]]) -> Iterator[dict[str, str]]:
    for values in itertools.product(*axes.values()):
        yield dict(zip(axes, values, strict=True))


def _variant(game: Game, point: Mapping[str, str], players: int | None) -> Variant | None:
    options = dict(point)
    many = int(options.pop("players", players or game.usual_players(options)))
    try:
        game.setup(many, options)
    except Refused:
        return None
    return Variant(named(point), many, tuple(sorted(options.items())))


def named(point: Mapping[str, str]) -> str:
    """What a setting is called: ``chips=8, excuse=yes``."""
    return ", ".join(f"{key}={value}" for key, value in point.items())


def _one_of_each(
    game: Game, axes: Mapping[str, Sequence[str]], players: Any
) -> Iterator[dict[str, Any]]:
    """A setting that is possible for each number of players, as an entry of ``vary.rules``."""
    if players is not None and (isinstance(players, bool) or not isinstance(players, int)):
        raise Refused(f"players is a whole number, not {players!r}")
    for count in map(int, axes.get("players", [])) if "players" in axes else [players]:
        fixed = {**axes, "players": [str(count)]} if "players" in axes else axes
        found = (_variant(game, point, count) for point in itertools.islice(_points(fixed), LOOKED))
        one = next(filter(None, found), None)
        if one is None and "players" not in axes:
            options = next(_points(axes))
            game.setup(count or game.usual_players(options), options)  # says why not
        if one:
            yield _rules(one)


def _sample(given: Any) -> dict[str, int]:
    """A file's ``[sample]``: games of the search, and deals in the end.  Raises Refused."""
    usual = {"games": GAMES, "final": FINAL}
    if not isinstance(given, dict):
        raise Refused("sample is a table: games = 4000, final = 500")
    for key, value in given.items():
        if key not in usual:
            raise Refused(f"sample has no key {key!r}; {offered(key, list(usual))}")
        if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value < 2**40:
            raise Refused(f"sample.{key} is a whole number of at least 2, not {value!r}")
    return {**usual, **given}


def _search(given: Any, many: int) -> str:
    """How it is searched: as the file says, or by how many settings there are."""
    if given is None:
        return "halving" if many <= LISTED else "optuna"
    if given not in SEARCHES:
        raise Refused(f"search = {given!r}: {offered(str(given), SEARCHES)}")
    if given == "halving" and many > LISTED:
        raise Refused(f"{many} settings are too many to list (at most {LISTED}); use optuna")
    return str(given)
