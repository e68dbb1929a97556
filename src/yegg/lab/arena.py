"""Arena: two bots play the same deals in every seat in turn, to tell which is stronger.

A deal of a game with n seats is played 2n times (twice if n is 2).  In half of these games the
first bot has one seat, each in turn, and the second bot all others; in the other half it is the
other way round.  So both have equally many seats, and equally strong bots win half of all games.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Game, Refused

from . import simulation
from .batch import Batch, Setting, won_on
from .cells import against
from .executors.ordered import in_order
from .stateful_players import Watch


@dataclass(frozen=True)
class Contest:
    """A pair of bots, and the game, players and options that they play."""

    game: Game
    players: int
    options: Mapping[str, str]
    pair: tuple[str, str]
    seed: int

    @property
    def setting(self) -> Setting:
        """The contest as a simulation: the same seed gives the same deals."""
        return Setting(
            self.game,
            self.players,
            self.options,
            self.pair,
            self.seed,
            arranged=against(self.players),
            course=True,
            forfeit=True,
        )

    @property
    def key(self) -> dict[str, Any]:
        """A key of what two runs must have in common so that their deals can be put together."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "players": self.players,
            "options": self.game.chosen(self.players, self.options),
            "cards": self.game.cards or None,  # None as in results of before decks were kept
            "bots": list(self.pair),
            "seed": self.seed,
        }


@dataclass
class Deal:
    """The result of one deal, all its games together."""

    number: int
    share: float
    """The first bot's share of all wins of the pair."""
    games: int
    unfinished: int = 0
    times: dict[str, Counter[str]] = field(default_factory=dict)
    """By bot: how many decisions took how many seconds, to two digits."""
    forfeits: dict[str, list[str]] = field(default_factory=dict)
    """By bot: for each game that it forfeited, why it made no choice."""
    seats: tuple[float, ...] = ()
    """Each seat's share of the win, on average over the deal's games.

    Empty if it is not known: a game that was forfeited or did not end says nothing of seats.
    """


def contests(
    game: Game,
    players: int,
    options: Mapping[str, str],
    names: Sequence[str],
    seed: int,
    *,
    ladder: bool = False,
) -> list[Contest]:
    """A contest for every two of the bots, or on a ladder for neighbours.  Raises Refused."""
    game.setup(players, options)
    for name in names:
        bots.find(name)
    if len(set(names)) < len(names):
        raise Refused(f"every bot is named once, not as in {','.join(names)}")
    if len(names) < 2 or players < 2:
        raise Refused("an arena needs at least two bots and two seats, as --bots hard,greedy")
    pairs = itertools.pairwise(names) if ladder else itertools.combinations(names, 2)
    return [Contest(game, players, options, pair, seed) for pair in pairs]


def play_deals(contest: Contest, numbers: range) -> list[Deal]:
    """Play all games of some deals that follow each other."""
    setting, watch = contest.setting, Watch()
    each = len(setting.seatings)
    batch = simulation.run(setting, numbers[0] * each, len(numbers) * each, watch=watch)
    won = wins_of(batch)
    deals = []
    for at, number in enumerate(numbers):
        games = slice(at * each, (at + 1) * each)
        total = float(won[games].sum())
        deal = Deal(number, float(won[games, 0].sum()) / total if total else 0.5, each)
        gave_up = batch.failed[games].any(axis=1)
        deal.unfinished = int((~batch.over[games] & ~gave_up).sum())
        if not deal.unfinished and not gave_up.any() and batch.shares.shape[1] == contest.players:
            deal.seats = tuple(batch.shares[games].mean(axis=0).tolist())
        for who, name in enumerate(contest.pair):
            lost = (batch.failed[games] > 0) & (batch.seating[games] == who)
            if lost.any():
                deal.forfeits[name] = [batch.why[name]] * int(lost.sum())
            deal.times[name] = _times(batch, watch, games, who, name)
        deals.append(deal)
    return deals


def wins_of(batch: Batch) -> NDArray[np.float64]:
    """(games, 2): what each of the pair wins, all its seats together.

    A side without a player wins for nobody.  Of a game that a bot forfeited it has nothing on any
    of its seats, and the other bot has all.
    """
    shares = batch.shares
    won = np.stack([won_on(batch.seating == who, shares) for who in (0, 1)], axis=1)
    for game, seat in np.argwhere(batch.failed):
        won[game] = 1
        won[game, batch.seating[game, seat]] = 0
    return won


def _times(batch: Batch, watch: Watch, games: slice, who: int, name: str) -> Counter[str]:
    """How many choices among several, in some games, took a player how many seconds.

    One without a memory answers too fast to be watched: each of its choices took their mean.
    """
    if bots.thinks(name):
        watched = (watch.thought[game, name] for game in range(games.start, games.stop))
        return sum(watched, Counter[str]())
    made = np.where(batch.seating == who, batch.decisions, 0)
    mean = watch.spent[name] / max(int(made.sum()), 1)
    return Counter({f"{mean:.1e}": int(made[games].sum())})


def run(contest: Contest, numbers: Sequence[int], threads: int | None = None) -> Iterator[Deal]:
    """Play deals, in ascending order, on several threads; they are returned in their order."""
    setting = contest.setting
    simulation.warm(setting)  # no time of a choice includes compiling
    each, pace = len(setting.seatings), simulation.Pace(setting)

    def work(some: range) -> list[Deal]:
        with pace.measured(len(some) * each):
            return play_deals(contest, some)

    stretches = _stretches(numbers, lambda: pace.games // each)
    for _, deals in in_order(work, stretches, threads):
        yield from deals


def _stretches(numbers: Sequence[int], most: Callable[[], int]) -> Iterator[range]:
    """The numbers as ranges without gaps, of one number or at most so many as ``most`` says."""
    some = range(0)
    for number in numbers:
        if 0 < len(some) < most() and number == some.stop:
            some = range(some.start, number + 1)
            continue
        if some:
            yield some
        some = range(number, number + 1)
    if some:
        yield some
