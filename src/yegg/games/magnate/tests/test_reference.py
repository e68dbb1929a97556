"""Whole random games, every option alone and together, against the rules written a second time."""

import random

import numpy as np
import pytest

from yegg.engine import Match
from yegg.games.magnate import GAME
from yegg.games.magnate.state import DISTRICTS, N_DISTRICTS, Place
from yegg.parts.decktet import SLUGS, SUIT_NAMES

from .reference import Magnate

ALONE = [
    {},
    *(
        {name: value}
        for name, option in GAME.options.items()
        for value in option.values
        if value != option.text(option.default(2, {}))
    ),
]
EVENTS = 5000


def together(seed):
    """Any value of every option."""
    dice = random.Random(seed)
    return {name: dice.choice(option.values) for name, option in GAME.options.items()}


def lively(dice, texts):
    """A choice at random, every verb as likely as any other."""
    verb = dice.choice(sorted({text.split()[0] for text in texts}))
    return dice.choice(sorted(text for text in texts if text.startswith(verb)))


def begin(options, how="plain"):
    return Match(GAME, GAME.seats(options)[0], options, how=how)


def lying(s, place):
    """The cards at a place, in the order they were laid where there is one."""
    return [SLUGS[i] for i in sorted(np.flatnonzero(s.where == place), key=lambda i: s.nth[i])]


def same(s, other):
    """Tokens, hands, rows, deeds, pile and discards are the same in both."""
    for seat in (1, 2):
        assert s.tokens[seat - 1].tolist() == list(other.tokens[seat].values())
        held = lying(s, Place.HAND + seat - 1) + lying(s, Place.OPEN + seat - 1)
        assert sorted(held) == sorted(other.hands[seat])
        for d, home in enumerate(other.homes):
            assert lying(s, Place.ROW + DISTRICTS * (seat - 1) + d) == other.rows[seat, home]
            deed = other.deeds.get((seat, home))
            assert bool(s.deed[seat - 1, d]) == (deed is not None)
            assert s.paid[seat - 1, d].tolist() == [(deed or {}).get(x, 0) for x in SUIT_NAMES]
    waiting = {step[1] for step in other.script if step[0] == "place"}
    assert set(lying(s, Place.PILE)) == other.pile
    assert set(lying(s, Place.DISCARD)) == other.discards | waiting


OPTIONS = [
    *ALONE,
    *map(together, range(2)),
    *(pytest.param(together(n), marks=pytest.mark.wide) for n in range(2, 12)),
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_rules_agree_with_the_reference(options):
    match, other, dice = begin(options), Magnate(options), random.Random(str(options))
    while not match.over:
        texts = match.texts
        assert set(texts) == other.legal(), (match.history, options)
        assert match.actor + 1 == other.actor()
        if match.actor >= 0:
            same(match.state, other)
        text = lively(dice, texts)
        match.play(texts[text])
        other.play(text)
        assert len(match.history) < EVENTS
    assert other.over
    result = other.result()
    assert match.scores == [districts for districts, _, _ in result]
    assert match.places == [1 + (result[1 - i] > result[i]) for i in range(2)]
    assert N_DISTRICTS[match.state.districts] == len(other.homes)
