"""Environments of a case, and other people's tests of them with warnings as errors."""

import contextlib
import io
import warnings

import numpy as np
import pytest

from yegg import games
from yegg.contract.cases import ALL, FEW
from yegg.engine import CHANCE, notation

# PettingZoo's test knows by name which of its own environments show dicts, and warns of others.
DICTS = ("Observation space for each agent probably should", "Observation is not a NumPy array")
# The environment of Thief's Market takes longest to compile, so that it belongs to the long tests.
SOON = [case for case in FEW if case.name != "thiefs-market"]
EVERY = [pytest.param(c, marks=() if c in SOON else pytest.mark.wide, id=str(c)) for c in ALL]


def keywords(case):
    """Players and options as an environment takes them."""
    return {"players": case.players} | {k.replace("-", "_"): v for k, v in case.options}


def check_strictly(test, *given, **more):
    """Run somebody's test; any warning but of dicts is an error, and nothing is printed."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for text in DICTS:
            warnings.filterwarnings("ignore", text)
        return test(*given, **more)


def drawn(mask, dice):
    """A legal action, all equally likely; 0 where there is none."""
    legal = np.flatnonzero(mask)
    return int(dice.choice(legal)) if legal.size else 0


def replayed(record):
    """The match of a record, read and checked."""
    return notation.read(io.BytesIO(record.encode()), "a record", games.find)


def uneven(matches):
    """How far chance is from taking its ways equally often: χ², in standard deviations."""
    counts = {}
    for match in matches:
        again = match.again()
        for choice in match.history:
            if again.actor == CHANCE:
                ways = again.choices
                row = counts.setdefault(len(ways), np.zeros(len(ways)))
                row[ways.index(choice)] += 1
            again.follow([choice])
    often = [row for row in counts.values() if row.size > 1 and row.mean() >= 5]
    total = sum(((row - row.mean()) ** 2 / row.mean()).sum() for row in often)
    degrees = sum(row.size - 1 for row in often)
    assert degrees > 5
    return (total - degrees) / np.sqrt(2 * degrees)
