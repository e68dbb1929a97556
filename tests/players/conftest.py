import time
from types import SimpleNamespace

import pytest

from yegg.players.thinking import plan, planner


@pytest.fixture
def own_time(monkeypatch):
    """The seconds that this thread has computed, by which thinking is limited here.

    Other programs on the machine take nothing of them.
    """
    clock = SimpleNamespace(perf_counter=time.thread_time, monotonic=time.thread_time)
    monkeypatch.setattr(plan, "time", clock)
    monkeypatch.setattr(planner, "time", clock)
    return time.thread_time
