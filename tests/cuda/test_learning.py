"""Learning from batches on a card; in the simulator with NumPy in CuPy's place."""

import importlib.util

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused, cuda
from yegg.envs.cuda import CudaBatch
from yegg.training import checkpoint
from yegg.training.device import Card, Processor, device
from yegg.training.trainer import Course, Training

# The simulator's threads are not those that NumPy was told in: sums that overflow on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")
LESSONS = 3


class Simulated(Processor):
    """All work at once, with the simulator's arrays as NumPy's."""

    name = "cuda"
    batch = CudaBatch
    layout = "columns"
    parts = slices = 1

    def shared(self, array):
        """The same memory."""
        return array.array._ary


class AllAtOnce(Processor):
    """The processor, with parts as on a card."""

    parts = slices = 1


def begun(game, device, **course):
    """A training that has dealt a few games."""
    small = {"games": 3, "steps": 32, "step": 64, "units": 4, "decisions": 10**6}
    training = Training(game, Course(**small | course), device)
    training.begin()
    return training


@pytest.mark.skipif(not cuda.simulated(), reason="NumPy does not see a card's arrays")
@pytest.mark.parametrize(
    "name", ["second-story", *(pytest.param(n, marks=pytest.mark.wide) for n in games.names()[:1])]
)
def test_a_card_learns_what_the_processor_does_and_goes_on_too(name, tmp_path):
    game, part = games.find(name), tmp_path / "part"
    one, other = begun(game, AllAtOnce()), begun(game, Simulated())
    for lesson in range(1, LESSONS + 1):
        one.advance()
        batches = other.advance(keep=lesson == LESSONS)
    assert one.flat.tobytes() == other.flat.tobytes()
    assert one.scale.tobytes() == other.scale.tobytes()
    checkpoint.keep(other, part, batches)
    again = checkpoint.resumed(game, part, Simulated())
    for training in (one, again):
        training.advance()
    assert again.flat.tobytes() == one.flat.tobytes()


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is here")
def test_a_card_without_cupy_is_refused():
    with pytest.raises(Refused, match="learning on a card needs CuPy"):
        device("cuda")


@pytest.mark.skipif(
    cuda.simulated() or importlib.util.find_spec("cupy") is None, reason="needs a card and CuPy"
)
def test_a_miniature_is_learned_on_a_card_and_goes_on_there(tmp_path):
    """As `tests/learn` has it; and a net and its games come back from the file."""
    course = {"players": 2, "options": {"chips": "3"}, "games": 256, "step": 2048, "units": 16}
    training = begun(games.find("second-story"), Card(), **course, rate=0.01, decisions=600_000)
    before = training.meet(600)
    batches = training.advance(keep=True)
    checkpoint.keep(training, tmp_path / "part", batches)
    again = checkpoint.resumed(training.game, tmp_path / "part", Card())
    kept = tuple(map(training.device.host, training.play.played))
    for old, room in zip(kept, again.play.played, strict=True):
        assert np.array_equal(old[-32:], training.device.host(room)[-32:])
    while again.share < 1:
        again.advance()
    assert before["uniform"][2] < 0.45
    assert again.meet(600)["uniform"][1] > 0.58
    assert np.isfinite(again.in_file().w1).all()
