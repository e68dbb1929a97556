"""A game and bots as they were made for version 1.0 run unchanged until 2.0, and hear of new names.

``made_for_1_0`` was written by that version's pages, and played there.  Nothing in it is edited.
"""

import json
import re
import shutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from programs import installed, lay, python

from yegg import folders
from yegg.engine import kernels, renamed, verbs
from yegg.lab import batch
from yegg.lab.analyses import analysis

MADE = Path(__file__).parent / "made_for_1_0"
ENTRY_POINTS = """\
[yegg.games]
dice-race = dice_race
[yegg.players]
ahead = old_bots.ahead
fickle = old_bots:Fickle
"""
IMPLEMENTED = {
    "dice_race.rules": {"ways", "way"},
    "dice_race.lore": {"worth", "worths", "spread", "mix"},
    "dice_race.tally": {"note", "close"},
    "yegg.engine.verbs": {"ways", "way", "worth", "mix"},
}
"""Which old names the packages implement, or ask yegg's own module for."""
WARNED = re.compile(r"DeprecationWarning: (\S+)\.(\w+) is called (\w+) today; the old name works")


@pytest.fixture
def made(tmp_path):
    """Runs Python where both packages are installed; the finished process."""
    shutil.copytree(MADE, tmp_path, dirs_exist_ok=True)
    lay(tmp_path, installed("made", ENTRY_POINTS))

    env = {"HOME": str(tmp_path), "YEGG_CACHE": str(folders.cache())}

    def run(*words):
        done = python(*words, paths=[tmp_path], cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.mark.wide
def test_the_game_keeps_what_every_game_promises(made):
    out = made("-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "yegg.contract", "-k",
               "dice-race").stdout  # fmt: skip
    assert "passed" in out
    assert "failed" not in out


def test_the_bots_play_it_and_every_old_name_says_its_new_one(made):
    line = "-W", "always::DeprecationWarning", "-m", "yegg.cli", "sim", "dice-race", "-n", "40"
    done = made(*line, "--bots", "ahead,fickle", "--json")
    warned = {(where, old, new) for where, old, new in WARNED.findall(done.stderr)}
    due = {(home, old) for home, names in IMPLEMENTED.items() for old in names}
    assert warned == {(home, old, renamed.VERBS[old]) for home, old in due}
    bots = json.loads(done.stdout)["bots"]
    ahead, fickle = (bots[name]["win_share"] for name in ("ahead", "fickle"))
    assert ahead > fickle + 0.2, "it finds the lore by the old names"


def test_the_bots_meet_in_an_arena(made):
    line = "-m", "yegg.cli", "arena", "dice-race", "-p", "2", "-n", "40", "--bots", "ahead,fickle"
    assert "ahead" in made(*line).stdout


def test_both_twins_call_what_has_an_old_name(monkeypatch):
    monkeypatch.syspath_prepend(MADE)
    game = import_module("dice_race").GAME
    with pytest.warns(DeprecationWarning, match="is called") as warned:
        made = [game.engine("lore", "tally", how=how) for how in ("plain", "compiled")]
    implemented = sum(len(IMPLEMENTED[f"dice_race.{part}"]) for part in ("rules", "lore", "tally"))
    assert len(warned) == implemented, "each once, whoever asks"
    states = game.blank(3, {})
    states["points"][0], states["pot"], out = (7, 2, 5, 0), 4, np.zeros(8, np.int32)
    for engine in made:
        judged = [engine.kernel(kernels.evaluate_view)(states, seat) for seat in range(3)]
        assert judged == [9, 2, 5], "half the pot is theirs whose turn it is"
        assert engine.compiler.home(verbs.nth_legal) == "dice_race.rules"
    assert (game.rules.n_legal(states[0], out), game.rules.nth_legal(states[0], out, 1)) == (2, 7)


def test_what_was_imported_by_an_old_name_is_the_same_thing():
    for old, new in renamed.VERBS.items():
        with pytest.warns(DeprecationWarning, match=rf"verbs\.{old} is called {new} today"):
            assert getattr(verbs, old) is getattr(verbs, new)
    with pytest.warns(DeprecationWarning, match="Setting is called Matchup today"):
        assert batch.Setting is batch.Matchup
    with pytest.warns(DeprecationWarning, match="as_data is called to_dict today"):
        assert analysis.as_data is analysis.to_dict
    with pytest.raises(AttributeError, match=r"'yegg\.engine\.verbs' has no attribute 'judge'"):
        _ = verbs.judge


def test_an_analysis_made_for_1_0_says_its_findings():
    with pytest.warns(DeprecationWarning, match="Longest.as_data is called to_dict today"):

        class Longest(analysis.Analysis):
            def as_data(self, estimates):
                return [{"events": one} for one in estimates]

    assert Longest().to_dict([3]) == [{"events": 3}]
