"""Learns Second Story by play against itself, a lesson at a time: `yegg train` as a program.

Change it: another game, players or options, a `Course` of your own; or read `yegg.training`.
"""

import os
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: the learner has its own threads

from yegg import games
from yegg.training.device import device
from yegg.training.trainer import Course, Training

course = Course(decisions=3_000_000, players=3, published=1.0, units=64)
training = Training(games.find("second-story"), course, device("cpu"))
training.begin()
while training.share < 1:
    training.advance()
    if training.lesson % 10 == 0:
        print(training.meet(games=300))
training.finish(Path("policy.npz"))
