"""Chance at a table is fair, and never the same twice."""

from collections import Counter

from yegg.table.domain.dice import BLOCK, Dice


def test_dice_are_fair():
    dice = Dice()
    counts = Counter(dice.choice(range(10)) for _ in range(20_000))
    assert set(counts) == set(range(10))
    expected = 2000
    chi = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi < 45, "nine degrees of freedom: one in a million is above"


def test_no_byte_is_used_twice():
    dice = Dice()
    drawn = [dice.getrandbits(64) for _ in range(BLOCK)]
    assert len(set(drawn)) == len(drawn)
    assert max(drawn).bit_length() == 64
    assert dice.getrandbits(9 * BLOCK).bit_length() > 8 * BLOCK
