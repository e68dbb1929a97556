"""Learning a policy net for a game, by play against itself or a bot: ``yegg train``.

`learn` does all of it.  `trainer.Training` plays (`self_play`), works out how good each decision
was (`advantages`) and changes the net (`ppo`, `adam`), until its course is over.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: the learner has threads itself

if TYPE_CHECKING:
    from .trainer import TrainingPlan

__all__ = ["TrainingPlan", "learn"]


def __getattr__(name: str) -> object:
    if name != "TrainingPlan":
        from yegg.engine.renamed import by_old_names

        return by_old_names(__name__, {"Course": "TrainingPlan"})(name)
    from .trainer import TrainingPlan

    return TrainingPlan


def learn(
    game: str,
    course: "TrainingPlan",
    out: Path | str = "policy.npz",
    *,
    device: str = "cpu",
    told: Callable[[dict[str, Any]], None] = lambda _point: None,
) -> dict[str, Any]:
    """Learn to play a game, write the net to ``out``, and return what its file says of it.

    ``told`` gets each point of the curve: the decisions that were learned from, and how often the
    net won against ``uniform`` and ``greedy``, as shares with their 95 % intervals.  What was
    learned so far is kept in ``out`` with ``.part`` behind its name; after Ctrl-C
    ``yegg train GAME --resume --out OUT`` goes on.  Raises Refused.
    """
    from yegg import games

    from .course import complete
    from .device import device as found
    from .trainer import Training

    training = Training(games.find(game), course, found(device))
    training.begin()
    training.warm()
    done = complete(training, Path(out), told=told)
    return done[0] if done else {}  # nobody stops it in between
