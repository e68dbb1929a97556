"""Learning with CuPy's arrays: nothing is mixed with NumPy's, and no function is CuPy's that lacks.

There need not be a card for it.
"""

import numpy as np
import pytest
from card_arrays import Library, Mixed, OnCard

from yegg.training import checkpoint
from yegg.training.device import Processor

from .courses import GAME, begun


class FakeCard(Processor):
    """Batches of the processor, arrays of the card."""

    xp = Library()
    parts = slices = 1

    def shared(self, array):
        """The same memory."""
        return array.view(OnCard)

    def host(self, array):
        """A copy."""
        return np.array(array.view(np.ndarray))


class AllAtOnce(Processor):
    """The processor, with parts as on a card."""

    parts = slices = 1


@pytest.fixture
def teacher(tmp_path):
    begun(units=5).finish(tmp_path / "net.npz")
    return str(tmp_path / "net.npz")


def test_an_array_of_the_processor_is_seen():
    there = Library().zeros(3)
    with pytest.raises(Mixed):
        there + np.ones(3)
    with pytest.raises(Mixed):
        there[np.arange(2)] = 1
    with pytest.raises(Mixed):
        np.concatenate([there, there])
    with pytest.raises(AttributeError):
        _ = Library().median


def test_learning_mixes_no_arrays_and_ends_with_the_same_bytes(teacher, tmp_path):
    trainings = [begun(device=one, teachers=(teacher,)) for one in (FakeCard(), AllAtOnce())]
    for training in trainings:
        for lesson in range(1, 6):
            batches = training.advance(keep=lesson == 5)
        assert training.play.taught is None, "of the teacher, and then of itself"
        training.meet(4)
        training.finish(tmp_path / "net.npz")
    card, processor = trainings
    assert np.asarray(card.flat).tobytes() == processor.flat.tobytes()
    checkpoint.keep(card, tmp_path / "part", batches)
    assert checkpoint.resumed(GAME, tmp_path / "part", FakeCard()).lesson == 5
