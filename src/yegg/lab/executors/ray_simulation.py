"""Simulations on a Ray cluster: each worker has a node's cores, or a card that Ray gives it.

A worker gives back sums, which are small, and its pieces are added in their order, so that figures
are those of one machine.  If it dies, Ray begins it again, and it plays again what it had.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from yegg import cluster, games
from yegg.engine import Refused
from yegg.lab.batch import Setting
from yegg.lab.simulation import Played, Processor
from yegg.lab.simulation_sums import Sums

from .ray import AHEAD, TRIES, Cluster

PIECES = 8  # of each worker, or more
CARDS_MOST, MOST = 2**20, 20_000  # games of a piece


@dataclass(frozen=True)
class Order:
    """The instructions to a worker: what it must know to play the games of a setting."""

    setting: Mapping[str, Any]
    """What `Setting` takes, with the game's name."""
    device: str
    """``cpu`` or ``cuda``."""
    cores: int
    """How many a worker has, if it has no card."""
    paths: tuple[str, ...]
    code: Mapping[str, bytes] = field(repr=False)
    """Machine code by its place in the cache."""


class Worker:
    """Plays pieces of a simulation in a process of a node."""

    def __init__(self, order: Order) -> None:
        """Have all that is needed: compile what lacks."""
        cluster.find_as(order.paths)
        cluster.unpack(order.code)
        told = dict(order.setting)
        setting = Setting(games.find(told.pop("game")), **told)
        if order.device == "cuda":
            from yegg.lab.on_a_card import Card

            self.by: Card | Processor = Card(setting)  # the only one that Ray lets it see
        else:
            self.by = Processor(setting, order.cores)

    def play(self, piece: range) -> Sums:
        """The sums of some games."""
        some = self.by.play(len(piece), first=piece.start)
        return reduce(add, (one.sums for one in some))


class Nodes:
    """Plays the games of a setting on all nodes of a cluster, or on all their cards."""

    def __init__(self, at_work: Cluster, setting: Setting, device: str) -> None:
        """Look at the nodes.  Raises Refused if one would play other games, or none has a card."""
        at_work.check(setting.game)
        self.at_work, self.ray, self.card = at_work, at_work.ray, device == "cuda"
        cards = int(self.ray.cluster_resources().get("GPU", 0))
        self.workers = cards if self.card else at_work.places
        if not self.workers:
            raise Refused("no node of the cluster has a graphics card that Ray knows of")
        told = {
            "game": setting.game.name,
            "players": setting.players,
            "options": dict(setting.options),
            "lineup": list(setting.lineup),
            "seed": setting.seed,
            "max_events": setting.max_events,
        }
        self.cores = 0 if self.card else at_work.cores
        self.order = Order(told, device, self.cores, cluster.paths(), cluster.code())

    def play(self, games: int, *, rows: bool = False) -> Iterator[Played]:
        """Play so many games.  Raises Refused if a worker cannot, and ValueError for ``rows``."""
        if rows:
            raise ValueError("the nodes of a cluster give sums alone")
        kind = self.ray.remote(Worker).options(
            num_cpus=self.cores,
            num_gpus=int(self.card),
            max_restarts=TRIES,
            max_task_retries=TRIES,
            scheduling_strategy="SPREAD",
        )
        order = self.ray.put(self.order)
        workers = [kind.remote(order) for _ in range(self.workers)]
        try:
            landed: dict[int, Played] = {}
            first = 0
            for piece in self._landed(workers, games):
                landed[piece.games.start] = piece
                while first in landed:
                    yield landed[first]
                    first = landed.pop(first).games.stop
        finally:
            for worker in workers:
                self.ray.kill(worker)

    def _landed(self, workers: Sequence[Any], games: int) -> Iterator[Played]:
        """The pieces as they are done; a worker that has done one gets another."""
        size = max(1, min(-(-games // (PIECES * len(workers))), CARDS_MOST if self.card else MOST))
        todo = (range(at, min(at + size, games)) for at in range(0, games, size))
        flying: dict[Any, tuple[range, Any]] = {}
        waiting = [*workers] * AHEAD
        while True:
            for worker, piece in zip(waiting, todo, strict=False):
                flying[worker.play.remote(piece)] = piece, worker
            if not flying:
                return
            (done,) = self.at_work.landed(flying)
            piece, worker = flying.pop(done)
            try:
                sums = self.ray.get(done)
            except (self.ray.exceptions.RayError, Refused) as error:
                raise Refused(
                    f"a worker of the cluster cannot play: {cluster.why(error)}"
                ) from None
            yield Played(piece, sums, None)
            waiting = [worker]
