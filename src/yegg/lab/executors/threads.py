"""Pieces of an experiment, and who plays them: the threads of this machine, or a cluster."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

from yegg.lab.cells import Cell
from yegg.lab.experiment.schema import Experiment
from yegg.machine import machine

from .ordered import in_order


class Piece(NamedTuple):
    """Some deals of a cell."""

    cell: Cell
    number: int
    """Which of the cell's pieces it is."""
    deals: range


Job = Callable[[Experiment, Piece], Any]
"""What is done with a piece: a function of a module, so that other processes know it too."""


@dataclass(frozen=True)
class Lost:
    """A piece that could not be played, so many times."""

    why: str
    times: int
    last: bool
    """Whether it is not tried again."""


@dataclass(frozen=True)
class Done:
    """What came of a piece: what the job made of it, or that it was lost."""

    piece: Piece
    made: Any
    node: str = ""
    """Who played it, if not this process."""


class Crew(Protocol):
    """Whoever plays pieces."""

    def play(
        self,
        job: Job,
        experiment: Experiment,
        pieces: Sequence[Piece],
        wanted: Callable[[Piece], bool],
    ) -> Iterator[Done]:
        """Do the job for all pieces that are still wanted when it is their turn."""

    def machines(self) -> list[Mapping[str, str]]:
        """What they play on, each kind of machine once (see `machine`)."""


class Threads:
    """Plays pieces in their order on threads of this process."""

    def __init__(self, threads: int | None = None) -> None:
        """By default one for each core."""
        self.threads = threads or os.cpu_count() or 1

    def play(
        self,
        job: Job,
        experiment: Experiment,
        pieces: Sequence[Piece],
        wanted: Callable[[Piece], bool],
    ) -> Iterator[Done]:
        """Few pieces are played ahead, so that little waits in memory."""
        todo = (piece for piece in pieces if wanted(piece))
        for piece, made in in_order(partial(job, experiment), todo, self.threads):
            if wanted(piece):
                yield Done(piece, made)

    def machines(self) -> list[Mapping[str, str]]:
        """The one that this process runs on."""
        return [machine()]
