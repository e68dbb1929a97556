"""Simulations on a Ray cluster: each worker has a node's cores, or a card that Ray gives it.

A worker gives back sums, which are small, and pieces are told in their order, so that figures are
those of one machine.  If a worker dies, what it had is played again.
"""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import Any

from yegg import cluster, games, players
from yegg.engine import Refused
from yegg.lab.batch import Matchup
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

    def begin(self, order: Order) -> None:
        """Have all that is needed: compile what lacks."""
        cluster.find_as(order.paths)
        cluster.unpack(order.code)
        told = dict(order.setting)
        for player in told["lineup"]:
            players.enrol(player)  # one from outside is not known here yet
        setting = Matchup(games.find(told.pop("game")), **told)
        if order.device == "cuda":
            from yegg.lab.on_a_card import Card

            self.by: Card | Processor = Card(setting)  # the only one that Ray lets it see
        else:
            self.by = Processor(setting, order.cores)

    def play(self, piece: range) -> Sums:
        """The sums of some games."""
        some = self.by.play(len(piece), first=piece.start)
        return reduce(add, (one.sums for one in some))


@dataclass(eq=False)
class Hired:
    """A worker as the driver knows it."""

    actor: Any
    lost: bool = False


class Nodes:
    """Plays the games of a setting on all nodes of a cluster, or on all their cards."""

    def __init__(self, at_work: Cluster, setting: Matchup, device: str) -> None:
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
        landed: dict[int, Played] = {}
        first = 0
        for piece in self._landed(games):
            landed[piece.games.start] = piece
            while first in landed:
                yield landed[first]
                first = landed.pop(first).games.stop

    def _landed(self, games: int) -> Iterator[Played]:
        """The pieces as they are done; whoever has done one gets another.

        What a lost worker had is played by others, or by its successor.  Ray itself would only
        have the successor play it, and wait for room for that while others have nothing to do.
        """
        size = max(1, min(-(-games // (PIECES * self.workers)), CARDS_MOST if self.card else MOST))
        todo = deque(range(at, min(at + size, games)) for at in range(0, games, size))
        left, free, tries = len(todo), deque[Hired](), Counter[range | None]()
        order = self.ray.put(self.order)
        flying: dict[Any, tuple[range | None, Hired]] = {}

        def hire() -> None:
            worker = Hired(self._worker())
            flying[worker.actor.begin.remote(order)] = None, worker

        for _ in range(self.workers):
            hire()
        while left:
            while free and todo:
                worker, piece = free.popleft(), todo.popleft()
                flying[worker.actor.play.remote(piece)] = piece, worker
            (done,) = self.at_work.landed(flying)
            had, worker = flying.pop(done)
            try:
                sums = self.ray.get(done)
            except (self.ray.exceptions.RayError, Refused) as error:
                tries[had] += 1
                died = isinstance(error, self.ray.exceptions.RayActorError)
                if not died or tries[had] == TRIES:
                    why = cluster.why(error)
                    raise Refused(f"a worker of the cluster cannot play: {why}") from None
                if had is not None:
                    todo.appendleft(had)
                if not worker.lost:
                    worker.lost = True
                    free = deque(other for other in free if other is not worker)
                    hire()
                continue
            if had is None:
                free.extend([worker] * AHEAD)
                continue
            left -= 1
            free.append(worker)
            yield Played(had, sums, None)

    def _worker(self) -> Any:
        """A new worker, with the cores of a node or with a card."""
        needs = {"num_cpus": self.cores, "num_gpus": int(self.card)}
        kind = self.ray.remote(Worker).options(scheduling_strategy="SPREAD", **needs)
        return kind.remote()
