"""Arena: two bots play the same deals in every seat in turn, to tell which is stronger.

A deal of a game with n seats is played 2n times (twice if n is 2).  In half of these games the
first bot has one seat, each in turn, and the second bot all others; in the other half it is the
other way round.  So both have equally many seats, and equally strong bots win half of all games.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Game, Refused

from . import simulation
from .batch import Batch, Matchup, won_on
from .cells import against
from .failures import Failure
from .stateful_players import Watch

D = TypeVar("D")
Keep = Callable[[int, Batch], object]


@dataclass(frozen=True)
class Contest(Matchup):
    """The setting of a pair of bots, which is its line-up: the same seed gives the same deals."""

    course: bool = True
    forfeit: bool = True

    @property
    def pair(self) -> tuple[str, str]:
        """The two bots."""
        one, other = self.lineup
        return one, other

    @cached_property
    def seatings(self) -> NDArray[np.int64]:
        """(games of a deal, players): which of the two sits where."""
        return np.array(against(self.players), np.int64)

    @property
    def key(self) -> dict[str, Any]:
        """A key of what two runs must have in common so that their deals can be put together."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "players": self.players,
            "options": self.game.chosen(self.players, self.options),
            "cards": self.game.cards or None,  # None as in results of before decks were kept
            "bots": list(self.lineup),
            "seed": self.seed,
        }


@dataclass(kw_only=True)
class Outcome:
    """The outcome of one deal, all its games together, whoever met there."""

    number: int
    games: int
    unfinished: int = 0
    forfeits: dict[str, list[str]] = field(default_factory=dict)
    """By bot: for each game that it forfeited, why it made no choice."""
    failures: dict[str, Failure] = field(default_factory=dict)
    """By bot: where it failed first; not of deals that a file of results holds."""


@dataclass(kw_only=True)
class Deal(Outcome):
    """The outcome of one deal of a pair."""

    share: float
    """The first bot's share of all wins of the pair."""
    times: dict[str, Counter[str]] = field(default_factory=dict)
    """By bot: how many decisions took how many seconds, to two digits."""
    seats: tuple[float, ...] = ()
    """Each seat's share of the win, on average over the deal's games.

    Empty if it is not known: a game that was forfeited or did not end says nothing of seats.
    """


def check(game: Game, players: int, options: Mapping[str, str], names: Sequence[str]) -> None:
    """Whether these bots can meet at tables of so many.  Raises Refused."""
    game.setup(players, options)
    for name in names:
        bots.find(name)
    if len(set(names)) < len(names):
        raise Refused(f"every bot is named once, not as in {','.join(names)}")
    if len(names) < 2 or players < 2:
        raise Refused("an arena needs at least two bots and two seats, as --bots hard,greedy")


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
    check(game, players, options, names)
    pairs = itertools.pairwise(names) if ladder else itertools.combinations(names, 2)
    return [Contest(game, players, options, pair, seed) for pair in pairs]


def play(
    setting: Matchup,
    numbers: Sequence[int],
    told: Callable[[Batch, range, Watch], Iterable[D]],
    threads: int | None = None,
    keep: Keep | None = None,
) -> Iterator[D]:
    """Play deals, in ascending order, on several threads; what is ``told`` of them, in order.

    ``keep`` is called on these threads, with the number of a first game, and how it and the next
    ones went.
    """
    simulation.warm(setting)  # no time of a choice includes compiling
    each = len(setting.seatings)

    def work(deals: range) -> list[D]:
        first, watch = deals.start * each, Watch()
        logged = keep is not None
        batch = simulation.run(setting, first, len(deals) * each, log=logged, watch=watch)
        if keep:
            keep(first, batch)
        return [*told(batch, deals, watch)]

    for some in simulation.in_pieces(setting, work, stretches(numbers), threads, each=each):
        yield from some


def stretches(numbers: Sequence[int]) -> Iterator[range]:
    """The numbers, which ascend, as ranges without gaps."""
    for _, some in itertools.groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        every = [number for _, number in some]
        yield range(every[0], every[-1] + 1)


def outcomes(
    setting: Matchup, batch: Batch, numbers: range
) -> Iterator[tuple[slice, dict[str, Any]]]:
    """By deal: which games of a batch are its own, and what any `Outcome` has of them."""
    each = len(setting.seatings)
    for at, number in enumerate(numbers):
        games = slice(at * each, (at + 1) * each)
        failed, seating = batch.failed[games] > 0, batch.seating[games]
        lost = {
            name: int((failed & (seating == who)).sum()) for who, name in enumerate(setting.lineup)
        }
        yield (
            games,
            {
                "number": number,
                "games": each,
                "unfinished": int((~batch.over[games] & ~failed.any(axis=1)).sum()),
                "forfeits": {name: [batch.failures[name].why] * n for name, n in lost.items() if n},
                "failures": {} if at else batch.failures,
            },
        )


def run(
    contest: Contest,
    numbers: Sequence[int],
    threads: int | None = None,
    keep: Keep | None = None,
) -> Iterator[Deal]:
    """Play deals of a pair; see `play`."""
    return play(contest, numbers, partial(deals_of, contest), threads, keep)


def deals_of(setting: Contest, batch: Batch, numbers: range, watch: Watch) -> Iterator[Deal]:
    """What some deals of a pair brought, from their games."""
    won = wins_of(batch)
    for games, outcome in outcomes(setting, batch, numbers):
        total = float(won[games].sum())
        deal = Deal(share=float(won[games, 0].sum()) / total if total else 0.5, **outcome)
        known = not (deal.unfinished or deal.forfeits)
        if known and batch.shares.shape[1] == setting.players:
            deal.seats = tuple(batch.shares[games].mean(axis=0).tolist())
        for who, name in enumerate(setting.lineup):
            deal.times[name] = _times(batch, watch, games, who, name)
        yield deal


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
