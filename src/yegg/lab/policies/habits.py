"""Habits: words and ranks that bind a player's choices, or a plan of one's own.

Of the legal choices only those of the highest rank are put to the player who has the habit; among
them it chooses as it always does.  So ``prefer = ["steal *"]`` makes a player who steals whenever
that is possible.  What depends on the position is a plan: a file of some ten lines with a function
``prefer`` (see `yegg.engine.verbs`), which ranks choices by what the seat may know.
"""

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from yegg.engine import CHANCE, Game, Ints, Match, Refused
from yegg.engine.contest import Habits
from yegg.engine.dice import roll, seeds
from yegg.lab.cells import Variant
from yegg.text.phrases import listing

GAMES = 60  # at most are played at random to find words
QUIET = 12  # so many in a row without a new word are enough
EVENTS = 3000  # of each of these games
SHOWN = 8  # words that a refusal names
VERB = ["s", "seat", "choice", "numbers"]  # what `prefer` takes

Words = Mapping[int, frozenset[str]]
"""By the number of a choice: the texts that it has, in one position or another."""


@dataclass(frozen=True)
class Habit:
    """A habit of a player of a line-up."""

    name: str
    like: str
    """The player who has it."""
    ranks: tuple[tuple[int, int], ...] = ()
    """Choices and their ranks; others have rank 0."""
    plan: ModuleType | None = None
    numbers: tuple[float, ...] = ()
    """What the plan goes by."""
    decks: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = ()
    """The ranks with a deck of one's own, where the same words have other numbers."""

    @property
    def key(self) -> tuple[object, ...]:
        """What the games depend on; a plan's module is named by a digest of its source."""
        plan = self.plan.__name__ if self.plan else ""
        decks = tuple(ranks for _, ranks in self.decks)
        return self.name, self.like, self.ranks, plan, self.numbers, *decks


def bindings(
    game: Game,
    habits: Sequence[Habit | None],
    seating: NDArray[np.int64],
    barred: Ints | None = None,
) -> Habits | None:
    """Habits as the kernel takes them; ``seating`` (games, players) as in a batch."""
    if barred is None and not any(habits):
        return None
    bound = [habit for habit in habits if habit]
    ranks = np.zeros((len(bound), game.choices), np.int32)
    most = max((len(habit.numbers) for habit in bound), default=0)
    numbers = np.zeros((len(bound), most))
    for row, habit in enumerate(bound):
        for choice, rank in dict(habit.decks).get(game.cards, habit.ranks):
            ranks[row, choice] = rank
        numbers[row, : len(habit.numbers)] = habit.numbers
    rows = np.full(max(len(habits), seating.shape[1]), -1, np.int32)
    for place, given in enumerate(habits):
        if given:
            rows[place] = bound.index(given)
    none = np.zeros(0, np.int32)
    return Habits(rows[seating], ranks, numbers, none if barred is None else barred)


@lru_cache(500)  # of the variants of one experiment, or of a few
def words(
    game: Game, players: int, options: tuple[tuple[str, str], ...], *, chance: bool = False
) -> Words:
    """The texts of choices that players can be asked to make, as random games show them.

    With ``chance``: what chance can do instead.
    """
    found: dict[int, set[str]] = {}
    quiet = 0
    for number in range(GAMES):
        before = sum(map(len, found.values()))
        _listen(Match(game, players, dict(options)), number, found, chance=chance)
        quiet = 0 if sum(map(len, found.values())) > before else quiet + 1
        if quiet == QUIET:
            break
    return {choice: frozenset(texts) for choice, texts in found.items()}


def texts_of(
    over: Callable[[Variant], Game], variants: Sequence[Variant], *, chance: bool = False
) -> dict[str, Words]:
    """By deck: texts of choices of players, or of ``chance``, in any of the variants.

    ``over`` is the game that a variant plays.
    """
    texts: dict[str, Words] = {}
    for variant in variants:
        here = words(over(variant), variant.players, variant.options, chance=chance)
        texts[variant.cards] = together([texts.get(variant.cards, {}), here])
    return texts


def together(several: Iterable[Words]) -> Words:
    """The texts of several settings."""
    texts: dict[int, frozenset[str]] = {}
    for one in several:
        for choice, said in one.items():
            texts[choice] = texts.get(choice, frozenset()) | said
    return texts


def _listen(match: Match, seed: int, found: dict[int, set[str]], *, chance: bool) -> None:
    """Play at random, and add every text of every choice that a seat, or chance, has."""
    dice = seeds(seed, 0, 1, 1)[0, 0]
    with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
        while not match.over and len(match.history) < EVENTS:
            choices = match.choices
            if (match.actor == CHANCE) == chance:
                for choice in choices:
                    found.setdefault(choice, set()).add(match.say(choice))
            match.play(choices[roll(dice, len(choices))])


def matching(pattern: str, said: Words, where: str) -> frozenset[int]:
    """The choices some of whose texts fit a pattern (``steal *``).  Raises Refused if none do."""
    fit = fitting(pattern, said)
    if not fit:
        raise Refused(f"{where}: nothing is called {pattern!r}; {_verbs(said)}")
    return fit


def fitting(pattern: str, said: Words) -> frozenset[int]:
    """The choices some of whose texts fit a pattern, if any do."""
    return frozenset(
        choice
        for choice, texts in said.items()
        if any(fnmatchcase(text, pattern) for text in texts)
    )


def _verbs(said: Words) -> str:
    """What would match: whole texts if there are few, else their first words."""
    texts = sorted({text for texts in said.values() for text in texts})
    if len(texts) > SHOWN:
        verbs = sorted({text.split()[0] for text in texts})
        alone = {text for text in texts if " " not in text}
        texts = [verb if verb in alone else f"{verb} *" for verb in verbs]
    return f"players here choose {listing([repr(text) for text in texts], 'or')}"


def planned(
    file: str, given: object, folder: Path | None, where: str
) -> tuple[ModuleType, tuple[float, ...]]:
    """The plan in a file beside the experiment, and its numbers in order.  Raises Refused."""
    path = (folder or Path()) / file
    if Path(file).name != file:
        raise Refused(f"{where}: plan = {file!r}: a plan lies beside the experiment")
    try:
        source = path.read_bytes()
    except OSError as error:
        raise Refused(f"{where}: {path}: {error.strerror or error}") from None
    plan = _loaded(path.resolve(), hashlib.sha256(source).hexdigest()[:12])
    names = getattr(plan, "NUMBERS", ())
    if not isinstance(given, dict) or set(given) != set(names):
        raise Refused(f"{where}: with = … gives a number to each of: {', '.join(names) or 'none'}")
    try:
        return plan, tuple(float(given[name]) for name in names)
    except (TypeError, ValueError):
        raise Refused(f"{where}: what stands in `with` are numbers, as n = 3") from None


@cache
def _loaded(path: Path, digest: str) -> ModuleType:
    """A plan as a module that the compiler finds; another source is another module."""
    name = f"yegg_plan_{digest}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise Refused(f"{path} is no file of Python")
    plan = module_from_spec(spec)
    sys.modules[name] = plan
    try:
        spec.loader.exec_module(plan)
    except Exception as error:
        raise Refused(f"{path}: {type(error).__name__}: {error}") from error
    prefer = getattr(plan, "prefer", None)
    if not callable(prefer) or list(signature(prefer).parameters) != VERB:
        raise Refused(f"{path} has no function prefer({', '.join(VERB)})")
    return plan
