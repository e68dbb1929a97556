"""A deck of one's own is data: decks of one shape share machine code."""

import pytest
from programs import installed, lay, python

TOLLS = {
    "__init__.py": '''
        """Tolls: who takes most at the gates."""
        from yegg.engine import Game
        from yegg.engine.decks import over_deck
        GAME = Game(__name__, "Tolls", "Take most at the gates.", players=range(2, 3), usual=2)
        def use_cards(path):
            return over_deck(GAME, path, "gates", TOLLS=tuple(map(int, path.read_text().split())))
        ''',
    "gates.py": '''
        """The published gates."""
        TOLLS = (3, 1, 4)
        ''',
    "rules.py": '''
        """Take the toll of a gate; each next gate of the row adds to it."""
        import numpy as np
        from yegg.engine import NOBODY, Record, row
        from .gates import TOLLS
        TOLL = np.array(TOLLS, np.int32)
        ROWS = (TOLL[::-1].copy(), np.array([[n / 2, n * gate] for gate, n in enumerate(TOLLS)]))
        GATES = len(TOLLS)
        CHOICES = GATES
        class State(Record):
            players = 0
            turn = taken = 0
            points = row(2)
        def deal(s):
            pass
        def actor(s):
            return NOBODY if s.taken == 2 * GATES else s.turn
        def legal(s, out):
            for gate in range(GATES):
                out[gate] = gate
            return GATES
        def play(s, choice):
            worth = TOLL[choice] + ROWS[0][s.taken % GATES] + int(ROWS[1][choice, 0])
            for more in ROWS[1][choice]:
                worth += int(more)
            s.points[s.turn] += worth + TOLL.size
            s.taken += 1
            s.turn = 1 - s.turn
        def hide(s, seat):
            pass
        def score(s, seat):
            return s.points[seat]
        def standing(s, seat):
            return s.points[seat]
        ''',
    "words.py": '''
        """How Tolls is written."""
        def say(s, choice):
            return f"gate {choice + 1}"
        ''',
}

PLAYS = """
import sys
from numba.core import event
from yegg.engine import Match

for cards in sys.argv[1:]:
    with event.install_recorder("numba:compile") as found:
        path = None if cards == "published" else cards
        slow, fast = (Match("tolls", 2, cards=path, how=how) for how in ("plain", "compiled"))
        while not slow.over:
            choice = slow.choices[len(slow.history) % len(slow.choices)]
            for match in (slow, fast):
                match.play(choice)
            assert slow.states.tobytes() == fast.states.tobytes()
        assert slow.scores == fast.scores
    print(*slow.scores, "compiled" if found.buffer else "loaded")
"""


@pytest.fixture
def played(tmp_path):
    """Plays Tolls with some decks, one after the other in one process; says points, and how."""
    decks = {"dear.txt": "30 10 41", "cheap.txt": "2 7 1", "long.txt": "2 7 1 8"}
    lay(tmp_path, decks | {f"tolls/{name}": text for name, text in TOLLS.items()})
    lay(tmp_path, installed("tolls", "[yegg.games]\ntolls = tolls\n"))

    def run(*decks):
        env = {"YEGG_CACHE": str(tmp_path / "cache")}
        done = python("-c", PLAYS, *decks, paths=[tmp_path], env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.slow
def test_any_deck_of_a_shape_is_compiled_once_and_plays_like_its_plain_twin(played):
    published, dear, cheap, again, long = played(
        "published", "dear.txt", "cheap.txt", "dear.txt", "long.txt"
    )
    assert [line.rpartition(" ")[2] for line in (published, dear)] == ["compiled"] * 2
    assert cheap.endswith("loaded"), "of the same shape"
    assert again.split()[:-1] == dear.split()[:-1] != cheap.split()[:-1]
    assert long.endswith("compiled"), "another number of gates is another shape"
    assert played("cheap.txt", "dear.txt", "published") == [
        " ".join([*line.split()[:-1], "loaded"]) for line in (cheap, dear, published)
    ]
