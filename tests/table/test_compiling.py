"""Tables open at once although rules are being compiled, and who waits for a bot is told so."""

import asyncio
import signal
import threading
from functools import partial

import pytest
from structlog.testing import capture_logs
from waiting import until

from yegg import games
from yegg.coach import preparation
from yegg.engine import Match
from yegg.engine.compiler import Compiler
from yegg.engine.engine import Engine
from yegg.table.service import compiling

from .serving import awaited


def prepared(queue, game):
    """How a new table of the game plays, once that was seen to."""
    queue.prepare(game)
    return queue.how(game)


@pytest.fixture
def slow(fresh, monkeypatch):
    """Compiling waits for an event; yields it, and what was asked for, in order."""
    go, order = threading.Event(), []

    def compile_one(_, game, what):
        order.append((game.name, what))
        assert go.wait(30)

    monkeypatch.setattr(preparation.CompileProcess, "compile", compile_one)
    monkeypatch.setattr(compiling, "cold", lambda *_: True)
    monkeypatch.setattr(compiling, "warm", lambda *_: None)
    monkeypatch.setattr(Engine, "cold", lambda *_: True)
    yield go, order
    go.set()


@pytest.mark.wide
def test_health_says_what_is_yet_to_be_compiled(client, slow):
    go, _ = slow
    client.app.state.registry.thinkers.compiling.everything()
    answer = client.get("/health")
    assert answer.status_code == 503
    left = answer.json()["compiling"]
    assert {f"rules of {name}" for name in games.names()} <= set(left)
    assert {"search of secrets", "coach of magnate", "hard of second-story"} <= set(left)
    go.set()
    until(lambda: client.get("/health").status_code == 200)
    assert client.get("/health").json()["ready"]


def answered(me):
    """Whether the bot at the first seat has chosen, by its plain twin; else it is made its turn."""
    table = me.table
    if table["seats"][0]["ready"] or 1 in {event["seat"] for event in table["happened"]}:
        return True
    if table["turn"] == [2]:
        me.act()
    return False


@pytest.mark.wide
def test_nobody_waits_for_a_bot_and_the_table_says_who_plays(client, slow, somebody):
    go, order = slow
    server = client.app.state.registry
    server.thinkers.compiling.everything()
    me = somebody().open("second-story", ["hard", "me"])
    until(lambda: answered(me))
    until(lambda: me.table["choices"])
    assert server.thinkers.compiling.cold(games.find("second-story"), "hard")
    said = f"{me.table['seats'][0]['name']} plays like medium until it is ready."
    assert said in me.page()
    go.set()
    until(lambda: said not in me.page())
    assert order.index(("second-story", "hard")) <= 2, "before all that nobody waits for"
    until(lambda: not me.act() or server.thinkers.bots[me.key, 0].bot.how == "compiled")
    until(lambda: me.table["choices"] or me.table["over"])
    assert server.thinkers.bots[me.key, 0].bot.how == "compiled"


def test_of_a_bot_that_cannot_be_compiled_nobody_promises_that_it_will_be(client, slow, somebody):
    me = somebody().open("second-story", ["hard", "me"])
    queue = client.app.state.registry.thinkers.compiling
    until(lambda: "plays like medium until it is ready." in me.page())
    queue.failed.add(("second-story", "hard"))
    client.app.state.registry.tables[me.key].anew()
    assert "plays like medium, since it cannot be compiled here." in me.page()


@pytest.mark.wide(but=["second-story", "magnate"])
@pytest.mark.parametrize("name", games.names())
def test_in_every_game_a_plain_bot_answers_before_anything_is_compiled(
    client, slow, somebody, name
):
    count = games.find(name).usual
    me = somebody().open(name, ["hard", "me"] + ["easy"] * (count - 2))
    until(lambda: answered(me))
    until(lambda: me.table["choices"])
    advice = me.ask("advice")
    assert advice.status_code == 200, "at first sight"
    assert not {job for job in slow[1] if job[0] != name}


