"""How many ways the first events of a game can go: counts that must never change."""

import csv

import numpy as np
import pytest

from yegg import games
from yegg.engine import NOBODY, Match

FILES = {name: games.find(name).folder / "perft.csv" for name in games.names()}
ROWS = [
    pytest.param(name, row, id=f"{name}-{row['players']}-{row['options']}-{row['depth']}")
    for name, path in FILES.items()
    if path.exists()
    for row in csv.DictReader(path.read_text("utf-8").splitlines())
]


def leaves(rules, s, depth, size):
    """Positions after so many events, counted by every way to get there."""
    if depth == 0 or rules.actor(s[0]) == NOBODY:
        return 1
    out = np.zeros(size, np.int32)
    k = rules.legal(s[0], out)
    if depth == 1:
        return k
    total = 0
    for choice in out[:k].tolist():
        after = s.copy()
        rules.play(after[0], choice)
        total += leaves(rules, after, depth - 1, size)
    return total


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_perft(name, row):
    game = games.find(name)
    options = dict(pair.split("=") for pair in row["options"].split()) if row["options"] else {}
    match = Match(game, int(row["players"]), options, how="plain")
    found = leaves(game.rules, match.states, int(row["depth"]), game.choices)
    assert found == int(row["leaves"])
