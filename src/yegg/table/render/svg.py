"""SVG pictures in pages: signs, bars of odds, and the curve of everybody's chances."""

from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup

from yegg.coach.review import Review, Slip
from yegg.text import phrases

from . import static_files

PIECES = 4096
WIDE, HIGH = 1000, 100  # the size of the curve in its own units
JUMPS, COSTLY = 6, 0.01  # how many moments are marked, and what they cost at least
ROWS = 12  # of the table with the same numbers


def whole(text: str) -> str:
    """A text in which no line ends between a number and its %.

    >>> whole("fails 40 % of the time")
    'fails 40\xa0% of the time'
    """
    return text.replace(" %", "\xa0%")


def percent(share: float) -> str:
    """A share in hundredths, on one line.

    >>> percent(0.4)
    '40\xa0%'
    """
    return whole(phrases.percent(share))


def _use(symbol: str) -> Markup:
    return Markup('<use href="{}#{}"/>').format(static_files.address("pieces.svg"), symbol)


@lru_cache(PIECES)
def sign(suit: str) -> Markup:
    """A suit's sign, as on cards and in prose."""
    return Markup('<svg class="sign {}" aria-hidden="true">{}</svg>').format(
        suit, _use(f"s-{suit}")
    )


@lru_cache(PIECES)
def chip(suit: str, piece: str = "") -> Markup:
    """A chip; with a name it moves from view to view."""
    name = Markup(' data-piece="{}"').format(piece) if piece else Markup()
    return Markup('<svg class="chip {}" aria-hidden="true"{}>{}</svg>').format(
        suit, name, _use(f"k-{suit}")
    )


@lru_cache(PIECES)
def icon(symbol: str, kind: str = "") -> Markup:
    """Any symbol of ``pieces.svg``."""
    drawn = Markup(' class="{}"').format(kind) if kind else Markup()
    return Markup('<svg aria-hidden="true"{}>{}</svg>').format(drawn, _use(symbol))


@lru_cache(PIECES)
def segments(chance: float) -> Markup:
    """Ten segments; one is lit for each tenth of the chance."""
    lit = "".join(
        f"M{20 * i + 0.5} 0h{18 * min(1.0, chance * 10 - i):.1f}v10H{20 * i + 0.5}z"
        for i in range(10)
        if chance * 10 - i > 0.05
    )
    return Markup(
        '<svg class="odds" viewBox="0 0 200 10" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="off" d="{}"/><path class="hit" d="{}"/></svg>'
    ).format("".join(f"M{20 * i + 0.5} 0h18v10h-18z" for i in range(10)), lit)


@cache
def bot() -> Markup:
    """The sign after a bot's name in a sentence."""
    return Markup('<span class="bot">{}<span class="vh"> (bot)</span></span>').format(icon("u-bot"))


@lru_cache(4096)
def bar(win: float, low: float, high: float) -> Markup:
    """A chance from 0 to 1 with its interval."""
    at, start, end = (round(200 * x, 1) for x in (win, low, high))
    return Markup(
        '<svg class="bar-of" viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="off" d="M0 2h200v8H0z"/><path class="hit" d="M0 2h{}v8H0z"/>'
        '<path class="span" d="M{} 6H{}M{} 2.5v7M{} 2.5v7"/></svg>'
    ).format(at, start, end, start, end)


def course(found: Review) -> dict[str, Any]:
    """A review, prepared for its page."""
    events, sides = found.curve.shape[0] - 1, len(found.sides)
    lines = [
        {
            "name": name,
            "path": path(found.curve[:, side].tolist()),
            "first": float(found.curve[0, side]),
            "last": float(found.curve[-1, side]),
            "luck": float(found.luck[side]),
            "decisions": float(found.decisions[side]),
            "slips": [slip(one) for one in found.slips if one.seat == side],
        }
        for side, name in enumerate(found.sides)
    ]
    step = max(1, -(-events // ROWS))
    at = [*range(0, events, step), events]
    rows = [{"at": i, "chances": found.curve[i].tolist()} for i in at]
    return {"lines": lines, "rows": rows, "events": events, "sides": sides, "said": said(found)}


def path(values: list[float], events: int = 0) -> str:
    """A line through shares of the win, event by event; ``events``: how many are as wide as all."""
    last = max(1, events or len(values) - 1)
    points = (f"{WIDE * i / last:.1f} {HIGH * (1 - v):.1f}" for i, v in enumerate(values))
    return "M" + "L".join(points)


def slip(one: Slip) -> dict[str, Any]:
    """A costly choice: where it was, and which choice would have been better."""
    return {
        "at": one.event - 1,
        "chosen": one.chosen_called or one.chosen,
        "better": one.better_called or one.better,
        "texts": (one.chosen, one.better),
        "why": one.speaks,
        "cost": one.cost,
    }


def jumps(found: Review) -> list[dict[str, Any]]:
    """The costliest choices of all in the order of the game, each with its place on the curve."""
    last = max(1, found.curve.shape[0] - 1)
    worst = sorted(found.slips, key=lambda one: -one.cost)[:JUMPS]
    return [
        slip(one)
        | {
            "name": one.player,
            "seat": one.seat,
            "x": round(WIDE * (one.event - 1) / last, 1),
            "y": round(HIGH * (1 - float(found.curve[one.event - 1, one.seat])), 1),
        }
        for one in sorted(worst, key=lambda one: one.event)
        if one.cost >= COSTLY
    ]


def said(found: Review) -> str:
    """The curve in sentences, for people who cannot see it."""
    told = []
    for side, name in enumerate(found.sides):
        line = found.curve[:, side]
        top = f"is highest with {percent(line.max())} after event {int(line.argmax())}"
        told.append(f"{name} begins at {percent(line[0])}, {top}, and ends at {percent(line[-1])}.")
    return " ".join(told)
