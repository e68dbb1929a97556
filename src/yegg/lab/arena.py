"""Which of two bots is stronger: they meet over the same deals, in every seat in turn.

A deal of a game with n seats is played 2n times (twice if n is 2).  In half of these games the
first bot has one seat, each in turn, and the second bot all others; in the other half it is the
other way round.  So both have equally many seats, and equally strong bots win half of all games.
"""

import itertools
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from yegg import players as bots
from yegg.engine import Failed, Game, Match, Refused
from yegg.engine.dice import seeds

from .sim import MAX_EVENTS


@dataclass(frozen=True)
class Contest:
    """Two bots, and what they play."""

    game: Game
    players: int
    options: Mapping[str, str]
    pair: tuple[str, str]
    seed: int

    @property
    def lineups(self) -> list[tuple[str, ...]]:
        """Which bot has which seat, in each game of a deal."""
        a, b = self.pair
        return list(dict.fromkeys(turned(a, b, self.players) + turned(b, a, self.players)))

    @property
    def key(self) -> dict[str, Any]:
        """What two runs must have in common so that their deals can be put together."""
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
    """How one deal went, all its games together."""

    number: int
    share: float
    """The first bot's share of all wins of the pair."""
    games: int
    unfinished: int = 0
    times: dict[str, Counter[str]] = field(default_factory=dict)
    """By bot: how many decisions took how many seconds, to two digits."""
    forfeits: dict[str, list[str]] = field(default_factory=dict)
    """By bot: for each game that it forfeited, why it made no choice."""


def turned(one: str, others: str, players: int) -> list[tuple[str, ...]]:
    """The line-ups in which one bot has one seat, each in turn, and the other bot the rest."""
    return [
        tuple(one if seat == at else others for seat in range(players)) for at in range(players)
    ]


def contests(
    game: Game, players: int, options: Mapping[str, str], names: Sequence[str], seed: int
) -> list[Contest]:
    """A contest for every two of the bots.  Raises Refused."""
    game.setup(players, options)
    for name in names:
        bots.find(name)
    if len(set(names)) < len(names):
        raise Refused(f"every bot is named once, not as in {','.join(names)}")
    if len(names) < 2 or players < 2:
        raise Refused("an arena needs at least two bots and two seats, as --bots hard,greedy")
    return [
        Contest(game, players, options, pair, seed) for pair in itertools.combinations(names, 2)
    ]


def play_deal(contest: Contest, number: int) -> Deal:
    """Play all games of one deal."""
    deal = Deal(number, 0.0, 0, 0, {name: Counter() for name in contest.pair})
    first = total = 0.0
    for lineup in contest.lineups:
        shares, over = play_game(contest, number, lineup, deal)
        for share, name in zip(shares, lineup, strict=False):  # a side without a player has no seat
            first += share if name == contest.pair[0] else 0.0
            total += share
        deal.games += 1
        deal.unfinished += not over
    deal.share = first / total if total else 0.5
    return deal


def play_game(
    contest: Contest, number: int, lineup: Sequence[str], deal: Deal
) -> tuple[list[float], bool]:
    """Play one game; return each side's share of the win, and whether the game ended.

    Chance and the bots roll the same dice as in game ``number`` of a simulation.
    """
    game = contest.game
    match = Match(game, contest.players, contest.options)
    own = seeds(contest.seed, number, 1, 1 + contest.players)[0]
    seated = [bots.Bot(name, int(own[1 + at, 0]), clock=False) for at, name in enumerate(lineup)]
    while not match.to_decision(own[0]).over and len(match.history) < MAX_EVENTS:
        bot = seated[match.actor]
        begun = time.perf_counter()
        try:
            choice = bot.choose(match.view())
        except Failed as failure:
            deal.forfeits.setdefault(bot.name, []).append(failure.why)
            return won_by_others(match), True
        deal.times[bot.name][f"{time.perf_counter() - begun:.1e}"] += 1
        match.play(choice)
    places = match.places
    return [(place == 1) / places.count(1) for place in places], match.over


def won_by_others(match: Match) -> list[float]:
    """The shares of the win if the current player forfeits: all others share it."""
    others = len(match.places) - 1
    return [0.0 if side == match.actor else 1 / others for side in range(others + 1)]


def run(
    contest: Contest,
    numbers: Sequence[int],
    threads: int | None = None,
    progress: Callable[[], None] | None = None,
) -> Iterator[Deal]:
    """Play deals on several threads; they are returned in their order."""
    warm(contest)
    threads = threads or os.cpu_count() or 1
    todo = iter(numbers)
    with ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(play_deal, contest, n) for n in itertools.islice(todo, 2 * threads)]
        try:
            while running:
                deal = running.pop(0).result()
                running += [pool.submit(play_deal, contest, n) for n in itertools.islice(todo, 1)]
                if progress:
                    progress()
                yield deal
        finally:
            for future in running:
                future.cancel()


def warm(contest: Contest) -> None:
    """Compile the bots, so that no decision's time includes compiling."""
    for name in contest.pair:
        if not bots.from_outside(name):
            match = Match(contest.game, contest.players, contest.options).to_decision()
            bots.Bot(name).choose(match.view())
