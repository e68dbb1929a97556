"""The Python API of ``import yegg``: simulations, arenas, advice and reviews in one call each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import players as known
from .coach import advice as coach
from .coach import review as coach_review
from .coach.advice import Advice
from .coach.review import Review
from .engine import Game, Ints, Match, Refused, notation
from .engine.game import find, game_of
from .engine.whole import seconds as seconds_of
from .engine.whole import whole
from .lab import arena as contest
from .lab import arena_report, simulation, simulation_report
from .lab.batch import Batch, Matchup, Rows
from .lab.simulation_sums import Sums
from .players.outside import NO_LIMIT, SECONDS
from .players.thinking.plan import Plan
from .stats.intervals import Figure
from .text.json_writer import plain
from .text.untrusted import as_text

MOST_GAMES = 10**9  # of a simulation or of a pair
MOST_THREADS = 1024


@dataclass(frozen=True)
class Simulation:
    """The results of a simulation; `simulate` makes it.

    ``print`` shows the tables of `yegg sim`.  The arrays have one row for each game.

    >>> import yegg
    >>> run = yegg.simulate("second-story", games=20, seed=1)
    >>> run.shares.shape, run.scores.shape, run.events.shape
    ((20, 3), (20, 3), (20,))
    """

    setting: Matchup
    """What was simulated."""
    batch: Batch
    """The arrays of all games, unfinished ones included."""
    seconds: float
    """How long it took."""
    _sums: Sums

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Each side's share of the win, 0 to 1: (finished games, sides); ties share it."""
        return self.batch.results.shares

    @property
    def scores(self) -> Ints:
        """Each side's score, the game's headline number: (finished games, sides)."""
        return self.batch.results.scores

    @property
    def events(self) -> Ints:
        """How many events each game had: (finished games,)."""
        return self.batch.results.lengths

    @property
    def counts(self) -> Ints:
        """What the game's tally counted: (games, counters), unfinished games included."""
        return np.asarray(self.batch.counts)

    @cached_property
    def data(self) -> dict[str, Any]:
        """Everything that the tables say, as `yegg sim --json` prints it (docs/compare-bots.md)."""
        return dict(plain(simulation_report.to_dict(self.setting, self._sums, self.seconds)))

    def __str__(self) -> str:
        return as_text(simulation_report.as_text(self.setting, self._sums, self.seconds))


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
    seconds: float | None = SECONDS,
) -> Simulation:
    """Play many games.

    ``bots`` are names, classes with ``choose(view)`` or instances: one for all seats, or one for
    each; they move on a seat every game.  ``players`` is how many play, by default as many as
    there are bots, or as many as usual.  ``options`` are those away from the published rules, and
    ``cards`` is the file of a deck of your own.  ``threads`` is by default one for each core; the
    same seed gives the same games on any number.  A player of your own may think for ``seconds``
    about a decision, and with None as long as it likes; what yegg compiles for it does not count.
    Raises Refused if one of these cannot be.

    >>> simulate("second-story", "greedy", games=10, seed=1).shares.shape
    (10, 3)
    """
    game = game_of(game, cards)
    names = [known.enrol(bot) for bot in listed(bots)]
    options = dict(options or {})
    usual = len(names) if len(names) > 1 else game.usual_players(options)
    count = usual if players is None else whole(players, "how many play")
    games, seed, threads = checked(games, seed, threads)
    lineup, limit = simulation.line_up(game, count, options, names), time_limit(seconds)
    setting = Matchup(game, count, options, lineup, seed, seconds=limit)
    rows = Rows()
    sums, took = simulation.simulate(setting, games, threads=threads, batches=rows.add)
    return Simulation(setting, rows.together(), took, sums)


