"""What a long-lived process keeps for the laboratory does not grow with what it is asked."""

from functools import partial
from types import SimpleNamespace

import pytest

from yegg.lab.executors import ray
from yegg.lab.executors.threads import Lost, Threads, Work
from yegg.lab.experiment.schema import parsed
from yegg.lab.experiment.shards import blocks
from yegg.lab.policies import habits
from yegg.lab.tuning import result

FILE = 'game = "second-story"\nseed = {seed}\n'


class Ray:
    """Does tasks here and at once, the first that came last; counts what is put."""

    class exceptions:  # noqa: N801 - as Ray calls it
        RayError = LookupError

    def __init__(self):
        self.put_times = 0

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
        return order


def test_a_cluster_keeps_the_order_of_one_experiment(monkeypatch):
    monkeypatch.setattr(ray.cluster, "code", dict)
    monkeypatch.setattr(ray.cluster, "paths", tuple)
    executor = ray.Cluster(Ray())
    for seed in (1, 1, 2, 3):
        made = parsed({"game": "second-story", "seed": seed}, FILE.format(seed=seed))
        assert executor._order(made).experiment == FILE.format(seed=seed)
    assert executor.ray.put_times == 3
    assert len(executor._orders) == 1


def number_of(_experiment, piece):
    if piece.number == 3:
        raise OSError("no room")
    return piece.number


def test_a_cluster_does_what_threads_do_and_tries_thrice_what_fails(monkeypatch):
    monkeypatch.setattr(ray, "_prepare", lambda *_: None)
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


def test_a_worker_knows_one_experiment(monkeypatch):
    monkeypatch.setattr(ray.cluster, "unpack", lambda code: None)
    for seed in range(5):
        order = ray.Order(FILE.format(seed=seed), {}, (), {})
        assert ray._experiment(order).seed == seed
        assert ray._experiment(order) is ray._experiment(order)
    assert len(ray._known) == 1


@pytest.mark.parametrize("kept", [result._weights, habits.words])
def test_what_is_remembered_has_a_bound(kept):
    assert kept.cache_info().maxsize
