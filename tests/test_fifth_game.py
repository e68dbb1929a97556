"""A fifth game is one folder: here is one, made and played, nothing edited."""

import pytest
from programs import installed, lay, python

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


CONTRACT = "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "yegg.contract"


@pytest.mark.wide
def test_a_fifth_game_keeps_every_promise_and_is_played_at_once(pig, tmp_path):
    def yegg(*words):
        return pig("-m", "yegg.cli", *words)

    out = pig(*CONTRACT, "-k", "pig")
    assert "passed" in out
    assert "failed" not in out
    assert "Pig" not in yegg("rules", "second-story", "SS-1")
    assert "Roll on, or hold before" in yegg()
    told = yegg("sim", "pig", "-n", "200", "--bots", "greedy,uniform")
    assert "200 games" in told
    assert "Roll or hold" in yegg("learn", "pig")
    assert "still" in yegg("replay", "pig/lessons/1-first.lesson")
    lobby = pig("-c", VISIT, "/")
    assert 'href="/learn/pig"' in lobby
    assert "Learn, 1 minute<" in lobby
    step = pig("-c", VISIT, "/learn/pig/1-first?at=0")
    assert "Roll the die." in step
    assert 'value="roll" data-ring' in step
    assert "still" not in yegg("replay", "pig/records/one.game")


RESEARCH = """
from yegg import envs
batch = envs.batch("pig", games=3, seed=2, record=True, autoreset="disabled", goal=50)
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
def test_those_who_learn_get_a_fifth_game_with_no_further_line(pig):
    said = pig("-c", RESEARCH)
    assert "options: goal=50" in said or "score: " in said


BROKEN = {
    **{
        f"{name}/words.py": "def say(s, choice): return str(choice)\n" for name in ("summed", "odd")
    },
    "summed/__init__.py": """
        from yegg.engine import Game
        GAME = Game(__name__, "Summed", "", players=range(2, 3), usual=2)
        """,
    "summed/rules.py": """
        from yegg.engine import Record, row
        class State(Record):
            players = 0
            sum = row(2)
        """,
    "odd/__init__.py": """
        from yegg.engine import Game
        GAME = Game(__name__, "Odd", "", players=range(2, 3), usual=2)
        """,
    "odd/rules.py": """
        from yegg.engine import Record
        class State(Record):
            players = 0
        """,
    "torn/__init__.py": "import no_such_module",
    "left/__init__.py": "raise SystemExit(3)",
    "bare/__init__.py": "",
    **installed(
        "many",
        """[yegg.games]
        summed = summed
        even = odd
        torn = torn
        left = left
        bare = bare
        no = no:GAME
        """,
    ),
}
WHY = {
    "summed": "summed.rules: no field of a state can be called 'sum'",
    "even": "its entry point is called 'even': of the package odd it is 'odd'",
    "torn": "ModuleNotFoundError in torn: No module named 'no_such_module'",
    "left": "SystemExit in left: 3",
    "bare": "AttributeError in bare: ",
    "no": "ModuleNotFoundError in no:GAME: ",
}


def test_a_game_that_cannot_be_played_says_why_and_others_go_on(tmp_path):
    lay(tmp_path, BROKEN)

    def yegg(*words):
        return python("-m", "yegg.cli", *words, paths=[tmp_path])

    listed = yegg()
    assert listed.returncode == 0, listed.stderr
    assert "magnate" in listed.stdout
    assert "even" not in listed.stdout.split()
    said = listed.stderr.splitlines()
    assert len(said) == len(WHY)
    for (name, why), line in zip(sorted(WHY.items()), sorted(said), strict=True):
        assert line.startswith(f"yegg: the game '{name}' cannot be played: {why}")
    refused = yegg("sim", "summed")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"yegg: the game 'summed' cannot be played: {WHY['summed']}")
    assert yegg("sim", "second-story", "-n", "2", "--json").returncode == 0


@pytest.mark.wide
def test_a_new_game_plays_and_keeps_its_own_tests(pig):
    assert "5 passed" in pig("-m", "pytest", "-q", "-p", "no:cacheprovider", "made")
    assert "won by" in pig("-m", "yegg.cli", "replay", "pig/records/one.game")
    assert "empties the pot" in pig("-m", "yegg.cli", "rules", "pig", "PI-3")
    out = pig(*CONTRACT, "-k", "pig and (perft or golden or not_legal or same_game) and not wide")
    assert "passed" in out


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("magnate", "there is a game 'magnate' already"),
        ("Lucky", "a game's name has at most 30 small letters, digits and dashes"),
        ("7th", "a game's name has"),
        ("a--b", "a game's name has"),
        ("../x", "a game's name has"),
        ("x" * 31, "a game's name has"),
        ("class", "class is a name of Python"),
        ("json", "json is a name of Python"),
        ("numpy", "numpy is a name of Python, or of a package"),
    ],
)
def test_a_name_that_no_new_game_can_have_is_refused(run, tmp_path, monkeypatch, name, why):
    monkeypatch.chdir(tmp_path)
    status, _, err = run("new-game", name)
    assert status == 2
    assert why in err
    assert not list(tmp_path.iterdir())


def test_a_new_game_overwrites_nothing(run, tmp_path):
    assert run("new-game lucky-7 --to", tmp_path / "here")[0] == 0
    assert "- **LU-1** " in (tmp_path / "here/src/lucky_7/RULES.md").read_text("utf-8")
    assert "exists; --to FOLDER takes another" in run("new-game lucky-7 --to", tmp_path / "here")[2]
