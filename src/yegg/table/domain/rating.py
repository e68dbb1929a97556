"""Ratings for games of any number of players, by openskill (Weng & Lin 2011)."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

MODEL = PlackettLuce()
START = 1000  # the rating of somebody of whom nothing is known
POINTS = 50  # for each unit of openskill's scale: 400 more win 10 of 11 games, as in chess
SIGMAS = 2  # to both sides: about 95 of 100 true ratings lie between


class Finished(NamedTuple):
    """A finished game: who sat there, and their places."""

    who: Sequence[Hashable]
    places: Sequence[int]


class Skill(NamedTuple):
    """What the games say of somebody; all as ratings."""

    rating: float
    low: float
    high: float
    games: int
    won: float
    """Games won; who shares the first place shares the win."""
    course: tuple[float, ...]
    """The rating after each game."""


def reckoned(games: Iterable[Finished]) -> dict[Hashable, Skill]:
    """Everybody's rating after these games, which come in the order in which they ended.

    Whoever sits at a table twice, as a bot may, counts there as two who play equally well, and
    gets the mean of both.
    """
    now: dict[Hashable, PlackettLuceRating] = {}
    course, won = defaultdict[Hashable, list[float]](list), defaultdict[Hashable, float](float)
    for who, places in games:
        teams = [[_copy(now.get(one))] for one in who]
        rated = [team[0] for team in MODEL.rate(teams, ranks=[float(place) for place in places])]
        for one in dict.fromkeys(who):
            own = [rated[i] for i, other in enumerate(who) if other == one]
            mu = sum(each.mu for each in own) / len(own)
            now[one] = MODEL.rating(mu, sum(each.sigma for each in own) / len(own))
            course[one].append(_shown(mu))
            firsts = sum(places[i] == 1 for i, other in enumerate(who) if other == one)
            won[one] += firsts / max(1, list(places).count(1))
    return {
        one: Skill(
            _shown(kept.mu),
            _shown(kept.mu - SIGMAS * kept.sigma),
            _shown(kept.mu + SIGMAS * kept.sigma),
            len(course[one]),
            won[one],
            tuple(course[one]),
        )
        for one, kept in now.items()
    }


def _copy(kept: PlackettLuceRating | None) -> PlackettLuceRating:
    return MODEL.rating(kept.mu, kept.sigma) if kept else MODEL.rating()


def _shown(mu: float) -> float:
    return START + POINTS * (mu - MODEL.mu)
