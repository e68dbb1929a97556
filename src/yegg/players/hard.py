"""`hard` and `expert`: levels that think ahead, and for how long each may."""

from yegg.engine import Game

from .thinking.planner import Planner


class Level:
    """A level of play: a player that may be asked for by name."""

    LEARNED = True

    def __init__(self, says: str, times: int, seconds: float) -> None:
        """What it does, in a line; the rest is as for `Planner`."""
        self.__doc__, self.__name__ = says, __name__
        self.times, self.seconds = times, seconds

    def sit(self, game: Game, _budget: str, seed: int) -> Planner:
        """A player for one seat of one match."""
        return Planner(game, seed, self.times, self.seconds)


HARD = Level(
    "Thinks ahead for a moment, in imagined futures, a search tree or mixtures of orders.", 1, 0.9
)
EXPERT = Level("Thinks like hard, but seven times as long, for up to a second or so.", 7, 2.0)
