"""Searching among more settings than can be listed: Optuna proposes, halving chooses.

Half of the games go to proposals, which all meet the same deals; the best of them are halved over
other deals with the other half.
"""

import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from yegg.engine import Refused
from yegg.lab.cells import Variant
from yegg.lab.game_frame import of_the_extra

from .halving import Play, Round, Tried, halve, ranked
from .schema import Tuning

DEALS = 40  # of a proposal, if there is one seating
BATCH = 8  # proposals at once: the same on any number of threads
GOOD = 16  # proposals that are halved
LACKING = (
    "so many settings are proposed by Optuna: install yegg with its extra `lab` "
    '(pip install "yegg[lab]"), or list fewer'
)
IN_VAIN = 10_000  # proposals at most that the game does not allow


def propose(tuning: Tuning, play: Play[Variant], arrangements: int) -> Iterator[Round[Variant]]:
    """The rounds: all proposals as the first, then those of the halving.  Raises Refused."""
    deals = range(max(1, DEALS // arrangements))
    wanted = proposals(tuning, arrangements)
    study = _study(tuning.experiment.seed)
    tried: dict[Variant, Tried[Variant]] = {}
    vain = asked = 0
    while asked < wanted and vain < IN_VAIN:
        batch = []
        for _ in range(min(BATCH, wanted - asked)):
            trial = study.ask()
            point = {name: _suggested(trial, name, values) for name, values in tuning.axes.items()}
            batch.append((trial, tuning.variant(point)))
        new = [variant for _, variant in batch if variant and variant not in tried]
        for one in play(list(dict.fromkeys(new)), deals) if new else ():
            tried[one.setting] = one
        for trial, variant in batch:
            _tell(study, trial, tried[variant].loss if variant else None)
            asked, vain = asked + (variant is not None), vain + (variant is None)
    if not tried:
        raise Refused("the game allows none of the settings that were proposed")
    first = ranked(list(tried.values()), deals)
    yield first
    best = [one.setting for one in first.tried[:GOOD]]
    yield from halve(best, play, tuning.games // 2, arrangements, first=len(deals))


def proposals(tuning: Tuning, arrangements: int) -> int:
    """How many settings are proposed."""
    return max(1, tuning.games // 2 // (max(1, DEALS // arrangements) * arrangements))


def _study(seed: int) -> Any:
    """A study of Optuna that proposes the same for the same seed and the same answers."""
    with of_the_extra(LACKING):
        import optuna
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant_liar is called experimental
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32, constant_liar=True)
    return optuna.create_study(direction="minimize", sampler=sampler)


def _suggested(trial: Any, name: str, values: Sequence[str]) -> str:
    """A value that Optuna proposes; numbers at equal distances have their order."""
    numbers = [int(value) for value in values if value.isdecimal()]
    steps = {after - before for before, after in pairwise(numbers)}
    if len(numbers) == len(values) and len(steps) == 1 and (step := steps.pop()) > 0:
        return str(trial.suggest_int(name, numbers[0], numbers[-1], step=step))
    return str(trial.suggest_categorical(name, values))


def _tell(study: Any, trial: Any, loss: float | None) -> None:
    """Tell Optuna what came of a proposal; None: the game does not allow it."""
    from optuna.trial import TrialState

    if loss is None or loss == float("inf"):
        study.tell(trial, state=TrialState.FAIL)
    else:
        study.tell(trial, loss)
