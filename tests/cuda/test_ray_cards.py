"""`yegg sim --on cluster --device cuda`: each worker plays on the card that Ray gives it."""

import os
import subprocess
import sys

import pytest

WORKERS = """
import os, sys
from pathlib import Path
import ray
from yegg.cli import cli
from yegg.lab.executors import ray_simulation

class Telling(ray_simulation.Worker):
    saw = Path(sys.argv[1]).resolve()

    def play(self, piece):
        (self.saw / f"{type(self.by).__name__} {os.environ['CUDA_VISIBLE_DEVICES']}").touch()
        return super().play(piece)

ray_simulation.Worker = Telling
ray.init(address="local", num_cpus=1, num_gpus=2, include_dashboard=False, log_to_driver=False)
cli("sim second-story -n 32 -p 2 --json --on cluster --device cuda".split(), standalone_mode=False)
"""


@pytest.mark.wide
def test_each_worker_takes_the_card_that_it_is_given(tmp_path, run, untimed):
    pytest.importorskip("ray", reason="clusters need yegg[cluster]")
    (tmp_path / "saw").mkdir()
    (tmp_path / "workers.py").write_text(WORKERS)
    done = subprocess.run(
        [sys.executable, tmp_path / "workers.py", tmp_path / "saw"],
        env=os.environ | {"RAY_USAGE_STATS_ENABLED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "saw").iterdir()) == ["Card 0", "Card 1"]
    assert untimed(done.stdout) == untimed(run("sim second-story -n 32 -p 2 --json")[1])
