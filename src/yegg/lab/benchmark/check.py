"""Checking somebody's benchmark: its games are played again, and all its figures made anew."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from yegg.lab.executors.ordered import in_order
from yegg.text.json_writer import plain

from .benchmark_game import Differs, Played, replayed
from .files import Result, digest_of, games_of, head_of, read_games, read_result
from .protocol import tasks
from .score import scored

CLOSE = 1e-3  # of a share of the win: another processor may round otherwise
HERE = ("yegg", "protocol", "code", "weights")
"""What must be the same here, so that a game can be played again."""


def check(
    path: Path, threads: int | None = None, progress: Callable[[int], None] = lambda _: None
) -> tuple[Result, list[str]]:
    """A result, and what is wrong with it and its games, a sentence each.

    ``progress`` is told how many games more were checked.  Raises Refused if the files are none
    of a benchmark; OSError.
    """
    result = read_result(path)
    kept = games_of(path)
    head, games = read_games(kept)
    faults = another_version(result)
    if head != result.head:
        faults.append(f"{path.name} and {kept.name} have different heads")
    if digest_of(kept) != result.games_sha256:
        faults.append(f"{kept.name} is not the file that {path.name} was made of")
    faults += not_of_protocol(games)
    known = [one for one in games if one.task in set(tasks())]
    for played, found in in_order(faults_of, known, threads):
        faults += [f"{name_of(played)}: {fault}" for fault in found]
        progress(1)
    if plain(scored(games)) != result.score:
        faults.append("the figures of the result are not those of its games")
    return result, faults


def another_version(result: Result) -> list[str]:
    """What is not the same here as where the benchmark was played."""
    there = msgspec.to_builtins(result.head)
    here = msgspec.to_builtins(head_of("uniform"))
    return [
        f"it was played by another version: {name} is {_told(there[name], here[name])}"
        for name in HERE
        if there[name] != here[name]
    ]


def _told(there: Any, here: Any) -> str:
    """Two values, or of mappings the first entries that differ."""
    if isinstance(there, dict):
        key = next(key for key in {**here, **there} if there.get(key) != here.get(key))
        return f"{there.get(key)} for {key}, and here {here.get(key)}"
    return f"{there}, and here {here}"


def not_of_protocol(games: list[Played]) -> list[str]:
    """Games that are none of the protocol, or stand there twice."""
    every = set(tasks())
    often = Counter(one.task for one in games)
    return [
        *(
            f"round {t.round + 1}, {t.game}, {t.against}: no such game"
            for t in often.keys() - every
        ),
        *(f"{_where(t)} stands there {n} times" for t, n in often.items() if n > 1 and t in every),
    ]


def name_of(played: Played) -> str:
    """Which game it is, in words."""
    return _where(played.task)


def _where(task: Any) -> str:
    return f"round {task.round + 1}, {task.game} against {task.against}"


def faults_of(played: Played) -> list[str]:
    """What is wrong with one game."""
    try:
        course = replayed(played)
    except Differs as fault:
        return [str(fault)]
    faults = []
    if played.unfinished != (not course.match.over and not played.forfeit):
        faults.append("whether it ended is told wrongly")
    if course.share != played.share:
        faults.append(
            f"the bot's share of the win is {played.share:g}; by its record {course.share:g}"
        )
    if course.decisions != played.decisions:
        faults.append(f"it has {course.decisions} decisions, not {played.decisions}")
    close = len(course.costs) == len(played.costs) and all(
        abs(one - other) <= CLOSE for one, other in zip(course.costs, played.costs, strict=True)
    )
    if not close:
        faults.append(f"its decisions gave away {course.costs}, not {played.costs}")
    return faults
