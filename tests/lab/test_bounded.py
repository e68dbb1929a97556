"""What a long-lived process keeps for the laboratory does not grow with what it is asked."""

import pytest

from yegg.lab.executors import ray
from yegg.lab.experiment.schema import parsed
from yegg.lab.policies import habits
from yegg.lab.tuning import result

FILE = 'game = "second-story"\nseed = {seed}\n'


class Ray:
    """Counts what is put."""

    def __init__(self):
        self.put_times = 0

    def put(self, order):
        self.put_times += 1
        return order


def test_a_cluster_keeps_the_order_of_one_experiment(monkeypatch):
    monkeypatch.setattr(ray.cluster, "code", dict)
    monkeypatch.setattr(ray.cluster, "paths", tuple)
    crew = ray.Cluster(Ray())
    for seed in (1, 1, 2, 3):
        made = parsed({"game": "second-story", "seed": seed}, FILE.format(seed=seed))
        assert crew._order(made).experiment == FILE.format(seed=seed)
    assert crew.ray.put_times == 3
    assert len(crew._orders) == 1


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
