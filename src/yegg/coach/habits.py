"""Habits: costly choices of many games, grouped by what speaks most for the better choice."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from yegg.engine import Game

from .reasons import reasons
from .review import Slip


@dataclass(frozen=True)
class Made:
    """A costly choice, and the table where it was made."""

    game: Game
    key: str
    slip: Slip


@dataclass(frozen=True)
class Habit:
    """Costly choices of one game that lacked the same thing; the costliest first."""

    game: Game
    choices: list[Made]
    lacks: str
    """What a better choice brings on average, in the game's words."""

    @property
    def cost(self) -> float:
        """What all of them gave away, in wins."""
        return sum(made.slip.cost for made in self.choices)


def habits(choices: Iterable[Made]) -> list[Habit]:
    """The habits in these choices: the most frequent first, of equals the costliest.

    Choices for which no reason stands out belong to none.
    """
    groups = defaultdict[tuple[str, int, int, bool], list[Made]](list)
    for made in choices:
        if made.slip.reason is not None:
            which, much = made.slip.reason
            groups[made.game.name, made.game.version, which, much > 0].append(made)
    found = [_habit(which, group) for (*_, which, _), group in groups.items()]
    return sorted(found, key=lambda habit: (-len(habit.choices), -habit.cost))


def _habit(which: int, group: list[Made]) -> Habit:
    group = sorted(group, key=lambda made: -made.slip.cost)
    mean = sum(made.slip.reason[1] for made in group if made.slip.reason) / len(group)
    game = group[0].game
    return Habit(game, group, reasons(game)[which].phrase(mean))
