"""Colours that everybody can tell apart, with enough contrast, and the same ones everywhere."""

import re
from pathlib import Path

import pytest

import yegg
from yegg.parts import suits

from .colours import CSS, GEMS, SUITS, close, contrast, pairs, tokens

SRC = Path(yegg.__file__).parent
APART = 6.0  # in Oklab, times 100; about 2 is just seen
TIMES = ("night", "day")
# What the curves of chances are drawn with, the first seat first.
CURVE = ("lamp", "waves", "wyrms", "moons", "leaves", "knots")
# The suits as they were before anybody looked through other eyes.
BEFORE = {
    "night": {"waves": "#5db7e8", "knots": "#c792d8"},
    "day": {"suns": "#8a5200", "wyrms": "#a93a10", "waves": "#0b66a0", "knots": "#763a8f"},
}


def sets(t, time):
    """All sets of colours that must be told apart, by name."""
    return {
        "suits": {suit: t[f"{time}-{suit}"] for suit in SUITS},
        "curve": {line: t[line] for line in CURVE},
        "gems": {gem: t[f"gem-{gem}"] for gem in GEMS},
        "good and bad": {word: t[word] for word in ("good", "bad", "ink")},
    }


@pytest.mark.parametrize("time", TIMES)
def test_everybody_can_tell_them_apart(time):
    for name, colours in sets(tokens()[time], time).items():
        assert not close(colours, APART), name


@pytest.mark.parametrize("time", TIMES)
def test_the_check_fails_when_one_colour_moves_back(time):
    now = sets(tokens()[time], time)["suits"]
    moved = {suit: old for suit, old in BEFORE[time].items() if close(now | {suit: old}, APART)}
    assert moved, "no old colour is too near to a new one"
    assert close(now | BEFORE[time], APART)


@pytest.mark.parametrize("time", TIMES)
def test_contrast(time):
    t = tokens()[time]
    short = [
        f"{what}: {contrast(a, b):.2f}, not {least}"
        for what, a, b, least in pairs(t)
        if contrast(a, b) < least
    ]
    assert not short
    assert len(list(pairs(t))) > 100


def test_the_suits_stand_in_one_place_and_the_terminal_shows_the_same():
    night = tokens()["night"]
    assert [colour.lower() for colour in suits.COLOURS] == [night[f"night-{s}"] for s in SUITS]
    for sheet in SRC.glob("**/*.css"):
        said = re.findall(rf"--({'|'.join(SUITS)}):\s*([^;}}]+)", sheet.read_text("utf-8"))
        for suit, value in said:
            assert re.fullmatch(rf"var\(--(night|day)-{suit}\)", value.strip()), (sheet, suit)
    assert set(re.findall(r"--(?:night|day)-(\w+): #", CSS)) == set(SUITS)