@dataclass(frozen=True)
class Pair:
    """How two bots did against each other; ``print`` shows it in a line.

    >>> import yegg
    >>> pair = yegg.arena("second-story", ["greedy", "uniform"], games=12, seed=1).pairs[0]
    >>> pair.bots, pair.interval[0] < pair.share < pair.interval[1]
    (('greedy', 'uniform'), True)
    """

    bots: tuple[str, str]
    """Their names."""
    data: dict[str, Any]
    """Everything that `yegg arena --json` prints of a pair (docs/lab.md)."""

    @property
    def share(self) -> float:
        """The first bot's share of all wins, 0 to 1; a half is fair."""
        return float(self.data["win_share"][self.bots[0]])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `share`."""
        low, high = self.data["interval"][self.bots[0]]
        return low, high

    def __str__(self) -> str:
        won = Figure(self.share, *self.interval, percent=True)
        line = f"{self.bots[0]} won {won} of {self.data['games']} games against {self.bots[1]}"
        return "; ".join([line, *arena_report.forfeited(self.data), *self.data["fallbacks"]])


@dataclass(frozen=True)
class Arena:
    """The results of an arena; `arena` makes it.  ``print`` shows a line for each pair of bots.

    >>> import yegg
    >>> found = yegg.arena("second-story", ["greedy", "uniform"], games=6)
    >>> [pair.bots for pair in found.pairs]
    [('greedy', 'uniform')]
    """

    pairs: list[Pair]
    """Every two of the bots, in the order that they were named."""
    ratings: dict[str, Figure]
    """By bot, the strongest first: one Elo rating from all pairs, with its 95 % interval.

    The mean is 0 (Bradley and Terry 1952).  The ends are infinite where one deal was played.
    """

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
    seconds: float | None = SECONDS,
) -> Arena:
    """Let every two of some bots meet, over the same deals and in every seat in turn.

    The arguments are as for `simulate`; ``games`` is how many each pair plays.  Whole deals are
    played, so there may be a few games more.  A player that raises an error, answers something
    illegal or takes too long forfeits the game.  Raises Refused.

    >>> arena("second-story", ["greedy", "uniform"], games=12, seed=1).pairs[0].share > 0.5
    True
    """
    game = game_of(game, cards)
    names = [known.enrol(bot) for bot in bots]
    options = dict(options or {})
    usual = game.usual_players(options)
    count = usual if players is None else whole(players, "how many play")
    games, seed, threads = checked(games, seed, threads)
    limit, every = time_limit(seconds), []
    for met in contest.contests(game, count, options, names, seed):
        duel = replace(met, seconds=limit)
        many = -(-games // len(duel.seatings))
        every.append((duel, list(contest.run(duel, range(many), threads))))
    pairs = [Pair(duel.pair, plain(arena_report.to_dict(duel, deals))) for duel, deals in every]
    return Arena(pairs, arena_report.rated(every))


def read(path: Path | str, *, cards: Path | str | None = None) -> Match:
    """The game of a record on disk, checked line by line.

    ``cards`` is the file of the deck that the record names, if it names one.  Raises BadRecord,
    with the line and the reason, if the record is wrong; OSError if there is no such file.

    >>> import yegg
    >>> records = yegg.Match("second-story", players=2).game.folder / "records"
    >>> yegg.read(records / "basic-two.game").over
    True
    """
    return notation.read_file(Path(path), find, cards=None if cards is None else Path(cards))


def advise(match: Match, seconds: float = 0.2, seed: int = 0) -> Advice:
    """How good each choice of the current player is, by what that player may know.

    ``seconds`` is how long to think.  ``advice.words`` has a `Word` for each choice, the best
    first: its ``text``, its share of the ``win`` with an interval, and ``why``.  ``print`` shows
    a line for each.  Raises Refused if nobody has a choice.

    >>> import yegg
    >>> match = yegg.Match("second-story", players=2, seed=0)
    >>> sorted(word.text for word in yegg.advise(match, seconds=0.05).words)
    ['quick', 'thorough']
    """
    plan = Plan(seconds=seconds_of(seconds, "how long to think"))
    return coach.advise(match, plan, whole(seed, "a seed"))


def review(match: Match, seconds: float = 0.2) -> Review:
    """Look back on a game, or on its beginning.

    ``seconds`` is how long to think about each decision.  ``review.slips`` are each player's
    three costliest choices, ``review.curve`` is everybody's share of the win after each event,
    shape (events + 1, sides), and ``luck`` and ``decisions`` say what changed it.

    >>> import yegg
    >>> match = yegg.Match("second-story", players=2, seed=0)
    >>> for _ in range(3):
    ...     match.play(match.choices[0])
    >>> found = yegg.review(match, seconds=0.01)
    >>> found.curve.shape == (len(match.history) + 1, 2)
    True
    >>> all(slip.cost > 0 for slip in found.slips)
    True
    """
    return coach_review.review(match, Plan(seconds=seconds_of(seconds, "how long to think")))


def checked(games: int, seed: int, threads: int | None) -> tuple[int, int, int | None]:
    """How many games, their seed, and on how many threads, as whole numbers.  Raises Refused."""
    threads = None if threads is None else whole(threads, "how many threads", 1, MOST_THREADS)
    return whole(games, "how many games", 1, MOST_GAMES), whole(seed, "a seed"), threads


def time_limit(seconds: float | None) -> float:
    """How long a player of one's own may think; infinite where it is None.  Raises Refused."""
    if seconds is None:
        return NO_LIMIT
    limit = seconds_of(seconds, "how long a player may think")
    if not limit:
        raise Refused("how long a player may think is more than 0 seconds, or None for no limit")
    return limit


def listed(bots: Sequence[object] | object) -> Sequence[object]:
    """The bots as a list; one bot alone becomes a list of one."""
    return bots if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]
