"""Small pictures on the pages; each is drawn once and kept."""

from functools import cache, lru_cache

from markupsafe import Markup

from yegg.text import phrases

from . import static_files

PIECES = 4096


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
