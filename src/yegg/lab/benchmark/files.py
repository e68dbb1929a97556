"""The two files of a benchmark: the result, and beside it the games, a line of JSON for each.

A game is on disk before the next one begins.  What a kill left half written is cut off.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

import yegg
from yegg.engine import Refused
from yegg.engine.notation import mend
from yegg.files import named, write_atomic
from yegg.games import find
from yegg.lab.sources import made_by, own_code
from yegg.machine import machine
from yegg.players.policy_net.weights import path_of
from yegg.text.json_writer import as_json

from . import protocol
from .benchmark_game import Played
from .score import scored


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was played and by whom: the first line of the file of games."""

    bot: str
    bot_code: str
    """The digest of all code that decides how games with this bot go."""
    yegg: str
    """The version."""
    protocol: dict[str, Any]
    code: dict[str, str]
    """By game, the digest of all code of yegg and the game that decides how games go."""
    weights: dict[str, str | None]
    """By game, the digest of its policy net; None if it has none."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a benchmark."""

    head: Head
    machine: dict[str, str]
    games_sha256: str
    """The digest of the file of games."""
    score: dict[str, Any]


def head_of(bot: str) -> Head:
    """The head of a benchmark that begins here and now."""
    games = {name: find(name) for name in protocol.TABLES}
    together = hashlib.sha256("".join(made_by(one, [bot]) for one in games.values()).encode())
    return Head(
        bot,
        together.hexdigest()[:16],
        yegg.__version__,
        protocol.to_dict(),
        {name: own_code(game) for name, game in games.items()},
        {name: digest_of(path_of(game)) for name, game in games.items()},
    )


def digest_of(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def games_of(path: Path) -> Path:
    """Where the games of a result are kept: ``mine.json`` has ``mine.games.jsonl``."""
    return path.with_suffix(".games.jsonl")


def read_games(path: Path) -> tuple[Head, list[Played]]:
    """The head and the games of a file.  Raises Refused, with the line; OSError."""
    games: list[Played] = []
    head: Head | None = None
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                if head is None:
                    head = msgspec.json.decode(line, type=Head)
                else:
                    games.append(msgspec.json.decode(line, type=Played))
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                raise Refused(f"{path}:{number}: this is no game of a benchmark: {error}") from None
    if head is None:
        raise Refused(f"{path}: this file is empty")
    return head, games


def read_result(path: Path) -> Result:
    """A result.  Raises Refused if the file is none; OSError."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Refused(f"{path}: this is no result of a benchmark: {error}") from None


def begin(path: Path, head: Head) -> list[Played]:
    """The games that were kept of this benchmark before; else its file begins with ``head``.

    Raises Refused if the file is that of another benchmark.
    """
    kept = games_of(path)
    if not kept.exists() or not kept.stat().st_size:
        write_atomic(kept, _line(head))
        return []
    mend(kept, longest=kept.stat().st_size)
    there, games = read_games(kept)
    for field in Head.__struct_fields__:
        if getattr(there, field) != getattr(head, field):
            what = f"its {field.replace('_', ' ')} is another one"
            raise Refused(f"{kept} holds a benchmark of {there.bot} that cannot go on: {what}")
    return games


@contextmanager
def appending(path: Path) -> Iterator[Callable[[Played], None]]:
    """A function that adds a game to the games of a result; then it is on disk."""
    kept = games_of(path)
    with named(kept), kept.open("ab", buffering=0) as file:

        def add(played: Played) -> None:
            file.write(_line(played))
            os.fsync(file.fileno())

        yield add


def _line(data: Head | Played) -> bytes:
    return as_json(msgspec.to_builtins(data)).encode() + b"\n"


def conclude(path: Path) -> Result:
    """Write the result of the games that are kept, and return it.  Raises Refused; OSError."""
    kept = games_of(path)
    head, played = read_games(kept)
    result = Result(head, machine(), digest_of(kept) or "", scored(played))
    data = as_json(msgspec.to_builtins(result), indent=2) + "\n"
    write_atomic(path, data.encode())
    return read_result(path)