def test_a_table_whose_rules_are_not_compiled_plays_by_the_plain_ones(fresh, party, slow):
    one, two = party("second-story", 2)
    table = fresh.app.state.registry.tables[one.key]
    assert table.now.match.engine.compiler.how == "plain"
    for _ in range(4):
        assert one.act() or two.act()


def test_what_is_compiled_already_is_looked_for_once(monkeypatch):
    looked = []
    monkeypatch.setattr(Engine, "cold", lambda *_: bool(looked.append(1)))
    found = compiling.CompileQueue()
    assert [prepared(found, games.find("second-story")) for _ in range(3)] == ["compiled"] * 3
    assert len(looked) == 1, "it means reading every source"


def test_what_is_compiled_is_loaded_while_something_else_is_compiled(slow, monkeypatch):
    """Nobody waits for a thing that is there; only the event loop does not load it meanwhile."""
    go, order = slow
    found, game = compiling.CompileQueue(), games.find("second-story")
    (waiting,) = found.ask(("magnate", "hard"))
    until(lambda: order)
    monkeypatch.setattr(compiling, "cold", lambda *_: False)
    monkeypatch.setattr(Engine, "cold", lambda *_: False)
    assert prepared(found, game) == "plain"
    for done in found.ask((game.name, compiling.RULES), (game.name, compiling.COACH)):
        done.result(timeout=20)
    assert prepared(found, game) == "compiled"
    assert not found.cold(game, compiling.COACH)
    assert found.left == ["hard of magnate"]
    go.set()
    waiting.result(timeout=20)
    assert order == [("magnate", "hard")]
    found.close()


def test_what_somebody_waits_for_is_compiled_next(slow):
    go, order = slow
    found = compiling.CompileQueue()
    found.ask(*((name, "hard") for name in games.names()))
    until(lambda: order)
    (waiting,) = found.first(games.find("secrets"), "greedy")
    until(lambda: found.jobs["secrets", "greedy"].step == "compile")
    go.set()
    waiting.result(timeout=20)
    assert order[1] == ("secrets", "greedy")
    found.close()


def test_what_is_compiled_is_loaded_before_anything_is_compiled(monkeypatch):
    order = []
    monkeypatch.setattr(compiling, "warm", lambda *job: order.append(job))
    monkeypatch.setattr(compiling, "cold", lambda *_: False)
    monkeypatch.setattr(Engine, "cold", lambda self, *_: self is games.find("magnate").engine())
    found = compiling.CompileQueue()
    found.everything()
    others = [(name, "rules") for name in games.names() if name != "magnate"]
    assert order[: len(others)] == others
    for waiting in found.ask(("magnate", "rules")):
        waiting.result(timeout=20)
    found.close()


def test_a_job_goes_on_for_others_when_one_stops_waiting(slow):
    go, order = slow
    found, game = compiling.CompileQueue(), games.find("second-story")

    async def two():
        gone, stays = (asyncio.ensure_future(found.want(game, "greedy")) for _ in range(2))
        await asyncio.to_thread(until, lambda: order)
        gone.cancel()
        await asyncio.wait([gone])
        go.set()
        await asyncio.wait_for(stays, 20)

    awaited(two())
    assert not found.left
    assert all(thread.is_alive() for thread in found.threads)
    found.close()


@pytest.mark.wide
def test_a_bot_that_cannot_play_a_game_does_not_stop_compiling():
    for what in ("exact", "rules"):
        compiling.warm("magnate", what)
    found = compiling.CompileQueue()
    for done in found.ask(("magnate", "exact"), ("magnate", "rules")):
        done.result(timeout=30)
    found.close()
    assert found.done == {("magnate", "exact"), ("magnate", "rules")}


