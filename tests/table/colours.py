"""Colours: their contrast, and how far apart two look, to colour-blind eyes too."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np

import yegg

STATIC = Path(yegg.__file__).parent / "table" / "render" / "static"
CSS = (STATIC / "tokens.css").read_text(encoding="utf-8")
SUITS = ("moons", "suns", "waves", "leaves", "wyrms", "knots")
GEMS = ("red", "white", "blue", "green", "bag", "mask")

# Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB.
EYES = {
    "everybody": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
# Oklab, Ottosson 2020.
CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def tokens():
    """All custom properties, by night and by day, with their references followed."""
    day_begins = CSS.index("prefers-color-scheme: light")
    blocks = (CSS, CSS[day_begins:])
    root, day = (re.search(r":root \{(.*?)\n *\}", text, re.DOTALL)[1] for text in blocks)
    night = set_in(root)
    return {"night": followed(night), "day": followed(night | set_in(day))}


def set_in(block):
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", block))


def followed(found):
    def value(text):
        return re.sub(r"var\(--([\w-]+)\)", lambda m: value(found[m[1]]), text)

    return {name: value(text) for name, text in found.items()}


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def linear(c):
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def luminance(c):
    return float(np.dot([0.2126, 0.7152, 0.0722], linear(c)))


def contrast(a, b):
    """The contrast of two colours by WCAG."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def over(veil, ground):
    """A translucent `rgb(r g b / a)` over an opaque colour."""
    *colour, share = map(float, re.match(r"rgb\((\d+) (\d+) (\d+) / ([\d.]+)\)", veil).groups())
    return share * np.array(colour) / 255 + (1 - share) * ground


def distance(a, b):
    """How far apart two colours look to the eyes that tell them apart worst; 2 is just seen."""
    return min(100 * float(np.linalg.norm(seen(eye, a) - seen(eye, b))) for eye in EYES.values())


def seen(eye, colour):
    return LAB @ np.cbrt(CONES @ np.clip(eye @ linear(rgb(colour)), 0, 1))


def close(colours, least):
    """Which of these colours, by name, are nearer to each other than ``least``."""
    pairs = combinations(colours.items(), 2)
    found = [(name, other, distance(a, b)) for (name, a), (other, b) in pairs]
    return [f"{name} and {other}: {far:.1f}" for name, other, far in found if far < least]


def pairs(t):
    """Every pair of colours that meets, gradients and veils at their worst end.

    What it is, the sign's or the word's colour, the ground, and the least contrast.
    """

    def c(name):
        return rgb(t[name])

    for ground in ("night", "slate", "slate-2", "slate-3"):
        for ink in ("ink", "ink-2", "lamp"):
            yield f"{ink} on {ground}", c(ink), c(ground), 4.5
        yield f"edge on {ground}", c("edge"), c(ground), 3
    for ground in ("night", "slate", "slate-2"):
        for ink in ("good", "bad"):
            yield f"{ink} on {ground}", c(ink), c(ground), 4.5
        for suit in SUITS:
            yield f"{suit} on {ground}", c(suit), c(ground), 3
    for ink in ("ink", "ink-2", "lamp"):
        yield f"{ink} on veiled slate", c(ink), over(t["lamp-veil"], c("slate")), 4.5
    yield from on_wood_and_paper(t, c)
    yield from pieces(t, c)


def on_wood_and_paper(t, c):
    for ground in ("wood", "wood-2"):
        veiled = over(t["lamp-veil"], c(ground))
        yield f"wood-ink on {ground}", c("wood-ink"), c(ground), 4.5
        yield f"wood-ink on veiled {ground}", c("wood-ink"), veiled, 4.5
        for frame in ("brass", "lamp"):
            yield f"{frame} frame on {ground}", c(frame), c(ground), 3
        for suit in SUITS:
            yield f"{suit} chip on {ground}", c(suit), c(ground), 3
    for ground in ("paper", "paper-2"):
        for ink in ("paper-ink", "paper-ink-2"):
            yield f"{ink} on {ground}", c(ink), c(ground), 4.5
        for suit in SUITS:
            yield f"{suit} on {ground}", c(f"day-{suit}"), c(ground), 3


def pieces(t, c):
    for suit in SUITS:
        yield f"sign on a chip of {suit}", c("chip-sign"), c(suit), 4.5
        yield f"{suit} on a lit pane", c(f"day-{suit}"), c("pane-lit"), 3
        yield f"{suit} on a dark pane", c(f"night-{suit}"), c("pane"), 3
    for end in [*re.findall(r"#\w{6}", t["press"]), t["press-solid"]]:
        yield "press-ink on brass", c("press-ink"), rgb(end), 4.5
        for suit in SUITS:
            yield f"{suit} on brass", c(f"day-{suit}"), rgb(end), 3
    for ink in ("ink", "lamp"):
        yield f"{ink} on the upper sky", c(ink), rgb(re.findall(r"#\w{6}", t["sky"])[0]), 4.5
    for ink in ("street-ink", "street-ink-2"):
        yield f"{ink} on the street", c(ink), c("street"), 4.5
    for gem in GEMS:
        yield f"edge of {gem} on a die", c(f"gem-{gem}-edge"), c("die"), 3
