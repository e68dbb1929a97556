"""A seat as it should be: who plays there, and how much time they have, in seconds."""

from dataclasses import dataclass

TURN, RESERVE = 60, 120  # seconds, at tables with a clock
GIFTS = 3  # turns by which a reserve may be larger


@dataclass
class Seat:
    """Who sits on a seat, and their time in seconds."""

    owner: str | None = None
    bot: str | None = None
    stand_in: bool = False
    held: tuple[str, int] | None = None  # for whom, and until when
    reserve: int = RESERVE
    used: int = 0
    runs: bool = False
    missed: int = 0
    ended: tuple[int, int, int] = (-1, 0, 0)  # events, reserve and use when the last turn ended
    anew: int = -1  # events when somebody new sat down

    @property
    def free(self):
        return self.owner is None and self.bot is None

    @property
    def played(self):
        """Whether a person plays it."""
        return self.owner is not None and self.bot is None

    def left_in_reserve(self):
        return max(0, self.reserve - max(0, self.used - TURN))

    def left(self):
        return max(0, TURN + self.reserve - self.used)

    def begins_anew(self):
        """The turn's own time begins anew; what was used of the reserve is used."""
        self.reserve, self.used, self.ended = self.left_in_reserve(), 0, (-1, 0, 0)
