"""What ``import yegg`` offers beside the engine's classes: whole experiments in one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg import players as known
from yegg.engine import Game, Ints, Match, notation
from yegg.engine.game import find, game_of
from yegg.lab import arena as contest
from yegg.lab import rating, report, sim
from yegg.players.thinking.plan import Plan

from .coach import advise as coach
from .coach import review as coach_review
from .coach.advise import Advice
from .coach.review import Review


@dataclass(frozen=True)
class Simulation:
    """Many games; `print` shows the tables, the arrays have one row for each game."""

    setting: sim.Setting
    batch: sim.Batch
    seconds: float

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """(finished games, sides): each side's share of the win; ties share it."""
        return self.batch.results.shares

    @property
    def scores(self) -> Ints:
        """(finished games, sides): the game's headline number."""
        return self.batch.results.scores

    @property
    def events(self) -> Ints:
        """(finished games,): how many events each had."""
        return self.batch.results.lengths

    @property
    def counts(self) -> Ints:
        """(games, counters): what the game's tally counted."""
        return self.batch.counts

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything that the tables say, as docs/lab.md describes it."""
        return report.as_data(self.setting, self.batch, self.seconds)

    def __str__(self) -> str:
        from rich.console import Console

        paper = StringIO()
        Console(file=paper, width=100, color_system=None).print(
            report.as_text(self.setting, self.batch, self.seconds)
        )
        return paper.getvalue()


def simulate(
    game: Game | str,
    bots: Sequence[object] | object = "uniform",
    games: int = 1000,
    *,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    cards: Path | str | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Simulation:
    """Play many games, the same for the same seed on any number of threads.

    ``bots``: names, classes with ``choose(view)`` or instances; one for all seats, or one
    for each, and they move on a seat every game.  Raises Refused.

    >>> simulate("second-story", "greedy", games=10, seed=1).shares.shape
    (10, 3)
    """
    game = game_of(game, cards)
    names = [known.enrol(bot) for bot in listed(bots)]
    options = dict(options or {})
    count = players or (len(names) if len(names) > 1 else game.usual_players(options))
    setting = sim.Setting(game, count, options, sim.line_up(game, count, options, names), seed)
    batch, seconds = sim.simulate(setting, games, threads=threads)
    return Simulation(setting, batch, seconds)


@dataclass(frozen=True)
class Pair:
    """How two bots fared against each other."""

    bots: tuple[str, str]
    data: dict[str, Any]
    """Everything that `yegg arena --json` tells of a pair."""

    @property
    def share(self) -> float:
        """The first one's share of all wins."""
        return float(self.data["win_share"][self.bots[0]])

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of `share`."""
        low, high = self.data["interval"][self.bots[0]]
        return low, high

    def __str__(self) -> str:
        one, other = self.bots
        low, high = self.interval
        return (
            f"{one} won {self.share * 100:.1f} % [{low * 100:.1f}, {high * 100:.1f}] "
            f"of {self.data['games']} games against {other}"
            + "".join(f"; {said}" for said in rating.forfeited(self.data))
        )


@dataclass(frozen=True)
class Arena:
    """Every pair of some bots; `print` shows a line for each."""

    pairs: list[Pair]

    def __str__(self) -> str:
        return "\n".join(map(str, self.pairs))


def arena(
    game: Game | str,
    bots: Sequence[object],
    games: int = 400,
    *,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    cards: Path | str | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> Arena:
    """Let every two of some bots meet over the same deals, every seat theirs in turn.

    ``bots`` as for `simulate`.  Whole deals are played, so there may be a few games more.
    A player that raises, answers something illegal or takes too long forfeits the game.
    Raises Refused.

    >>> arena("second-story", ["greedy", "uniform"], games=12, seed=1).pairs[0].share > 0.5
    True
    """
    game = game_of(game, cards)
    names = [known.enrol(bot) for bot in bots]
    options = dict(options or {})
    count = players or game.usual_players(options)
    pairs = []
    for one in contest.contests(game, count, options, names, seed):
        deals = list(contest.run(one, range(-(-games // len(one.lineups))), threads))
        pairs.append(Pair(one.pair, rating.as_data(one, deals)))
    return Arena(pairs)


def read(path: Path | str, *, cards: Path | str | None = None) -> Match:
    """The game of a record on disk, checked line by line.

    ``cards`` is the file of the deck that the record names, if it names one.

    Raises BadRecord, with the line and the reason; OSError if there is no such file.
    """
    return notation.read_file(Path(path), find, cards=None if cards is None else Path(cards))


def advise(match: Match, seconds: float = 1.0, seed: int = 0) -> Advice:
    """What each choice of the current player is worth, by what they may know; the best first.

    Raises Refused where nobody has a choice.
    """
    return coach.advise(match, Plan(seconds=seconds), seed)


def review(match: Match, seconds: float = 0.2) -> Review:
    """Look back on a game, or on as much of it as there is, ``seconds`` for each decision."""
    return coach_review.review(match, Plan(seconds=seconds))


def listed(bots: Sequence[object] | object) -> Sequence[object]:
    """One bot is a list of one."""
    return bots if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
