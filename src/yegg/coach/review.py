"""Reviews of games: win probabilities, the costliest choices, luck and skill."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import CHANCE, Match, notation
from yegg.players.judges import Judge
from yegg.players.thinking.evaluation import prospects
from yegg.players.thinking.plan import Plan
from yegg.text.phrases import percent

from .advice import Advice, advise, in_rollouts, judge_of
from .called import called
from .reasons import reasons, speaks_for, strongest

TIMES = 128  # futures that a point of the curve is the mean of
COSTLY = 3  # choices that are told of each player


@dataclass(frozen=True)
class Slip:
    """A choice that cost something.

    >>> print(Slip(12, 0, "Anna", "continue", "go home", 0.06, speaks="two chips more"))
    event 12, Anna: continue gave away 6 % of the win; go home was best: two chips more
    """

    event: int
    """Its number in the record, from 1."""
    seat: int
    """From 0."""
    player: str
    chosen: str
    better: str
    """The best choice, by what the player could know."""
    cost: float
    """The share of the win that was given away, 0 to 1, by what the player could know."""
    chosen_called: str = ""
    """The choice as the table calls it."""
    better_called: str = ""
    speaks: str = ""
    """What speaks for the better choice, in the game's words; "" if nothing stands out."""
    reason: tuple[int, float] | None = None
    """What speaks most for it: the place of a reason in the game's list, and how much more."""

    @property
    def percent(self) -> str:
        """The cost in words."""
        return percent(self.cost) if self.cost >= 0.005 else "under 1 %"

    def __str__(self) -> str:
        lost = f"{self.chosen} gave away {self.percent} of the win"
        why = f": {self.speaks}" if self.speaks else ""
        return f"event {self.event}, {self.player}: {lost}; {self.better} was best{why}"


@dataclass(frozen=True)
class Review:
    """A look back on a game; `yegg.review` makes it.

    All shares of the win are estimates, 0 to 1.

    >>> import yegg
    >>> match = yegg.Match("second-story", players=2, seed=0)
    >>> found = yegg.review(match, seconds=0.01)
    >>> found.sides, found.curve.shape, found.luck.shape
    (['Seat 1', 'Seat 2'], (2, 2), (2,))
    """

    sides: list[str]
    """The players' names, and that of a side that nobody plays."""
    curve: NDArray[np.float64]
    """(events + 1, sides): shares of the win after each event, knowing what is hidden too."""
    luck: NDArray[np.float64]
    """(sides,): how much chance's events changed each side's share, added up."""
    decisions: NDArray[np.float64]
    """(sides,): how much everybody's choices changed each side's share, added up."""
    slips: list[Slip]
    """Each player's three costliest choices: by seat, and the costliest first.

    A choice that cannot be told apart from the best is none of them.
    """
    gave: NDArray[np.float64]
    """(players,): what everybody gave away by choices that cost something, added up.

    A choice that cannot be told apart from the best costs nothing.
    """
    judge: Judge = "lore"
    """By what positions were judged."""


def review(match: Match, plan: Plan, progress: Callable[[], None] | None = None) -> Review:
    """Look back on a game, or on its beginning; ``plan`` says how long to think about a decision.

    ``progress`` is called after each event.
    """
    for found in look_back(match, plan):
        if found:
            return found
        if progress:
            progress()
    raise AssertionError("a look back ends with its review")


def look_back(match: Match, plan: Plan) -> Iterator[Review | None]:
    """Make a review step by step: None for each event, the end and each slip, then the review."""
    points = []
    slips: list[Slip] = []
    judge = prospects(match.game, len(match.scores), TIMES)
    for event, before in enumerate(notation.steps(match)):
        points.append(judge(before.states, event))
        if event < len(match.history) and before.decides(match.history[event]):
            advice = advise(before, plan, event)
            if slip := judged(before, match.history[event], event, advice):
                slips.append(slip)
        yield None
    curve = np.array(points)
    change = np.diff(curve, axis=0)
    chance = np.array([actor == CHANCE for actor in match.actors], bool)
    luck, decisions = change[chance].sum(axis=0), change[~chance].sum(axis=0)
    gave = np.zeros(match.players)
    for slip in slips:
        gave[slip.seat] += slip.cost
    told = []
    for slip in costliest(slips):
        told.append(explained(match, slip, plan))
        yield None
    yield Review(match.side_names(), curve, luck, decisions, told, gave, judge_of(match))


def costliest(slips: list[Slip]) -> list[Slip]:
    """The three costliest of each player: by seat, and the costliest first."""
    ranked = sorted(slips, key=lambda slip: (slip.seat, -slip.cost))
    by_seat = itertools.groupby(ranked, key=lambda slip: slip.seat)
    return [slip for _, of in by_seat for slip in itertools.islice(of, COSTLY)]


def explained(match: Match, slip: Slip, plan: Plan) -> Slip:
    """The same slip with the reason: its two choices alone are tried once more, for as long."""
    before = match.again()
    before.follow(match.history[: slip.event - 1])
    choices = [before.texts[slip.better], before.texts[slip.chosen]]
    words, speaks, reason = called(before), None, None
    if reasons(match.game):
        found = in_rollouts(before, choices, plan, slip.event)
        speaks = speaks_for(match.game, found.reckoned, 0, 1)
        reason = strongest(match.game, found.reckoned, 0, 1)
    chosen, better = (words.get(text, text) for text in (slip.chosen, slip.better))
    return replace(
        slip,
        chosen_called=chosen,
        better_called=better,
        speaks=speaks or "",
        reason=reason,
    )


def judged(before: Match, choice: int, event: int, advice: Advice) -> Slip | None:
    """The cost of a choice compared with the best; None if there is none, as far as can be told."""
    best = advice.words[0]
    chosen = next(word for word in advice.words if word.choice == choice)
    cost = best.win.value - chosen.win.value
    if chosen is best or chosen.alike or not cost > 0:
        return None
    player = before.names[before.actor]
    return Slip(event + 1, before.actor, player, chosen.text, best.text, cost)


def to_dict(match: Match, found: Review) -> dict[str, Any]:
    """The review for `yegg review --json`."""
    return {
        "game": match.game.name,
        "judge": found.judge,
        "sides": found.sides,
        "curve": found.curve.round(4).tolist(),
        "luck": dict(zip(found.sides, found.luck.round(4).tolist(), strict=True)),
        "decisions": dict(zip(found.sides, found.decisions.round(4).tolist(), strict=True)),
        "costliest": [
            {
                "player": slip.player,
                "event": slip.event,
                "chosen": slip.chosen,
                "better": slip.better,
                "why": slip.speaks,
                "cost": round(slip.cost, 4),
            }
            for slip in found.slips
        ],
    }
