"""Findings in sentences: their parts are data, and are never found in words again."""

import pytest

from yegg.lab.analyses.fork_effects import Effect, Forks
from yegg.lab.experiment import findings
from yegg.lab.experiment.findings import Difference, Findings, Measured
from yegg.lab.experiment.schema import parsed
from yegg.lab.report import narrative
from yegg.lab.tuning.result import shared
from yegg.lab.tuning.schema import tuned
from yegg.stats.intervals import Apart, Figure

VARY = {"rules": [{"name": "six, or fewer", "chips": "6"}, {"name": "ten"}]}


def found_of(claim, answer, value, share=0.6):
    """Findings about one claim."""
    experiment = parsed(
        {
            "game": "second-story",
            "vary": VARY,
            "measure": {"tied": "winners > 1"},
            "claim": [{"tied": claim, "margin": 0.03}],
        }
    )
    measured = tuple(
        Measured(variant.name, "medium", "tied", Figure(share, share, share, True), 9, 9, 0, 9)
        for variant in experiment.variants
    )
    (one,) = experiment.claims
    apart = Difference(
        "tied", "medium", one.left, one.right, Apart(*3 * (value,), True), 0.01, None
    )
    return Findings(
        experiment, measured, (), (findings.Tested(one, "medium", apart, 0.01, answer),)
    )


@pytest.mark.parametrize(
    ("claim", "answer", "value", "head", "whole"),
    [
        (
            "six, or fewer > ten",
            "clear",
            0.1,
            "clearly higher with six, or fewer than with ten.",
            "",
        ),
        (
            "six, or fewer < ten",
            "clear",
            0.1,
            "clearly higher with six, or fewer than with ten, contrary to the claim.",
            "",
        ),
        (
            "six, or fewer > 0.5",
            "clear",
            0.1,
            "clearly higher with six, or fewer than 50 %.",
            "As claimed, tied came to 60 % (six, or fewer), clearly more than 50 %.",
        ),
        (
            "six, or fewer < 0.5",
            "clear",
            0.1,
            "clearly higher with six, or fewer than 50 %, contrary to the claim.",
            "Contrary to the claim, tied came to 60 % (six, or fewer), clearly more than 50 %.",
        ),
        (
            "six, or fewer != 0.6",
            "equal",
            0.0,
            "six, or fewer and 60 % are equal within 3 points.",
            "Tied came to 60 % (six, or fewer), which is 60 % within 3 points.",
        ),
        ("six, or fewer > ten", "no claim", 0.1, "nothing is claimed.", ""),
    ],
)
def test_a_claim_is_told(claim, answer, value, head, whole):
    found = found_of(claim, answer, value)
    assert narrative.headline(found, found.tested) == f"Tied: {head}"
    if whole:
        assert narrative.answer(found) == whole


def test_a_head_and_its_figures_are_apart_whatever_is_in_them():
    figure = Apart(0.1, 0.05, 0.15, True)
    made = Effect("by: time", "late: at night", "ten", "medium", 99, 0, figure, 0.5, 0.5, "", 0.05)
    one, many = Forks().sentences([Effect(**{**vars(made), "answer": "clear"})])
    assert one.says == "late: at night helps whoever chooses it between medium players"
    assert one.figures == "+10.0 points [+5.0, +15.0] of the win"
    assert (many.says, str(many)) == (
        "by: time",
        "by: time: 1 of 1 question clear, corrected as a search.",
    )


def test_what_settings_share_is_their_options_not_their_names():
    tuning = tuned(
        {
            "game": "second-story",
            "bots": ["uniform"],
            "tune": {"chips": ["6", "8"], "players": ["3", "4"]},
            "target": {"nights": {"is": 20}},
        }
    )
    variants = [tuning.variant({"chips": "6", "players": players}) for players in ("3", "4")]
    assert tuning.point(variants[1]) == {"chips": "6", "players": "4"}

    class Of:
        def __init__(self, **given):
            vars(self).update(given)

    some = [Of(variant=variant, name="called, otherwise") for variant in variants]
    said = shared(Of(tuning=tuning), some)
    assert said == "in all of them chips is 6 (of 2 values); players may have any value."
