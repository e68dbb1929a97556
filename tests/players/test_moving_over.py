"""A bot makes the same choices plain and compiled, and when it moves over in between."""

import subprocess
import sys

import numpy as np
import pytest

from yegg import games, players
from yegg.engine import Game, Match, kept_files
from yegg.players import Bot, search
from yegg.players.thinking.iterations import think
from yegg.players.thinking.knowledge import engine
from yegg.players.thinking.tree import plant

DECISIONS = 12
FEW = ["second-story", "secrets"]  # an open game, and one of secret orders


def choices_of(game, name, hows):
    """What a bot at every seat chooses in a game; ``hows``: its code, decision by decision."""
    match = Match(game, game.usual, seed=11, how="plain").to_decision()
    bots = [Bot(name, seed) for seed in range(match.players)]
    for how in hows:
        if match.over:
            break
        bots[match.actor].how = how
        match.play(bots[match.actor].choose(match.view()))
        match.to_decision()
    return match.history


@pytest.mark.wide(but=[f"{game}-{name}" for game in FEW for name in ("medium", "uniform")])
@pytest.mark.parametrize("name", ["medium", "uniform", "easy", "greedy"])
def test_the_same_seed_gives_the_same_game_plain_and_compiled(game, name):
    compiled = choices_of(game, name, ["compiled"] * DECISIONS)
    assert choices_of(game, name, ["plain"] * DECISIONS) == compiled
    assert choices_of(game, name, ["plain"] * 5 + ["compiled"] * (DECISIONS - 5)) == compiled


@pytest.mark.wide
def test_a_search_counted_in_iterations_chooses_the_same_plain_and_compiled(game, monkeypatch):
    compiled = choices_of(game, "search:10", ["compiled"] * 2)
    made = Game.engine
    monkeypatch.setattr(search, "plant", readable)
    monkeypatch.setattr(Game, "engine", lambda self, *parts, **_: made(self, *parts, how="plain"))
    with np.errstate(over="ignore"):  # the plain generator's sums overflow on purpose
        assert choices_of(game, "search:10", ["compiled"] * 2) == compiled


def readable(*sizes):
    """A tree whose records plain code can read, as compiled code can any."""
    tree = plant(*sizes)
    both = tree.nodes, tree.edges
    nodes, edges = (records.view(np.dtype((np.record, records.dtype))) for records in both)
    return tree._replace(nodes=nodes, edges=edges)


@pytest.mark.wide(but=FEW)
def test_a_bot_that_thinks_is_itself_as_soon_as_it_is_compiled(game):
    match = Match(game, game.usual, seed=5, how="plain").to_decision()
    bot = Bot("search:30", seed=1, how="plain")
    bot.choose(match.view())
    bot.how = "compiled"
    assert bot.choose(match.view()) == Bot("search:30", seed=1).choose(match.view())


def test_a_bot_that_thinks_is_compiled_where_it_has_decided(game, monkeypatch, tmp_path):
    """A kernel that it shares with the coach does not make it so."""
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path))
    shared = engine(game).compiler.folder(think)
    for end in (".nbi", ".1.nbc"):
        kept_files.keep(shared / f"iterations.think__0-1.py311{end}", b"made by another")
    assert not engine(game).cold(think)
    monkeypatch.setattr(Bot, "choose", lambda *_: 0)
    for name in ("hard", "search"):
        assert players.cold(game, name)
        Bot(name).warm(game)
        assert not players.cold(game, name)


@pytest.mark.wide
@pytest.mark.parametrize(
    "game",
    [pytest.param(g, marks=() if g in FEW else pytest.mark.wide) for g in games.names()],
    indirect=True,
)
def test_where_nothing_is_cold_nothing_is_compiled(game):
    Bot("hard").warm(game)
    code = """
from numba.core import event
from yegg import games, players
from yegg.coach.preparation import load
with event.install_recorder("numba:compile") as found:
    load(games.find("GAME"), "hard")
print(players.cold(games.find("GAME"), "hard"), len(found.buffer))
""".replace("GAME", game.name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "0"]
