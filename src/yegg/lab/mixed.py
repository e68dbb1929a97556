"""Tables of mixed line-ups: all bots in one arena, one rating for each, and who wins against whom.

A deal of k bots is played k times.  They stand in a circle in an order that is drawn for the deal,
and each game seats as many of them as play, who stand beside each other; the next game begins one
further.  So every bot has every seat once, and over the deals each meets each.  Where fewer bots
than players are named, the circle goes round again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game
from yegg.stats.intervals import Figure, finite, share
from yegg.stats.p_values import Floats

from .arena import Keep, Outcome, check, outcomes, play
from .arena_report import first_failures, forfeits, one_rating
from .batch import Batch, Matchup
from .stateful_players import Watch


@dataclass(frozen=True)
class Circle(Matchup):
    """The setting of mixed tables: its line-up has each bot once, and each deal seats them anew."""

    @cached_property
    def seatings(self) -> NDArray[np.int64]:
        """(games of a deal, players): places in the circle, which `seated` gives to bots."""
        many = len(self.lineup)
        return (np.arange(many)[:, None] + np.arange(self.players)) % many

    def seated(self, first: int, games: int) -> NDArray[np.int64]:
        """(games, players): who sits where in the games from ``first`` on."""
        many = len(self.lineup)
        numbers = np.arange(first, first + games)
        deals = range(first // many, (first + games - 1) // many + 1)
        orders = np.array([np.random.default_rng([self.seed, n]).permutation(many) for n in deals])
        return orders[(numbers // many - deals[0])[:, None], self.seatings[numbers % many]]


@dataclass(kw_only=True)
class Table(Outcome):
    """The outcome of one deal at mixed tables; k bots."""

    won: Floats
    """(k, k): the wins that each bot, in a row its own, had over each that sat there too.

    A win counts once for each seat of the other; shared wins count as their parts.
    """
    share: Floats
    """(k,): what each bot won of the games that it sat at, for each of its seats."""


def circle(
    game: Game,
    players: int,
    options: Mapping[str, str],
    names: Sequence[str],
    seed: int,
    **how: Any,
) -> Circle:
    """The setting of mixed tables; ``how``: ``seconds`` and ``debug``.  Raises Refused."""
    check(game, players, options, names)
    return Circle(game, players, options, names, seed, course=True, forfeit=True, **how)


def run(
    setting: Circle, deals: range, threads: int | None = None, keep: Keep | None = None
) -> Iterator[Table]:
    """Play deals at mixed tables; see `arena.play`."""
    return play(setting, deals, partial(tables, setting), threads, keep)


def tables(setting: Circle, batch: Batch, deals: range, _: Watch) -> Iterator[Table]:
    """What some deals brought, from their games."""
    bots, shares = len(setting.lineup), seat_shares(batch)
    for games, outcome in outcomes(setting, batch, deals):
        won, share = _counted(batch.seating[games], shares[games], bots)
        yield Table(won=won, share=share, **outcome)


def seat_shares(batch: Batch) -> Floats:
    """(games, players): what each seat wins.  Whoever forfeits a game has nothing of it.

    The seats of all other bots share it then.
    """
    shares: Floats = batch.shares[:, : batch.seating.shape[1]].copy()
    for game, seat in np.argwhere(batch.failed):
        others = batch.seating[game] != batch.seating[game, seat]
        shares[game] = others / max(int(others.sum()), 1)
    return shares


def _counted(seating: NDArray[np.int64], shares: Floats, bots: int) -> tuple[Floats, Floats]:
    """What each of so many bots won over each, (bots, bots), and of its seats on average."""
    seats = np.eye(bots)[seating]  # (games, players, bots)
    own = np.einsum("gp,gpb->gb", shares, seats)
    won = np.einsum("ga,gb->ab", own, seats.sum(axis=1))
    np.fill_diagonal(won, 0)
    return won, own.sum(axis=0) / seats.sum(axis=(0, 1))


def over_each(found: Sequence[Table]) -> Floats:
    """(k, k): the share of those wins of two bots at one table that the row's bot had.

    NaN of a bot with itself, and of two that never met or of whom neither won.
    """
    won = np.sum([one.won for one in found], axis=0)
    both = won + won.T
    shares: Floats = np.divide(won, both, out=np.full_like(won, np.nan), where=both > 0)
    return shares


def rated(names: Sequence[str], found: Sequence[Table]) -> dict[str, Figure]:
    """One rating for each bot, the strongest first, with intervals by drawing deals again.

    Each seat of a game is taken to win with a chance in proportion to its bot's strength (Luce
    1959).  Then of two bots at one table the one wins before the other as if only they played, and
    the ratings of pairs (`stats.ratings`) are those of the table.
    """
    return one_rating(names, np.array([one.won for one in found]))


def to_dict(setting: Circle, found: Sequence[Table]) -> dict[str, Any]:
    """The results for `yegg arena --mixed --json` (docs/compare-bots.md)."""
    names, games = setting.lineup, sum(one.games for one in found)
    won, over = won_of(setting, found), over_each(found)
    ratings = rated(names, found)
    whys, failures = forfeits(names, found), first_failures(found)
    return {
        "game": setting.game.name,
        "version": setting.game.version,
        "players": setting.players,
        "options": setting.game.chosen(setting.players, setting.options),
        "cards": setting.game.cards or None,
        "seed": setting.seed,
        "games": games,
        "deals": len(found),
        "unfinished": sum(one.unfinished for one in found),
        "fair_share": 1 / setting.players,
        "bots": [
            {
                "bot": name,
                "elo": elo.value,
                "interval": [finite(elo.low), finite(elo.high)],
                "win_share": won[name].value,
                "win_share_interval": [won[name].low, won[name].high],
                "forfeits": len(whys[name]),
                "forfeited_because": whys[name][0] if whys[name] else None,
                "failure": failures[name].to_dict() if name in failures else None,
                "over": _row(names, ratings, over[names.index(name)]),
            }
            for name, elo in ratings.items()
        ],
    }


def _row(names: Sequence[str], order: Mapping[str, Figure], over: Floats) -> dict[str, Any]:
    """A bot's shares of the wins over each, by name, in the order of the ratings."""
    shares = {name: finite(float(over[names.index(name)])) for name in order}
    return {name: share for name, share in shares.items() if share is not None}


def won_of(setting: Circle, found: Sequence[Table]) -> dict[str, Figure]:
    """By bot: the share of the win for each seat that it has, with its 95 % interval."""
    seats = sum(one.games for one in found) * setting.players // len(setting.lineup)
    shares = np.array([one.share for one in found])
    return {name: share(shares[:, who], seats) for who, name in enumerate(setting.lineup)}
