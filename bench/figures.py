"""The figures of docs/performance.md: each group is a function that gives its figures with repeats.

`bench/all.py` runs them.  What can be measured by processor time is.
"""

import argparse
import asyncio
import contextlib
import gc
import itertools
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import envs as environments
import first_move
import shares
import table
from envs_peers import GAMES as AT_ONCE
from envs_peers import paced

import yegg
from yegg import envs, games, players
from yegg.lab import arena, bench
from yegg.lab.batch import Matchup
from yegg.lab.simulation import simulate

LARGER, SMALLER = "larger", "smaller"
REPEATS, TABLES, SECONDS = 5, 300, 10


@dataclass(frozen=True)
class Figure:
    """What was measured several times."""

    name: str
    unit: str
    better: str
    """`LARGER` or `SMALLER`."""
    repeats: list[float]


class Left(Exception):
    """Why a group cannot be measured here."""


class AtRandom(yegg.Player):
    """A player in Python that costs as little as one can."""

    def begin(self, seed):
        self.dice = random.Random(seed)

    def choose(self, view):
        choices = view.choices
        return choices[int(self.dice.random() * len(choices))]


def rules(quick):
    """Random play on one core."""
    with shorter(quick):
        for name in games.names():
            game = games.find(name)
            rates, _ = bench.playouts(game, game.usual, "compiled")
            yield Figure(f"rules {name}", "events/s", LARGER, rates)


def taken_apart(quick):
    """The parts of random play, and what a bot that looks one choice ahead takes of the time."""
    with shorter(quick):
        for name in games.names():
            for part, times in shares.shares(games.find(name)).items():
                yield Figure(f"share {part} {name}", "ns/event", SMALLER, times)


def stepping(quick):
    """A game played choice by choice from Python."""
    with shorter(quick):
        for name in games.names():
            game = games.find(name)
            rates = bench.stepping(game, game.usual)
            yield Figure(f"match {name}", "events/s", LARGER, rates)


def in_arena(quick):
    """Decisions of a `yegg.Player` that meets itself in the arena: all of the arena's time."""
    for name in games.names():
        game = games.find(name)
        pair = players.enrol(AtRandom), players.enrol(AtRandomAgain)
        contest = arena.Contest(game, game.usual, {}, pair, 1)
        list(arena.run(contest, range(4), threads=1))
        rates = []
        for _ in range(repeats(quick)):
            begun = time.process_time()
            deals = list(arena.run(contest, range(4 if quick else 100), threads=1))
            made = sum(sum(times.values()) for deal in deals for times in deal.times.values())
            rates.append(made / (time.process_time() - begun))
        yield Figure(f"player {name}", "decisions/s", LARGER, rates)


class AtRandomAgain(AtRandom):
    """The same under another name: an arena wants two."""


def batches(quick):
    """Steps of 1,024 games at once, with observations, and in single steps or many."""
    seconds = 0.1 if quick else 0.5
    for name in games.names():
        observed = envs.batch(name, games=AT_ONCE, observe="int8", masks="bits")
        plays = {
            "int8, by caller": environments.by_caller(environments.started(observed)),
            "at once": environments.at_once(environments.plain(name)),
        }
        for how, play in plays.items():
            play()
            told = [paced(play, seconds) for _ in range(repeats(quick))]
            rates = [steps / spent for steps, spent in told]
            yield Figure(f"batch {name}, {how}", "steps/s", LARGER, rates)


def simulating(quick):
    """`yegg sim GAME` with an empty cache, and again: seconds of clock and of processor."""
    asked = itertools.product(games.names()[:1] if quick else games.names(), ("uniform", "medium"))
    for name, bot in asked:
        found = {"cold": [], "warm": []}
        for _ in range(1 if quick else REPEATS):
            with tempfile.TemporaryDirectory() as cache:
                for times in found.values():
                    words = ("sim", name, "--bots", bot, "-n", "1000")
                    times.append(command(*words, cache=cache))
        for state, times in found.items():
            waited, spent = map(list, zip(*times, strict=True))
            yield Figure(f"sim {name}, {bot}, {state}", "s", SMALLER, waited)
            yield Figure(f"sim {name}, {bot}, {state}, processor", "s", SMALLER, spent)


