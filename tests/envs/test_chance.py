"""Dice and cards of a batch fall as they should, from every seed, in every place of the batch."""

from collections import defaultdict

import numpy as np
import pytest

from yegg import envs
from yegg.contract.cases import EACH
from yegg.engine import CHANCE
from yegg.engine.promised import has_chance


def drawn(match, found):
    """Count, by how many ways chance had, which of them came."""
    again = match.again()
    for choice in match.history:
        if again.actor == CHANCE:
            ways = again.choices
            found[len(ways)][ways.index(choice)] += 1
        again.follow([choice])


@pytest.mark.parametrize("name", EACH)
def test_what_chance_does_is_equally_likely(name):
    batch = envs.batch(name, games=24, seed=9, record=True, observe=None, autoreset="disabled")
    if not has_chance(batch.setting.game):
        return
    while not batch.terminated.all():
        batch.step()
    found = defaultdict(lambda: defaultdict(int))
    for game in range(24):
        drawn(batch.match(game), found)
    total = degrees = 0
    for ways, counts in found.items():
        often = np.array([counts[i] for i in range(ways)])
        if ways > 1 and often.sum() >= 5 * ways:
            expected = often.sum() / ways
            total += ((often - expected) ** 2 / expected).sum()
            degrees += ways - 1
    assert degrees > 5
    assert abs(total - degrees) < 4 * np.sqrt(2 * degrees)


def test_what_is_sampled_is_equally_likely():
    batch = envs.batch("second-story", games=2000, seed=2, observe=None)
    first = batch.masks.argmax(1)
    pairs = batch.masks.sum(1) == 2
    taken = (batch.sampled == first)[pairs].sum()
    assert abs(taken - pairs.sum() / 2) < 4 * np.sqrt(pairs.sum() / 4)
    assert batch.masks[np.arange(2000), batch.sampled].all()
