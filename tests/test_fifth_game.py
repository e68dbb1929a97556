"""A fifth game is one folder: here is one, made and played, nothing edited."""

from pathlib import Path

import pytest
from programs import installed, lay, python

from yegg.engine.compiler import cache_folder

PIG = {
    "pig/__init__.py": '''
        """Pig: roll and add, or hold before a one."""
        from yegg.engine import Game
        GAME = Game(__name__, "Pig", "Roll on, or hold.", players=range(2, 5), usual=2)
        ''',
    "pig/rules.py": '''
        """Pig, by John Scarne."""
        from yegg.engine import CHANCE, NOBODY, Record, option, row
        CHOICES = 8
        ROLL, HOLD = 6, 7
        class State(Record):
            players = 0
            goal = option(10, 20, 30, says="how many points win")
            turn = rolling = pot = over = 0
            points = row(4)
        def deal(s):
            pass
        def actor(s):
            if s.over:
                return NOBODY
            return CHANCE if s.rolling else s.turn
        def legal(s, out):
            if s.rolling:
                for face in range(6):
                    out[face] = face
                return 6
            out[0] = ROLL
            out[1] = HOLD
            return 2
        def play(s, choice):
            if choice == ROLL:
                s.rolling = 1
                return
            s.rolling = 0
            if choice != HOLD and choice > 0:
                s.pot += choice + 1
                return
            if choice == HOLD:
                s.points[s.turn] += s.pot
                s.over = s.points[s.turn] >= s.goal
            s.pot = 0
            s.turn = (s.turn + 1) % s.players
        def hide(s, seat):
            pass
        def score(s, seat):
            return s.points[seat]
        def standing(s, seat):
            return s.points[seat]
        ''',
    "pig/words.py": '''
        """How Pig is written."""
        def say(s, choice):
            return f"roll {choice + 1}" if choice < 6 else ("roll", "hold")[choice - 6]
        ''',
    "pig/RULES.md": "# Pig\n\n- **PI-1** Roll or hold.\n",
    "pig/records/one.game": """\
        game: pig
        players: Ann, Bob
        places: 1, 2
        score: 12, 0

        1 roll
        * roll 6
        1 roll
        * roll 6
        1 hold
        """,
    "pig/lessons/1-first.lesson": """\
        # lesson: Roll or hold
        game: pig
        players: Ann, Bob

        # says: Roll the die.
        # look: roll
        # clause: PI-1
        # else: Roll first.
        1 roll
        * roll 6
        # says: Six points are in the pot. Hold.
        # else: Hold this time.
        1 hold
        """,
    **installed("pig", "[yegg.games]\npig = pig\n"),
}


VISIT = """
import pytest
import sys, tempfile
from litestar.testing import TestClient
from yegg.table.app import application
from yegg.table.settings import Settings
with tempfile.TemporaryDirectory() as folder:
    made = application(Settings(db=f"sqlite:///{folder}/t.db", warm=False, hosts=("*",)))
    with TestClient(made, base_url="http://localhost") as client:
        for path in sys.argv[1:]:
            print(client.get(path).text)
"""


@pytest.mark.wide
def test_a_fifth_game_keeps_every_promise_and_is_played_at_once(tmp_path):
    lay(tmp_path, PIG)
    env = {"HOME": str(tmp_path), "YEGG_CACHE": str(cache_folder())}

    def run(*words):
        done = python(*words, paths=[tmp_path], env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def yegg(*words):
        return run("-m", "yegg.cli", *words)

    contract = Path(__file__).with_name("test_contract.py")
    keep = ["-k", "pig and not games_has", "-p", "no:cacheprovider", "--import-mode=importlib"]
    out = run("-m", "pytest", "-q", str(contract), *keep, "-o", f"pythonpath={contract.parent}")
    assert "passed" in out
    assert "failed" not in out
    assert "Pig" not in yegg("rules", "second-story", "SS-1")
    assert "Roll on, or hold." in yegg()
    told = yegg("sim", "pig", "-n", "200", "--bots", "greedy,uniform")
    assert "200 games" in told
    assert "Roll or hold" in yegg("learn", "pig")
    assert "still" in yegg("replay", str(tmp_path / "pig/lessons/1-first.lesson"))
    lobby = run("-c", VISIT, "/")
    assert 'href="/learn/pig"' in lobby
    assert "Learn, 1 minute<" in lobby
    step = run("-c", VISIT, "/learn/pig/1-first?at=0")
    assert "Roll the die." in step
    assert 'value="roll" data-ring' in step
    assert "still" not in yegg("replay", str(tmp_path / "pig/records/one.game"))


RESEARCH = """
from yegg import envs
batch = envs.batch("pig", games=3, seed=2, record=True, autoreset="disabled", goal=10)
assert batch.setting.columns[:2] == ("seat=1", "seat=2"), batch.setting.columns
assert "points[2]" in batch.setting.columns
low, high = batch.setting.bounds()
while not batch.terminated.all():
    batch.step()
    assert (low <= batch.observations).all() and (batch.observations <= high).all()
assert batch.rewards.sum() == 0
print(batch.record(0))
"""


@pytest.mark.wide
def test_those_who_learn_get_a_fifth_game_with_no_further_line(tmp_path):
    lay(tmp_path, PIG)
    env = {"HOME": str(tmp_path), "YEGG_CACHE": str(cache_folder())}
    done = python("-c", RESEARCH, paths=[tmp_path], env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "options: goal=10" in done.stdout or "score: " in done.stdout
