"""Learning from batches on a card; in the simulator with NumPy in CuPy's place."""

import importlib.util

import pytest

from yegg import games
from yegg.engine import Refused, cuda
from yegg.envs.cuda import CudaBatch
from yegg.training import checkpoint
from yegg.training.device import Processor, device

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


@pytest.mark.skipif(not cuda.simulated(), reason="NumPy does not see a card's arrays")
@pytest.mark.parametrize(
    "name", ["second-story", *(pytest.param(n, marks=pytest.mark.wide) for n in games.names()[:1])]
)
def test_a_card_learns_what_the_processor_does_and_goes_on_too(name, begun, tmp_path):
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
