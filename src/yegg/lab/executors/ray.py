"""The Ray executor: plays pieces on all nodes of a cluster, and again where one is lost.

A task holds as many pieces as take some half a minute, and has all cores of its node: there they
are played by threads, so a node keeps one copy of the code.  What a piece gives does not depend on
who plays it or when, so it is played again by whoever is left if a worker dies.  Decision 0060.
"""

import atexit
import os
import time
import tomllib
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from yegg import cluster, games
from yegg.engine import Game, Refused
from yegg.lab.cells import Cell
from yegg.lab.experiment.schema import Experiment, parsed
from yegg.lab.experiment.shards import Piece, playing, prepare
from yegg.lab.sources import made_by
from yegg.machine import machine, versions

from .threads import Done, Lost, Work

TASK = 30.0  # seconds that a task should take
TRIES = 3  # how often a piece is played before it is given up
AHEAD = 2  # tasks for each place where one can run: the next is there when one is done
PATIENCE = 10.0  # seconds without news, after which we look whether anybody is left

Look = dict[str, Any]


@dataclass(frozen=True)
class Order:
    """The instructions to a node: what it must know to play pieces of an experiment."""

    experiment: str
    """The file."""
    plans: Mapping[str, bytes]
    """The files beside it, as a run keeps them."""
    paths: tuple[str, ...]
    code: Mapping[str, bytes] = field(repr=False)
    """Machine code by its place in the cache: nodes with the same processor need not compile."""


@dataclass(frozen=True)
class Report:
    """The result of a task."""

    node: str
    results: Sequence[Any]
    """Of each piece in order: the result of the job, or that it was `Lost`."""
    seconds: float
    """Of one core."""


