"""A game looked back on: the course of everybody's chances, costly choices, luck and skill."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import CHANCE, Match, notation
from yegg.engine.dice import seeds
from yegg.players.thinking.knowledge import engine
from yegg.players.thinking.plan import Plan
from yegg.players.thinking.tree.iterations import foresee, workspace

from .advise import Advice, advise

TIMES = 64  # that chance is asked again for a point of the curve
COSTLY = 3  # choices shown of each player


@dataclass(frozen=True)
class Slip:
    """A choice that cost something."""

    event: int
    """Its number in the record, from 1."""
    seat: int
    chosen: str
    better: str
    cost: float
    """Of a win, by what the seat could know."""


@dataclass(frozen=True)
class Review:
    """What can be said about a game."""

    sides: list[str]
    curve: NDArray[np.float64]
    """(events + 1, sides): shares of the win as judged with everything in sight."""
    luck: NDArray[np.float64]
    """By side: what chance's events changed, added up."""
    decisions: NDArray[np.float64]
    """By side: what the players' choices changed, their own and others'."""
    slips: list[list[Slip]]
    """By seat: the costliest choices, the worst first."""


def review(match: Match, plan: Plan, progress: Callable[[], None] | None = None) -> Review:
    """Look back on a game, or on as much of it as there is."""
    for found in look_back(match, plan):
        if found:
            return found
        if progress:
            progress()
    raise AssertionError("a look back ends with its review")


def look_back(match: Match, plan: Plan) -> Iterator[Review | None]:
    """A review in as many steps as there are events, and one more; the last one has it."""
    points = []
    slips: list[list[Slip]] = [[] for _ in range(match.players)]
    judge = prospects(match)
    for event, before in enumerate(notation.steps(match)):
        points.append(judge(before, event))
        if event < len(match.history) and before.decides(match.history[event]):
            advice = advise(before, plan, event)
            if slip := judged(before, match.history[event], event, advice):
                slips[slip.seat].append(slip)
        yield None
    curve = np.array(points)
    change = np.diff(curve, axis=0)
    chance = np.array([actor == CHANCE for actor in match.actors], bool)
    worst = [sorted(of, key=lambda slip: -slip.cost)[:COSTLY] for of in slips]
    yield Review(
        match.side_names(), curve, change[chance].sum(axis=0), change[~chance].sum(axis=0), worst
    )


def judged(before: Match, choice: int, event: int, advice: Advice) -> Slip | None:
    """What a choice cost against the best, if anything."""
    best = advice.words[0]
    mine = next(word for word in advice.words if word.choice == choice)
    cost = best.win.value - mine.win.value
    if mine is best or not cost > 0:
        return None
    return Slip(event + 1, before.actor, mine.text, best.text, cost)


def prospects(match: Match) -> Callable[[Match, int], NDArray[np.float64]]:
    """What tells everybody's share of the win at a point of a game, with everything in sight."""
    game, sides = match.game, len(match.scores)
    room = np.zeros(2, game.state.dtype)
    on = workspace(room, game.choices, sides)
    run = engine(game).kernel(foresee)

    def judge(at: Match, event: int) -> NDArray[np.float64]:
        total = np.zeros(sides)
        run(at.states.view(np.uint64), on, TIMES, seeds(event, 0, 1, 1)[0, 0], total)
        return total / TIMES

    return judge


def as_data(match: Match, found: Review) -> dict[str, Any]:
    """Everything a program may want to know."""
    return {
        "game": match.game.name,
        "sides": found.sides,
        "curve": found.curve.round(4).tolist(),
        "luck": dict(zip(found.sides, found.luck.round(4).tolist(), strict=True)),
        "decisions": dict(zip(found.sides, found.decisions.round(4).tolist(), strict=True)),
        "costliest": [
            {
                "player": match.names[slip.seat],
                "event": slip.event,
                "chosen": slip.chosen,
                "better": slip.better,
                "cost": round(slip.cost, 4),
            }
            for of in found.slips
            for slip in of
        ],
    }
