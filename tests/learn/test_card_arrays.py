"""Learning with CuPy's arrays: nothing is mixed with NumPy's, and no function is CuPy's that lacks.

There need not be a card for it.
"""

import numpy as np
import pytest

from yegg.training import checkpoint
from yegg.training.device import Processor

from .courses import GAME, begun

FUNCTIONS = {
    "arange",
    "asarray",
    "clip",
    "dot",
    "empty",
    "exp",
    "flatnonzero",
    "log",
    "maximum",
    "minimum",
    "ones",
    "sqrt",
    "where",
    "zeros",
    "zeros_like",
}
"""What is used of a library; CuPy 13 has all of it."""


class Mixed(TypeError):
    """An array of the processor beside one of the card."""


def refuse(things):
    """CuPy takes its own arrays and Python's or NumPy's numbers."""
    for thing in things:
        if isinstance(thing, np.ndarray) and not isinstance(thing, OnCard) and thing.ndim:
            raise Mixed("an array of NumPy's")
        if isinstance(thing, tuple | list):
            refuse(thing)


def own(thing):
    """An array as NumPy's own, in the same memory."""
    return thing.view(np.ndarray) if isinstance(thing, OnCard) else thing


class OnCard(np.ndarray):
    """An array that takes no other of the processor's."""

    def __array_ufunc__(self, ufunc, method, *given, out=None, **more):
        refuse([*given, *(out or ())])
        if out is not None:
            more["out"] = tuple(map(own, out))
        found = getattr(ufunc, method)(*map(own, given), **more)
        return out[0] if out is not None else np.asarray(found).view(OnCard)

    def __array_function__(self, function, types, given, more):
        raise Mixed(f"NumPy's {function.__name__} with an array of the card")

    def __getitem__(self, at):
        refuse(at if isinstance(at, tuple) else [at])
        return np.asarray(super().__getitem__(at)).view(OnCard)

    def __setitem__(self, at, value):
        refuse([value, *(at if isinstance(at, tuple) else [at])])
        super().__setitem__(at, value)


class Library:
    """NumPy's functions by the names that CuPy has too; their arrays are on the card."""

    def __getattr__(self, name):
        if name not in FUNCTIONS:
            raise AttributeError(f"is {name} one of CuPy's? then it belongs in FUNCTIONS")
        function = getattr(np, name)

        def call(*given, **more):
            if name != "asarray":
                refuse([*given, *more.values()])
            out = more.get("out")
            if out is not None:
                more["out"] = own(out)
            found = function(*map(own, given), **more)
            return out if out is not None else np.asarray(found).view(OnCard)

        return call


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
