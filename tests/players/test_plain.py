"""A bot that is not compiled yet answers by its plain twin."""

import sys

import pytest

from yegg import players
from yegg.coach.advice import first_sight
from yegg.engine import Match
from yegg.engine.compiler import Compiler
from yegg.players import Bot


@pytest.fixture(autouse=True)
def uncompiled(monkeypatch):
    """Whoever asks for compiled code fails."""

    def compiled(self, plain, **_):
        assert self.how == "plain", "this needs the compiler"
        return plain

    monkeypatch.setattr(Compiler, "compiled", compiled)


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "search:2000", "uniform"])
def test_it_needs_no_compiler(game, name):
    match = Match(game, game.usual, seed=5, how="plain").to_decision()
    assert Bot(name, seed=1, how="plain").choose(match.view()) in match.choices


def test_who_thinks_is_replaced_and_people_are_told():
    assert [players.stand_in(name) for name in ("easy", "hard", "search:9")] == [
        "easy",
        "medium",
        "medium",
    ]
    said = "Nessa plays like medium until it is ready."
    assert players.until_ready({"Nessa": "search:9", "Otto": "easy"}) == said
    assert not players.until_ready({"Otto": "easy"})


def test_it_decides_as_the_one_it_is_replaced_by():
    match = Match("second-story", 3, seed=2, how="plain").to_decision()
    for _ in range(5):
        view = match.view()
        chosen = {Bot(name, seed=3, how="plain").choose(view) for name in ("hard", "medium")}
        assert len(chosen) == 1
        match.play(chosen.pop())
        match.to_decision()


def test_it_is_given_nothing_but_the_view(game, monkeypatch):
    match = Match(game, game.usual, seed=5, how="plain").to_decision()
    bot, given = Bot("hard", seed=1, how="plain"), []
    first = bot.choose(match.view())
    decide = bot._decide

    def watched(views, *rest):
        given.append(views[0].tobytes())
        return decide(views, *rest)

    monkeypatch.setattr(bot, "_decide", watched)
    assert bot.choose(match.view()) in match.choices
    assert first in match.choices
    assert given == [match.known_to(match.actor).tobytes()]


def test_the_coach_judges_at_first_sight(game):
    match = Match(game, game.usual, seed=5, how="plain").to_decision()
    said = first_sight(match)
    assert [word.choice for word in said.words] != []
    assert {word.choice for word in said.words} == set(match.choices)
    assert sum(said.sides) == pytest.approx(1, abs=0.01)
    assert said.words[0].win.value == max(word.win.value for word in said.words)
    assert all(word.win.low < word.win.value < word.win.high for word in said.words)


def test_plain_players_do_without_numba():
    """It takes half a second to import; here it may have been imported by another test."""
    import subprocess

    code = (
        "import sys; from yegg.engine import Match; from yegg.players import Bot;"
        "m = Match('second-story', 2, seed=1, how='plain').to_decision();"
        "Bot('hard', how='plain').choose(m.view()); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
