"""Bots in the terminal while they are compiled: nobody waits, and all is told."""

import re
import threading

import pexpect
import pytest

from yegg import games, players
from yegg.cli.play.seats import Company, sitters
from yegg.coach import preparation
from yegg.engine import Match

SS = games.find("second-story")
PROMPT = r"Guest > "
STANDS_IN = "Hard plays like medium until it is ready."


@pytest.fixture
def go(monkeypatch):
    """Nothing is ready before this event is set; then it is at once, for it was compiled before."""
    event = threading.Event()
    for bot in ("medium", "hard", "search:20"):
        preparation.load(SS, bot)

    class CompileProcess(preparation.CompileProcess):
        def compile(self, *_):
            assert any(self.closed or event.wait(0.02) for _ in range(6000))

    monkeypatch.setattr(preparation, "CompileProcess", CompileProcess)
    monkeypatch.setattr(preparation, "cold", lambda *_: True)
    monkeypatch.setattr(players, "cold", lambda *_: True)
    yield event
    event.set()


def turn():
    """A decision, and the company's choice for it."""
    return Match(SS, 2, seed=1, how="plain").to_decision()


def test_a_bot_answers_by_its_plain_twin_until_it_is_compiled(go):
    match = turn()
    with Company(SS, sitters(["medium", "hard"]), None) as company:
        while match.actor != 1:
            assert company.choose(match) in match.choices
            match.play(match.choices[0])
            match.to_decision()
        assert company.choose(match) in match.choices
        assert [bot.how for bot in company.bots.values()] == ["plain", "plain"]
        assert (company.news(0), company.news(1), company.news(1)) == ("", STANDS_IN, "")
        assert not company.coach_ready()
        go.set()
        for coming in company.compiled.values():
            coming.result(30)
        assert company.choose(match) in match.choices
        assert company.bots[1].how == "compiled"
        assert company.coach_ready()


def test_with_a_seed_a_bot_that_thinks_is_waited_for_and_others_are_not(go):
    match, chosen = turn(), []
    with Company(SS, sitters(["medium", "medium"]), 3) as company:
        chosen.append(company.choose(match))
        assert company.bots[match.actor].how == "plain"
    with Company(SS, sitters(["search:20", "search:20"]), 3) as company:
        assert not company.news(match.actor)
        waiting = threading.Thread(target=lambda: chosen.append(company.choose(match)))
        waiting.start()
        waiting.join(0.3)
        assert waiting.is_alive()
        go.set()
        waiting.join(30)
    assert chosen[1] == players.Bot("search:20", 3 + 1 + match.actor).choose(match.view())
    assert chosen[0] == players.Bot("medium", 3 + 1 + match.actor).choose(match.view())


@pytest.mark.wide
def test_on_a_machine_that_has_never_run_yegg_it_is_played_at_once(terminal, tmp_path):
    cache = tmp_path / "cache"
    talk = terminal("play", "magnate", "--seats", "hard,you", YEGG_CACHE=str(cache))
    talk(None, re.escape(STANDS_IN), PROMPT)
    assert re.search(r"^  Hard", talk.child.before, re.MULTILINE), "it has played meanwhile"
    talk("!", "so far it has only had a glance", PROMPT)
    assert not list(cache.glob("*.ready")), "nothing is compiled yet"
    talk("q", "The game is kept", pexpect.EOF)
