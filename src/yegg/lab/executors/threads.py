"""The thread executor, and what every executor takes and gives: pieces, results, losses."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

from yegg.lab.experiment.schema import Experiment
from yegg.lab.experiment.shards import Piece
from yegg.machine import machine

from .ordered import in_order


class Work(NamedTuple):
    """Pieces of an experiment, in the order in which they are begun."""

    job: Callable[[Experiment, Piece], Any]
    """What is done with a piece: a function of a module, so that other processes know it too."""
    experiment: Experiment
    pieces: Sequence[Piece]
    wanted: Callable[[Piece], bool] = lambda _: True
    """Whether a piece is still needed when it is its turn, and when it is done."""


@dataclass(frozen=True)
class Lost:
    """A failed piece: its error, and how many times it was tried."""

    why: str
    times: int = 1
    last: bool = False
    """Whether it is not tried again."""


@dataclass(frozen=True)
class Done:
    """A finished piece: the result of the job, or that it was lost."""

    piece: Piece
    result: Any
    node: str = ""
    """Who played it, if not this process."""


class Executor(Protocol):
    """The protocol of executors: plays pieces of an experiment."""

    def play(self, work: Work) -> Iterator[Done]:
        """Do the job for all pieces, and give results as they come."""

    def machines(self) -> list[Mapping[str, str]]:
        """The machines that it plays on, each kind once (see `machine`)."""


class Threads:
    """The executor that plays pieces in their order on threads of this process."""

    def __init__(self, threads: int | None = None) -> None:
        """By default one for each core."""
        self.threads = threads or os.cpu_count() or 1

    def play(self, work: Work) -> Iterator[Done]:
        """Few pieces are played ahead, so that little waits in memory."""
        todo = filter(work.wanted, work.pieces)
        for piece, result in in_order(partial(work.job, work.experiment), todo, self.threads):
            if work.wanted(piece):
                yield Done(piece, result)

    def machines(self) -> list[Mapping[str, str]]:
        """The machine on which this process runs."""
        return [machine()]
