"""The measure of first moves: without what bots wait for those who look on."""

import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .serving import Served

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def first_move():
    spec = importlib.util.spec_from_file_location("first_move", BENCH / "first_move.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def slow(tmp_path):
    """A server whose bots take hours for those who want to see all."""
    server = Served(tmp_path, pace=3600).start()
    yield server
    server.close()


@pytest.mark.wide
def test_nobody_is_waited_for_though_a_night_has_failed_before_the_bot_could_choose(
    first_move, slow
):
    """A Crown at the first house is rolled at once; in a sixth of all games that ends the turn."""
    seats = ["easy", "me", "easy"]
    for _ in range(200):
        body = json.dumps({"game": "second-story", "seats": seats}).encode()
        opened = json.load(first_move.ask(f"{slow.base}/api/games", body))
        table, token = f"{slow.base}/api/games/{opened['id']}", opened["token"]
        headers = {"Authorization": f"Bearer {token}"}
        view = json.load(first_move.ask(table, headers=headers))
        if view["turn"] == [2] and not first_move.answered(view):
            break
    else:
        raise AssertionError("no first night fails")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(first_move.wait_for_answer, table, token)
        try:
            assert first_move.answered(answer.result(timeout=25))
        finally:
            slow.process.kill()