def command(*words, cache):
    """Seconds of clock and of processor that a command takes, with a cache of its own."""
    begun, before = time.perf_counter(), children()
    run = [sys.executable, "-m", "yegg.cli", *words]
    env = os.environ | {"YEGG_CACHE": cache}
    subprocess.run(run, env=env, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun, children() - before


def children():
    """Seconds of processor of all processes that we have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def hard(quick):
    """One seeded game in which `hard` has every seat, on one core."""
    for name in games.names()[2:3] if quick else games.names():
        game = games.find(name)
        setting = Matchup(game, game.usual, {}, ["hard"] * game.usual, seed=1)
        simulate(setting, 1, threads=1)  # compiled, and a game as all others
        times = []
        for _ in range(1 if quick else REPEATS):
            begun = time.process_time()
            simulate(setting, 1, threads=1)
            times.append(time.process_time() - begun)
        yield Figure(f"hard {name}", "s/game", SMALLER, times)


def on_sqlite(quick):
    """The table on SQLite, in one process."""
    yield from tables("SQLite", quick, postgresql=False, processes=1)


def on_postgresql(quick):
    """The table on PostgreSQL, in two processes."""
    if not table.postgresql.program("initdb"):
        raise Left(table.postgresql.MISSING)
    yield from tables("PostgreSQL", quick, postgresql=True, processes=2)


def tables(where, quick, **how):
    """What so many tables with a choice a second each see."""
    asked = argparse.Namespace(
        tables=50 if quick else TABLES, seconds=3 if quick else SECONDS, every=1, html=False, **how
    )
    table.SETTLE = 2 if quick else 10
    table.warm("second-story", table.RULES)
    gc.disable()
    try:
        with table.server(asked) as served:
            seen = asyncio.run(table.measured(served, asked, repeats(quick)))
    finally:
        gc.enable()
    told = (
        ("rate", "choices/s", LARGER),
        ("p50", "ms", SMALLER),
        ("p99", "ms", SMALLER),
        ("each", "processor ms/choice", SMALLER),
    )
    if lost := sum(one["lost"] for one in seen):
        raise RuntimeError(f"{lost} choices were lost")
    for key, unit, better in told:
        values = [float(one[key]) for one in seen]
        yield Figure(f"table {where}, {asked.tables} tables, {key}", unit, better, values)


def first_moves(quick):
    """Until a bot's first answer where nothing is compiled."""
    for name in games.names()[2:3] if quick else games.names():
        for where, way in (
            ("browser", first_move.in_browser),
            ("terminal", first_move.in_terminal),
        ):
            many = range(1 if quick else REPEATS)
            times = [first_move.fresh(way, name, first_move.BOT) for _ in many]
            waited, spent = map(list, zip(*times, strict=True))
            yield Figure(f"first move {name}, {where}", "s", SMALLER, waited)
            yield Figure(f"first move {name}, {where}, processor", "s", SMALLER, spent)


def repeats(quick):
    """How often a measurement is repeated."""
    return 3 if quick else REPEATS


@contextlib.contextmanager
def shorter(quick):
    """With ``quick``, let `yegg bench` take smaller samples."""
    usual = bench.SECONDS, bench.REPEATS
    if quick:
        bench.SECONDS, bench.REPEATS = 0.03, 3
    try:
        yield
    finally:
        bench.SECONDS, bench.REPEATS = usual


GROUPS = {
    "rules": (rules, 15, 3),
    "shares": (taken_apart, 20, 6),
    "match": (stepping, 15, 3),
    "player": (in_arena, 20, 10),
    "batch": (batches, 40, 15),
    "sim": (simulating, 300, 20),
    "hard": (hard, 230, 12),
    "table-sqlite": (on_sqlite, 75, 18),
    "table-postgresql": (on_postgresql, 80, 20),
    "first-move": (first_moves, 500, 25),
}
"""By name: what measures it, and about how many seconds that takes, and takes with ``quick``."""