def test_rules_count_as_compiled_only_when_all_is_that_loading_them_takes(monkeypatch):
    """Else a server that starts meanwhile compiles the rest itself, and answers nobody."""
    taken, looked_at = set(), set()
    made = Engine.kernel
    monkeypatch.setattr(Engine, "kernel", lambda e, f: (taken.add(f), made(e, f))[1])
    monkeypatch.setattr(Compiler, "cold", lambda _, f: looked_at.add(f))
    monkeypatch.setattr(preparation, "Match", partial(Match, how="plain"))
    for name in games.names():
        preparation.load(games.find(name), preparation.RULES)
        games.find(name).engine().cold()
    assert taken
    assert taken <= looked_at


def test_what_cannot_be_loaded_is_told_once_and_its_plain_twin_plays_on(monkeypatch):
    game, tried = games.find("second-story"), []
    monkeypatch.setattr(Engine, "cold", lambda *_: False)
    monkeypatch.setattr(compiling, "cold", lambda *_: False)

    def warm(*job):
        tried.append(job)
        raise EOFError("Ran out of input")

    monkeypatch.setattr(compiling, "warm", warm)
    found = compiling.CompileQueue()
    with capture_logs() as said:
        assert [prepared(found, game) for _ in range(3)] == ["plain"] * 3
        for done in found.ask((game.name, "hard")):
            done.result(timeout=20)
        assert not found.first(game, "hard"), "nobody waits for it again"
    assert tried == [(game.name, compiling.RULES), (game.name, "hard")]
    assert found.cold(game, "hard"), "its plain twin plays"
    assert found.done == set()
    assert [(line["what"], line["log_level"]) for line in said] == [
        ("rules", "error"),
        ("hard", "error"),
    ]
    assert all(line["exc_info"] for line in said), "it says why"
    found.close()


def test_tables_go_on_by_plain_rules_where_nothing_can_be_loaded(fresh, party, monkeypatch):
    def warm(*_):
        raise RuntimeError("no machine code here")

    monkeypatch.setattr(compiling, "warm", warm)
    monkeypatch.setattr(compiling, "cold", lambda *_: False)
    monkeypatch.setattr(Engine, "cold", lambda *_: False)
    one, two = party("second-story", 2)
    assert fresh.app.state.registry.tables[one.key].now.match.engine.compiler.how == "plain"
    for _ in range(4):
        assert one.act() or two.act()


def test_where_the_compile_process_crashes_another_one_goes_on_and_the_log_says_why(
    monkeypatch, caplog
):
    caplog.set_level("INFO")
    monkeypatch.setattr(preparation, "cold", lambda *_: True)
    process, game = preparation.CompileProcess(), games.find("second-story")
    process.compile(game, preparation.RULES)
    assert not caplog.messages
    first = process._process
    first.send_signal(signal.SIGSEGV)
    first.wait()
    process.compile(game, preparation.RULES)  # what the first one is told now is never read
    assert process._process is not first
    assert process._process.poll() is None
    process.close()
    assert caplog.messages[0] == (
        f"compiling rules of second-story: the other process ended by signal {signal.SIGSEGV}"
    )
    assert "Fatal Python error: Segmentation fault" in caplog.text
    assert len([line for line in caplog.messages if "of second-story" in line]) == 1


def test_closing_ends_the_wait_for_the_compile_process(monkeypatch):
    monkeypatch.setattr(preparation, "cold", lambda *_: True)
    process, game = preparation.CompileProcess(), games.find("second-story")
    process.compile(game, preparation.RULES)
    process._process.send_signal(signal.SIGSTOP)
    waiting = threading.Thread(target=process.compile, args=(game, preparation.RULES))
    waiting.start()
    process.close()
    waiting.join(20)
    assert not waiting.is_alive(), "whoever leaves a game would wait for five minutes"


def test_a_compile_process_that_is_stopped_is_not_waited_for_for_ever(monkeypatch, caplog):
    monkeypatch.setattr(preparation, "cold", lambda *_: True)
    process, game = preparation.CompileProcess(), games.find("second-story")
    process.compile(game, preparation.RULES)
    first = process._process
    first.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(preparation, "LONG", 0.2)
    process.compile(game, preparation.RULES)
    assert "did not answer within" in caplog.messages[-1]
    assert first.poll() == -signal.SIGKILL
    process.close()
