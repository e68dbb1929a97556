"""Benchmark: events a second of random play on this machine, chance's events included."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from yegg.engine import Game, Match, cuda, kernels
from yegg.engine.compiler import How
from yegg.engine.dice import seeds

REPEATS = 7
SECONDS = 0.3  # that a repeat takes, about


def measure(game: Game) -> dict[str, Any]:
    """Measure one game: medians of several repeats, by the processor time of the thread."""
    players = game.usual
    rates, length = playouts(game, players, "compiled")
    plain, _ = playouts(game, players, "plain")
    rate = statistics.median(rates)
    return {
        "players": players,
        "events_per_second": rate,
        "games_per_second": rate / length,
        "events_per_game": length,
        "plain_events_per_second": statistics.median(plain),
        "match_events_per_second": statistics.median(stepping(game, players)),
        "two_threads": threads(game, players),
        "state_bytes": game.state.dtype.itemsize,
    }


def playouts(game: Game, players: int, how: How) -> tuple[list[float], float]:
    """Events a second of random play on one core, by repeat, and the mean number of a game."""
    engine = game.engine(how=how)
    begin, play = engine.kernel(kernels.begin), engine.kernel(kernels.playouts)
    out, dice = np.zeros(game.choices, np.int32), seeds(1, 0, 1, 1)[0, 0]
    total = {"games": 0, "events": 0}

    def some(games: int) -> float:
        states = game.blank(players, {}, games)
        begin(states, out)
        start = time.thread_time()
        with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
            events = play(states, dice, 1_000_000, out)
        total["games"] += games
        total["events"] += events
        return float(events / (time.thread_time() - start))

    rates = repeated(some, 1 if how == "plain" else 64)
    return rates, total["events"] / total["games"]


def on_a_card(game: Game, games: int = 65_536, events: int = 1000) -> dict[str, Any]:
    """Measure random play on the graphics card: the median of several repeats, by the clock.

    So many events are played in each of so many games; what is over is dealt again.  Raises
    Refused where there is no card.
    """
    card = cuda.numba_cuda()
    from yegg.engine.cuda_kernels import roaming

    players = game.usual
    dealt = game.blank(players, {})
    game.engine().kernel(kernels.begin)(dealt, np.zeros(game.choices, np.int32))
    dice = seeds(1, 0, games, 1)[:, 0, 0]
    given = cuda.lifted((np.repeat(dealt, games), dealt, dice), 0)
    kernel = game.engine(how="cuda").direct(roaming(game.choices), *given, events)

    def some() -> float:
        start = time.perf_counter()
        cuda.launch(kernel, games, 0, *given, events)
        card.synchronize()
        return games * events / (time.perf_counter() - start)

    some()  # games are then at all stages
    rate = statistics.median(some() for _ in range(REPEATS))
    return {"players": players, "events_per_second": rate, "games_at_once": games}


def repeated(some: Callable[[int], float], games: int) -> list[float]:
    """The rates of all repeats; the number of games is raised until one takes long enough."""
    some(1)
    while True:
        start = time.perf_counter()
        some(games)
        if (took := time.perf_counter() - start) > SECONDS / 2 or games > 1_000_000:
            break
        games = max(games + 1, int(games * SECONDS / max(took, 1e-3)))
    return [some(games) for _ in range(REPEATS)]


def stepping(game: Game, players: int) -> list[float]:
    """Events a second, by repeat, of games that are played choice by choice from Python."""
    match, dice = Match(game, players), random.Random(1)  # noqa: S311

    def some(games: int) -> float:
        events, spent = 0, 0.0
        for _ in range(games):
            match.restart()
            start = time.thread_time()
            while not match.over:
                choices = match.choices
                match.play(choices[int(dice.random() * len(choices))])
            spent += time.thread_time() - start
            events += len(match.history)
        return events / spent

    return repeated(some, 10)


def threads(game: Game, players: int) -> float:
    """How many times as fast as one thread two threads simulate; the median of several pairs."""
    from .batch import Matchup
    from .simulation import simulate

    setting = Matchup(game, players, {}, ["uniform"] * players, seed=1)
    _, took = simulate(setting, 2000, threads=1)
    games = max(2000, int(2000 * SECONDS * 4 / took))
    ratios = [
        simulate(setting, games, threads=1)[1] / simulate(setting, games, threads=2)[1]
        for _ in range(5)
    ]
    return statistics.median(ratios)


def pig(players: int = 3, rollouts: int = 2000) -> float:
    """Events a second of OpenSpiel's C++ rollouts of Pig, chance included.

    One simulation of its MCTS bot, whose evaluator rolls out many times; the events of a
    game are counted by playing some.  Raises ImportError without the package.
    """
    import pyspiel

    game, dice = pyspiel.load_game(f"pig(players={players})"), random.Random(1)  # noqa: S311

    def events() -> int:
        state, n = game.new_initial_state(), 0
        while not state.is_terminal():
            choices = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else None
            state.apply_action(dice.choice(choices or state.legal_actions()))
            n += 1
        return n

    length = statistics.mean(events() for _ in range(400))
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)  # noqa: FBT003

    def rate() -> float:
        start = time.thread_time()
        bot.mcts_search(game.new_initial_state())
        return rollouts * length / (time.thread_time() - start)

    rate()
    return statistics.median(rate() for _ in range(REPEATS))
