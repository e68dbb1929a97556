"""Two processes and PostgreSQL fail in turn while scripts play: `bench/faults.py`, shorter."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FAULTS = Path(__file__).parents[2] / "bench" / "faults.py"


@pytest.mark.wide
def test_nothing_acknowledged_is_lost_and_nothing_forks(postgres):
    how = ["--kills", "5", "--restarts", "3", "--stops", "1", "--drops", "2", "--tables", "4"]
    line = [sys.executable, str(FAULTS), *how]
    done = subprocess.run(
        line, capture_output=True, text=True, check=False, env=dict(os.environ), timeout=600
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "faults: none" in done.stdout
