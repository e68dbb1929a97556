"""Seat balance: whether all seats win alike, tested for all at once, not for every two.

The unit is the deal: the mean share of each seat in its games, which add up to 1.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from yegg.text.phrases import listing, percent

from .claims import ERROR, MARGIN, UNFINISHED
from .deal_sums import Moments, Sums
from .intervals import Figure, Sentence, as_value, share_of
from .p_values import FEW_DEALS, Floats
from .sequential_tests import Betting, ConfidenceSequence

SHUFFLES, AT_ONCE = 4000, 200  # of few deals
PIECE = 50_000  # deals that are looked at at once
TINY = 1e-9  # a variance below which seats do not vary, but for rounding


def moments(shares: Floats) -> Moments:
    """The means and covariances of ``shares``, (deals, seats)."""
    deals, seats = shares.shape
    if deals < 2:
        means = shares[0] if deals else np.full(seats, math.nan)
        return Moments(deals, means, np.zeros((seats, seats)))
    sums = Sums(seats)
    for at in range(0, deals, PIECE):  # no copy of very many deals
        sums.add(shares[at : at + PIECE])
    return sums.together(range(seats))


@dataclass(frozen=True)
class Balance:
    """The result of the test whether all seats win alike, with each seat's share of the win."""

    shares: tuple[Figure, ...]
    deals: int
    p: float
    """How often chance alone would set seats so far apart that win alike."""
    within: bool
    """Whether all shares together lie within the margin."""
    looked: bool = False
    """Whether p and the margin hold however often one looks."""
    why: str = ""
    """Why nothing is claimed; empty if something is."""

    def answer(self, corrected: float | None = None) -> str:
        """The answer, as for a claim; ``corrected`` is p if several such questions are asked."""
        if self.why:
            return "no claim"
        if (self.p if corrected is None else corrected) < ERROR:
            return "clear"
        return "equal" if self.within else "open"


def balance(
    shares: Floats, games: int | None = None, *, unfinished: float = 0.0, looked: bool = False
) -> Balance:
    """Whether seats win alike, from ``shares`` (deals, seats) in the order of the deals.

    They come from ``games`` that ended, by default one a deal; ``unfinished`` is the share of
    games that did not.
    ``looked``: the sample may have ended because of what was seen, so what is said must hold
    however often one looked.
    """
    known, games = moments(shares), games or len(shares)
    if looked:
        watch = AtAnyTime(shares.shape[1])
        watch.add(shares)
        return watch.balance(known, games, unfinished)
    return settled(known, shares, games, unfinished)


def settled(known: Moments, shares: Floats, games: int, unfinished: float) -> Balance:
    """The balance of seats in a sample of fixed size.

    ``shares`` (deals, seats) are looked at only where there are few deals, and then must be all.
    """
    p = _by_shuffling(shares) if known.deals < FEW_DEALS else alike(known)
    return of_moments(known, p, games, unfinished)


def of_moments(known: Moments, p: float, games: int, unfinished: float) -> Balance:
    """The balance of seats in a sample of fixed size, whose ``p`` is known."""
    seats = len(known.means)
    joint = NormalDist().inv_cdf(1 - ERROR / (2 * seats)) * _errors(known)  # Bonferroni
    within = bool((abs(known.means - 1 / seats) + joint <= MARGIN).all())
    why = _why(known.deals, unfinished)
    return Balance(_figures(known, games), known.deals, p, within, why=why)


class AtAnyTime:
    """A sequential test of whether seats win alike, which holds whenever one looks or stops.

    On each seat somebody bets that its mean is not fair, all with equal parts of one capital.  If
    all are fair, that reaches 20 times its beginning with a probability of at most 1/20.
    """

    def __init__(self, seats: int) -> None:
        """No deal has been seen."""
        self.fair = 1 / seats
        self._bets = [Betting([self.fair]) for _ in range(seats)]
        self._sequences = [ConfidenceSequence(ERROR / seats) for _ in range(seats)]
        self._richest = 0.0

    def add(self, shares: Floats) -> None:
        """Add more deals, (deals, seats)."""
        if not len(shares):
            return
        columns = list(shares.T)
        each = np.stack([b.add(c)[:, 0] for b, c in zip(self._bets, columns, strict=True)])
        top = each.max(axis=0)
        together = top + np.log(np.exp(each - top).mean(axis=0))
        self._richest = max(self._richest, float(together.max()))
        for sequence, column in zip(self._sequences, columns, strict=True):
            sequence.add(column)

    @property
    def p(self) -> float:
        """The p-value: how often seats that win alike would ever have looked so far apart."""
        return math.exp(-self._richest)

    def balance(self, known: Moments, games: int, unfinished: float) -> Balance:
        """The balance of seats in the deals so far."""
        low, high = self.fair - MARGIN, self.fair + MARGIN
        every = [sequence.interval for sequence in self._sequences]
        within = all(one.low >= low and one.high <= high for one in every)
        why = _why(known.deals, unfinished)
        figures = _figures(known, games)
        return Balance(figures, known.deals, self.p, within, looked=True, why=why)


