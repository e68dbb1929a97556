"""Random play on a card: the events that the processor plays, and `yegg bench` beside it."""

import json

import numpy as np
import pytest

from yegg import games
from yegg.contract.cases import NAMES
from yegg.engine import cuda, kernels
from yegg.engine.dice import seeds
from yegg.lab import bench

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")


@pytest.mark.parametrize("name", NAMES)
def test_a_card_plays_at_random_what_the_processor_plays(name):
    from yegg.engine.cuda_kernels import roaming

    game, many, events = games.find(name), 3, 300
    out, dice = np.zeros(game.choices, np.int32), seeds(4, 0, many, 1)[:, 0, 0]
    dealt = game.blank(game.usual, {})
    game.engine().kernel(kernels.begin)(dealt, out)
    states = np.repeat(dealt, many)
    given = cuda.lifted((states, dealt, dice), 0)
    kernel = game.engine(how="cuda").kernel(roaming(game.choices))
    cuda.launch(kernel, many, 0, *given, events)
    game.engine().kernel(kernels.roam)(states, dealt, dice, events, out)
    assert cuda.CudaArray(given[0]).copy_to_host().tobytes() == states.tobytes()
    assert cuda.CudaArray(given[2]).copy_to_host().tobytes() == dice.tobytes()


def test_bench_tells_what_it_ran_on(run, monkeypatch):
    measure = bench.on_a_card
    monkeypatch.setattr(bench, "on_a_card", lambda game: measure(game, games=2, events=20))
    status, out, err = run("bench second-story --device cuda --json")
    assert (status, err) == (0, "")
    told = json.loads(out)["second-story"]
    assert told["card"] == cuda.name()
    assert told["games_at_once"] == 2
    assert told["events_per_second"] > 0
    assert "events/s" in run("bench second-story --device cuda")[1]
