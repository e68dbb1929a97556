"""Learning with CuPy's arrays, which only a card has."""

import numpy as np

from yegg import games
from yegg.training import checkpoint
from yegg.training.device import Card


def test_a_miniature_is_learned_on_a_card_and_goes_on_there(begun, tmp_path):
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