def _why(deals: int, unfinished: float) -> str:
    if unfinished > UNFINISHED:
        return f"{percent(unfinished, 1)} of the games did not end"
    return "" if deals > 1 else "there are too few deals"


def _errors(known: Moments) -> Floats:
    errors: Floats = np.sqrt(np.diag(known.covariance) / max(known.deals, 1))
    return errors


def _figures(known: Moments, games: int) -> tuple[Figure, ...]:
    """Each seat's share of the win, from so many games."""
    variances = np.diag(known.covariance).tolist()
    each = zip(known.means.tolist(), variances, strict=True)
    return tuple(share_of(mean, variance, known.deals, games) for mean, variance in each)


def alike(known: Moments) -> float:
    """The p-value of the hypothesis that all seats win alike: a chi² test over many deals.

    It is Wald's: the distance of the means from fair shares, measured by how deals vary.
    """
    values, vectors = np.linalg.eigh(known.covariance)
    off = vectors.T @ (known.means - 1 / len(known.means))
    fixed = values < TINY  # the sum of all shares is 1 in every deal, and there may be more
    if (off[fixed] ** 2 > TINY).any():
        return 0.0
    far = known.deals * float((off[~fixed] ** 2 / values[~fixed]).sum())
    return chi_squared(far, int((~fixed).sum()))


def chi_squared(far: float, free: int) -> float:
    """The p-value of a chi² with so many degrees of freedom."""
    if not free:
        return 1.0
    half = far / 2
    a, term = (1.0, math.exp(-half)) if free % 2 == 0 else (0.5, math.erfc(math.sqrt(half)))
    total = term
    while a < free / 2:  # Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1)
        total += math.exp(a * math.log(half) - half - math.lgamma(a + 1)) if half else 0.0
        a += 1
    return min(1.0, total)


def _by_shuffling(shares: Floats) -> float:
    """The same for few deals: each deal's shares are dealt to the seats anew (Fisher 1935)."""
    deals, seats = shares.shape
    if deals < 2:
        return 1.0
    dice = np.random.default_rng(0)
    far, as_far = _far(shares), 0
    for _ in range(SHUFFLES // AT_ONCE):
        many = np.broadcast_to(shares, (AT_ONCE, deals, seats))
        as_far += int((_far(dice.permuted(many, axis=2)) >= far - 1e-12).sum())
    return (1 + as_far) / (1 + SHUFFLES)


def _far(shares: Floats) -> Any:
    return ((shares.mean(axis=-2) - 1 / shares.shape[-1]) ** 2).sum(axis=-1)


def is_even(lineup: Sequence[str], seatings: Sequence[Sequence[int]]) -> bool:
    """Whether everybody of a line-up sits on every seat equally often, so that seats compare."""
    by_seat = [Counter(lineup[who] for who in column) for column in zip(*seatings, strict=True)]
    return all(one == by_seat[0] for one in by_seat)


VERDICTS = {
    "clear": "Not all seats win alike",
    "equal": f"All seats win alike, within {MARGIN * 100:g} points",
    "open": "Whether all seats win alike is open",
    "no claim": "Nothing is claimed of the seats",
}
"""The answers in words, without their figures."""


def to_dict(one: Balance, corrected: float | None = None) -> dict[str, Any]:
    """A balance for `--json`; ``corrected`` as for its answer."""
    return {
        "shares": [as_value(share) for share in one.shares],
        "deals": one.deals,
        "p": one.p,
        "p_corrected": one.p if corrected is None else corrected,
        "answer": one.answer(corrected),
        "why": one.why or None,
        "margin": MARGIN,
        "looked": one.looked,
    }


def finding(data: Mapping[str, Any], where: str = "") -> Sentence:
    """The data of `to_dict` as a finding; ``where`` it holds: `` between medium players``."""
    says = f"{VERDICTS[data['answer']]}{where}"
    if data["why"]:
        return Sentence(says, str(data["why"]))
    shares, p = listing([percent(one["value"], 1) for one in data["shares"]]), data["p_corrected"]
    known = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
    looked = " (holds however often one looks)" if data["looked"] else ""
    return Sentence(says, f"{shares} of the win, seat by seat; {known}{looked}")