class Cluster:
    """An executor of all nodes; `at_work` makes one."""

    def __init__(self, ray: Any, cores: int | None = None) -> None:
        """``cores``: how many of a node are used; by default all that the smallest has."""
        self.ray = ray
        self.most = cores
        self._orders: dict[str, Any] = {}
        self.looks: list[Mapping[str, str]] = []
        self.spent: Counter[tuple[str, ...]] = Counter()
        self.deals: Counter[tuple[str, ...]] = Counter()

    @property
    def cores(self) -> int:
        """How many cores a task has."""
        least = min((node["cores"] for node in cluster.nodes(self.ray)), default=1)
        return min(least, self.most or least)

    @property
    def places(self) -> int:
        """How many tasks run at once."""
        return sum(node["cores"] // self.cores for node in cluster.nodes(self.ray)) or 1

    def machines(self) -> list[Mapping[str, str]]:
        """The kinds of machines of the nodes."""
        return list({one["processor"] + repr(one): one for one in self.looks}.values())

    def check(self, game: Game) -> None:
        """Look at every node.  Raises Refused if one would play other games than we do."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        look = self.ray.remote(looked)
        asked = []
        for node in cluster.nodes(self.ray):
            there = NodeAffinitySchedulingStrategy(node["id"], soft=False)
            on = look.options(num_cpus=0, max_retries=1, scheduling_strategy=there)
            answer = on.remote(cluster.paths(), game.name)
            asked.append((node["name"], answer))
        if not asked:
            raise Refused("the cluster has no node that could play: none has a processor")
        ours = looked((), game.name)
        del ours["machine"]  # may differ: the manifest names each
        for name, answer in asked:
            try:
                there = self.ray.get(answer)
            except (self.ray.exceptions.RayError, RuntimeError) as error:
                raise Refused(
                    f"{name} cannot play: {cluster.why(error)}; install the same yegg there, "
                    "with its extras lab and cluster"
                ) from None
            cluster.agree(name, there, ours)
            self.looks.append(there["machine"])

    def play(self, work: Work) -> Iterator[Done]:
        """Give results in the order in which they are done."""
        if not self.looks:
            for game in work.experiment.games:
                self.check(game)
        order = self._order(work.experiment)
        todo, alone, tries = deque(work.pieces), deque[Piece](), Counter[Piece]()
        flying: dict[Any, list[Piece]] = {}
        try:
            while True:
                for group in self._groups(work, todo, alone, flying):
                    flying[self._sent(order, work.job, group)] = group
                if not flying:
                    return
                for piece, result, node in self._landed(flying):
                    if not isinstance(result, Lost):
                        if work.wanted(piece):
                            yield Done(piece, result, node)
                        continue
                    tries[piece] += 1
                    last = tries[piece] == TRIES
                    if not last:
                        alone.append(piece)  # not together with others, which it would take along
                    yield Done(piece, Lost(result.why, tries[piece], last), node)
        finally:
            for task in flying:
                self.ray.cancel(task, force=True)

    def _order(self, experiment: Experiment) -> Any:
        """What nodes are told of an experiment, sent once; it holds much, so one is kept."""
        if experiment.source not in self._orders:
            self._orders = {experiment.source: self.ray.put(ordered(experiment))}
        return self._orders[experiment.source]

    def _sent(self, order: Any, job: Callable[..., Any], group: Sequence[Piece]) -> Any:
        """A task that a node has been given."""
        task = self.ray.remote(played).options(
            num_cpus=self.cores, max_retries=0, scheduling_strategy="SPREAD"
        )
        return task.remote(order, job, group, self.cores)

    def _groups(
        self, work: Work, todo: deque[Piece], alone: deque[Piece], flying: Collection[Any]
    ) -> Iterator[list[Piece]]:
        """The next tasks, until everybody has one and another waits for them.

        Each is about half a minute, and not more than a fair part of what is left.
        """
        cores, places = self.cores, self.places
        while len(flying) < AHEAD * places and (todo or alone):
            if alone:
                yield [alone.popleft()]
                continue
            group: list[Piece] = []
            seconds, fair = 0.0, -(-len(todo) // places)
            while todo and len(group) < fair and seconds < TASK * cores:
                piece = todo.popleft()
                if not work.wanted(piece):
                    continue
                group.append(piece)
                who = piece.cell.lineup
                if self.deals[who]:
                    seconds += self.spent[who] / self.deals[who] * len(piece.deals)
                elif len(group) >= cores:  # nobody knows yet how long they take
                    break
            if group:
                yield group

    def landed(self, flying: Collection[Any]) -> list[Any]:
        """The next tasks that ended.  Raises Refused if no node is left."""
        landed: list[Any] = []
        while not landed:
            landed, _ = self.ray.wait(list(flying), num_returns=1, timeout=PATIENCE)
            if not landed and not cluster.nodes(self.ray):
                raise Refused("the cluster has no node left; the same command goes on later")
        return landed

    def _landed(self, flying: dict[Any, list[Piece]]) -> list[tuple[Piece, Any, str]]:
        """What came of the next tasks that ended, piece by piece.  Raises Refused."""
        landed = self.landed(flying)
        out: list[tuple[Piece, Any, str]] = []
        for task in landed:
            group = flying.pop(task)
            try:
                report: Report = self.ray.get(task)
            except self.ray.exceptions.RayError as error:
                out += [(piece, Lost(cluster.why(error)), "") for piece in group]
                continue
            for piece, result in zip(group, report.results, strict=True):
                out.append((piece, result, report.node))
                self.deals[piece.cell.lineup] += len(piece.deals)
            share = report.seconds / sum(len(piece.deals) for piece in group)
            for piece in group:
                self.spent[piece.cell.lineup] += share * len(piece.deals)  # type: ignore[assignment]
        return out


@contextmanager
def at_work(cores: int | None = None) -> Iterator[Cluster]:
    """All nodes of the cluster, or of one made here for now.  Raises Refused."""
    with cluster.opened(cores) as ray:
        yield Cluster(ray, cores)


def ordered(experiment: Experiment) -> Order:
    """The instructions to nodes for an experiment."""
    return Order(experiment.source, experiment.files, cluster.paths(), cluster.code())


def looked(paths: Sequence[str], game: str) -> Look:
    """The machine, the versions and the code with which this process would play."""
    cluster.find_as(paths)
    return {"machine": machine(), **versions(), "code": made_by(games.find(game))}


def played(order: Order, job: Callable[..., Any], pieces: Sequence[Piece], threads: int) -> Report:
    """On a node: do the job for some pieces."""
    cluster.find_as(order.paths)
    experiment = _experiment(order)
    _prepare(experiment, [piece.cell for piece in pieces])

    def one(piece: Piece) -> tuple[Any, float]:
        began = time.monotonic()
        try:
            result = job(experiment, piece)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others go on
            result = Lost(f"{type(error).__name__}: {error}")
        return result, time.monotonic() - began

    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(one, pieces))
    seconds = sum(spent for _, spent in done)
    return Report(os.uname().nodename, [result for result, _ in done], seconds)


_known: dict[tuple[str, tuple[tuple[str, bytes], ...]], Experiment] = {}
_ready: set[tuple[str, tuple[str, str, tuple[str, ...]]]] = set()
"""In a worker: the experiment that it has read last, and whose kernels it has."""


def _experiment(order: Order) -> Experiment:
    """The experiment of an order, read once; plans stay on disk, since kernels read them."""
    key = order.experiment, tuple(sorted(order.plans.items()))
    if key not in _known:
        folder = None
        if order.plans:
            folder = Path(mkdtemp(prefix="yegg-"))
            atexit.register(rmtree, folder, ignore_errors=True)
            for name, data in order.plans.items():
                (folder / name).parent.mkdir(exist_ok=True)
                (folder / name).write_bytes(data)
        cluster.unpack(order.code)
        _known.clear()
        _ready.clear()
        file = tomllib.loads(order.experiment)
        _known[key] = parsed(file, order.experiment, folder, kept=True)
    return _known[key]


def _prepare(experiment: Experiment, cells: Sequence[Cell]) -> None:
    """Have all kernels: compile what lacks."""
    for code, cell in {playing(cell): cell for cell in cells}.items():
        key = experiment.source, code
        if key not in _ready:
            prepare(experiment, [cell])
            _ready.add(key)
