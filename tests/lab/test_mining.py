"""Mining puzzles: what two judges say, and files that do not depend on interruptions."""

import numpy as np
import pytest

from yegg import games
from yegg.engine import Refused
from yegg.lab import mining
from yegg.lab.mining import Found, Seam
from yegg.lab.puzzle_folder import KEPT, file, mine, opened
from yegg.lessons import puzzles
from yegg.lessons.puzzle import read
from yegg.players.thinking.plan import Evaluation

SS = games.find("second-story")


class Laid(Seam):
    """Two shipped puzzles in each game, so that nothing has to be thought out."""

    def dig(self, number):
        for one in puzzles(SS)[2 * number : 2 * number + 2]:
            yield Found(number, len(one.events), one.path.read_text())


def texts(folder):
    return {path.name: path.read_text() for path in sorted(folder.glob("*.puzzle"))}


def test_a_seed_gives_the_same_files_with_and_without_interruption(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    mine(whole, Laid(SS, 1), 5)

    def stop(there):
        if there == stopped_at:
            raise KeyboardInterrupt

    for stopped_at in (1, 4):
        with pytest.raises(KeyboardInterrupt):
            mine(parts, Laid(SS, 1), 5, stop)
        assert file(parts, stopped_at).exists(), "it was written when it was found"
    mined = mine(parts, Laid(SS, 1), 5)
    assert (mined.puzzles, len(texts(whole))) == (5, 5)
    assert list(texts(whole).values()) == [one.path.read_text() for one in puzzles(SS)[:5]]
    assert texts(parts) == texts(whole)


def test_a_folder_is_gone_on_with_only_as_it_was_begun(tmp_path):
    mine(tmp_path, Laid(SS, 1, 0.03), 1)
    for other in (Seam(SS, 2, 0.03), Seam(SS, 1, 0.05), Seam(games.find("magnate"), 1, 0.03)):
        with pytest.raises(Refused, match="was mined of second-story with --seed 1 and --gap 3"):
            opened(tmp_path, other)
    (tmp_path / KEPT).unlink()
    with pytest.raises(Refused, match="give another folder"):
        opened(tmp_path, Laid(SS, 1, 0.03))


@pytest.mark.wide
def test_a_puzzle_is_found_again(monkeypatch, tmp_path):
    """With judges that look at little, and find more than there is."""
    for name, value in {"QUICK": 8, "DEEP": 40, "LOOKS": 1, "PLAYED": 30}.items():
        monkeypatch.setattr(mining, name, value)
    for folder in ("one", "other"):
        mine(tmp_path / folder, Seam(SS, 1, 0.03), 1)
    found = texts(tmp_path / "one")
    assert found == texts(tmp_path / "other")
    assert read(file(tmp_path / "one", 1), "compiled").match.game is SS


def test_the_second_judge_tells_winning_from_losing():
    """In a shipped puzzle where one choice never wins, it says so either way round."""
    puzzle = next(one for one in puzzles(SS) if one.next.value < 0.005)
    before, seam = puzzle.decision, Seam(SS, 1)
    best, after = (before.texts[one.text] for one in (puzzle.best, puzzle.next))
    mean, low, high = seam.second_judge(before, best, after, 0)
    assert 0 < low <= mean <= high
    assert seam.second_judge(before, after, best, 0) == pytest.approx((-mean, -high, -low))
    assert seam.second_judge(before, best, best, 0)[0] == 0, "the same dice fall after both"


def look(values, sample=1000.0):
    many = len(values)
    numbers = np.array(values)
    sizes = np.full(many, sample)
    zeros = np.zeros(many)
    return Evaluation(zeros, numbers, np.ones(many, int), sizes, zeros, numbers, 1)


@pytest.mark.parametrize(
    ("values", "sure"),
    [
        ([0.5, 0.3], True),
        ([0.5, 0.45], False),  # it costs too little
        ([0.95, 0.3], False),  # all is decided
        ([0.09, 0.0], False),
    ],
)
def test_a_mistake_costs_enough_while_nothing_is_decided(values, sure):
    assert Seam(SS, 1).sure(mining.together([look(values)]), 1) == sure


def test_intervals_that_overlap_are_alike():
    seen = mining.together([look([0.5, 0.49, 0.3]), look([0.5, 0.51, 0.3])])
    assert seen.alike(0).tolist() == [True, True, False]
    assert not Seam(SS, 1).apart(look([0.5, 0.49]), 1)
    assert Seam(SS, 1).apart(look([0.5, 0.3]), 1)


def test_intervals_that_overlap_in_a_file_are_alike():
    """Else the reader would refuse what was written: 0.3304 and 0.3302 are both 0.330 there."""
    for value in np.arange(0.42, 0.46, 0.00005):
        seen = mining.together([look([0.5, value])])
        assert seen.alike(0)[1] == (f"{seen.high[1]:.3f}" >= f"{seen.low[0]:.3f}"), value
