"""What the report of a search says, as data: that of its last run, with the search's own words."""

from collections.abc import Mapping
from typing import Any

from yegg.lab.tuning.result import Closest, answer, as_data, method, sentences

from .content import made_by
from .narrative import capital


def sheet(closest: Closest, last: Mapping[str, Any]) -> dict[str, Any]:
    """A report; ``last`` is the sheet of the last run."""
    tuning = closest.tuning
    played = sum(len(one.tried) * len(one.deals) for one in closest.rounds)
    return {
        **last,
        "search": as_data(closest),
        "answer": answer(closest),
        "meta": [f"{tuning.many} settings", f"{played} deals of the search", *last["meta"]],
        "findings": [{"says": head, "figures": figures} for head, figures in sentences(closest)],
        "method": [capital(said) for said in method(closest)] + list(last["method"]),
        "repeat": {
            **last["repeat"],
            "command": "yegg lab tune experiment.toml --out again",
            "made_by": made_by(tuning.game, tuning.experiment.seed),
            "file": tuning.source,
        },
    }
