"""What the coach thinks of each decision of a game."""

from collections.abc import Iterator, Sequence

from yegg.coach.advice import think
from yegg.engine import Match
from yegg.lab.batch import Matchup
from yegg.players.thinking.plan import Plan


def chances(setting: Matchup, choices: Sequence[int], iterations: int) -> Iterator[float]:
    """The chooser's share of the win by its best choice, 0 to 1, at each decision of a game.

    The coach is told what the seat may know, and thinks for so many iterations.
    """
    match = Match(setting.game, setting.players, setting.options)
    for event, choice in enumerate(choices):
        if match.decides(choice):
            thoughts = think(match, Plan(iterations), seed=event)
            yield min(max(float(thoughts.worth[match.actor]), 0.0), 1.0)
        match.follow([choice])
