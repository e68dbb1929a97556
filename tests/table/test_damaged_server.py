"""A server whose compiled code is damaged, before it starts and while it runs, plays on."""

import json
import time

import pytest
from waiting import until

from yegg.engine.kept_files import CODE, INDEX

from .people import Player
from .serving import Served

HALF, NONE = "half", "none"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server with a cache of its own; whatever it is asked, it answers without a fault."""
    monkeypatch.setenv("YEGG_CACHE", str(tmp_path / "cache"))
    made = Served(tmp_path)
    made.client.event_hooks = {"response": [no_fault]}
    yield made
    made.close()


def no_fault(answer):
    allowed = answer.url.path == "/health"  # 503 while something is compiled
    assert answer.status_code < 500 or allowed, f"{answer.status_code} of {answer.url}"


def played(server):
    """A game against a bot, then the coach's advice about another; and all is compiled."""
    me = Player(server.client).open("second-story", ["me", "medium"])
    until(lambda: not me.act() and me.table["over"])
    me = Player(server.client).open("second-story", ["me", "medium"])
    until(lambda: me.table["choices"])
    assert me.ask("advice").status_code == 200
    until(lambda: server.asked("/health") == 200, seconds=300)  # all is compiled


def damaged(folder, how):
    """Every file of compiled code, in one of these ways."""
    files = [file for end in (INDEX, CODE) for file in folder.rglob(f"*{end}")]
    assert files
    for file in files:
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2] if how == HALF else b"")


@pytest.mark.wide(minutes=2)
def test_a_server_over_a_damaged_cache_answers_and_compiles_anew(server, tmp_path):
    cache = tmp_path / "cache"
    server.start()
    played(server)
    server.stop()
    damaged(cache, HALF)
    server.start()
    begun = time.monotonic()
    Player(server.client).open("second-story", ["me", "medium"])
    assert time.monotonic() - begun < 3, "the table opens before all is compiled"
    played(server)
    damaged(cache, NONE)
    played(server)
    server.stop()
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line[:1] == "{"]
    assert any("is made anew" in line["event"] for line in lines)
    assert not [line for line in lines if line["level"] == "error"]
