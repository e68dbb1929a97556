"""What a long-lived process keeps for the laboratory does not grow with what it is asked."""

import gc
import tracemalloc
import weakref
from functools import partial
from types import SimpleNamespace

import numpy as np

from yegg.lab.executors import ray
from yegg.lab.executors.threads import Lost, Threads, Work
from yegg.lab.experiment.schema import parsed
from yegg.lab.experiment.shards import blocks
from yegg.lab.policies import habits
from yegg.stats.bootstrap import means_again

FILE = 'game = "second-story"\nseed = {seed}\n'


class Ray:
    """Does tasks here and at once, the first that came last; counts what is put."""

    class exceptions:  # noqa: N801 - as Ray calls it
        RayError = LookupError

    def __init__(self):
        self.put_times, self.kept = 0, []

    def nodes(self):
        return [{"Alive": True, "NodeID": "1", "NodeManagerHostname": "a", "Resources": {"CPU": 2}}]

    def remote(self, do):
        sent = SimpleNamespace(remote=partial(partial, do))
        return SimpleNamespace(options=lambda **_: sent)

    def wait(self, tasks, **_):
        return tasks[-1:], tasks[:-1]

    def get(self, task):
        return task()

    def put(self, order):
        self.put_times += 1
        self.kept.append(weakref.ref(order))
        return order


def alive(things):
    """Those that something still holds."""
    gc.collect()
    return [thing for ref in things if (thing := ref()) is not None]


def test_a_cluster_keeps_the_order_of_one_experiment(monkeypatch):
    """An order holds all the code and all plans: it is sent once, and let go with the next."""
    monkeypatch.setattr(ray.cluster, "code", dict)
    monkeypatch.setattr(ray.cluster, "paths", tuple)
    executor = ray.Cluster(Ray())
    executor.looks = [{"processor": "a"}]
    for seed in (1, 1, 2, 3):
        made = parsed({"game": "second-story", "seed": seed}, FILE.format(seed=seed))
        assert list(executor.play(Work(number_of, made, [], bool))) == []
    assert executor.ray.put_times == 3
    assert [order.experiment for order in alive(executor.ray.kept)] == [FILE.format(seed=3)]


def number_of(_experiment, piece):
    if piece.number == 3:
        raise OSError("no room")
    return piece.number


def test_a_cluster_does_what_threads_do_and_tries_thrice_what_fails(monkeypatch):
    monkeypatch.setattr(ray, "prepare", lambda *_: None)
    for name in ("find_as", "unpack"):
        monkeypatch.setattr(ray.cluster, name, lambda _: None)
    for name in ("code", "paths"):
        monkeypatch.setattr(ray.cluster, name, tuple)
    experiment = parsed({"game": "second-story", "sample": {"deals": 2000}})
    executor = ray.Cluster(Ray())
    executor.looks = [{"processor": "a"}]
    pieces = list(blocks(experiment))
    work = Work(number_of, experiment, pieces, lambda piece: piece.number != 5)
    done = [(one.piece.number, one.result) for one in executor.play(work)]
    lost = [result for number, result in done if number == 3]
    assert lost == [Lost("OSError: no room", times, times == 3) for times in (1, 2, 3)]
    there = [one for one in done if one[0] != 3]
    work = work._replace(pieces=[piece for piece in pieces if piece.number != 3])
    assert sorted(there) == [(one.piece.number, one.result) for one in Threads(2).play(work)]
    assert [number for number, _ in sorted(there)] == [0, 1, 2, 4, 6, 7]


def test_a_worker_reads_an_experiment_once_and_lets_it_go_with_the_next(monkeypatch):
    read, there = [], []

    def noted(*what, **how):
        made = parsed(*what, **how)
        read.append(made.seed)
        there.append(weakref.ref(made))
        return made

    monkeypatch.setattr(ray, "parsed", noted)
    monkeypatch.setattr(ray.cluster, "unpack", lambda code: None)
    for seed in range(5):
        order = ray.Order(FILE.format(seed=seed), {}, (), {})
        for _ in range(3):
            assert ray.played(order, number_of, [], 1).results == []
    assert read == list(range(5))
    assert [made.seed for made in alive(there)] == [4]


def test_intervals_of_many_searches_take_the_room_of_one():
    """Each draws its deals anew two thousand times; what was drawn for one is let go."""
    values = np.random.default_rng(1).random((400, 1, 1))
    tracemalloc.start()
    try:
        for deals in range(300, 400, 10):
            means_again(values[:deals])
        gc.collect()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert left < 2 * 2000 * 400 * 8, "of ten searches nearly ten times as much would be left"


def test_words_of_choices_are_remembered_for_so_many_variants():
    assert habits.words.cache_info().maxsize == 500
