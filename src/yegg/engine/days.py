"""Days, each with a deal: which it is, how somebody did, and for how long they have played.

Days are those of UTC.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from yegg.text.phrases import number

FORGIVEN = 7  # days, of which a streak may miss one
OTHERS = "medium"
"""The bots at the other seats: at once, and by the same dice for everybody."""
LEVELS = ("easy", "medium", "hard")
"""The bots that play the deal in a person's seat, as marks for people."""


def day_of(moment: int) -> str:
    """The day of a moment, which is in ms since 1970.

    >>> day_of(1_795_305_600_000 - 1), day_of(1_795_305_600_000)
    ('2026-11-21', '2026-11-22')
    """
    return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()


def told_day(day: str) -> str:
    """A day as people say it.

    >>> told_day("2026-11-02")
    '2 November'
    """
    then = date.fromisoformat(day)
    return f"{then.day} {then:%B}"


class Standing(NamedTuple):
    """How a try ended."""

    place: int
    margin: int
    """The score less that of the best rival."""
    shared: bool = False
    """Whether others have the same place."""

    @property
    def rank(self) -> tuple[int, int]:
        """The more, the better."""
        return -self.place, self.margin

    @property
    def words(self) -> str:
        """The result in words.

        >>> Standing(1, 3).words, Standing(2, -1).words, Standing(1, 0).words, Standing(2, 0).words
        ('won by three', 'lost by one', 'won the tie', 'lost the tie')
        >>> Standing(1, 0, shared=True).words
        'shared the win'
        """
        if not self.margin and self.shared:
            return "shared the win"
        if not self.margin:
            return "won the tie" if self.place == 1 else "lost the tie"
        won = "won" if self.place == 1 else "lost"
        return f"{won} by {number(abs(self.margin))}"


def standing(result: dict[str, list[int]], seat: int = 0) -> Standing:
    """How a seat did, by what was counted at the end."""
    scores = result["scores"]
    others = [score for i, score in enumerate(scores) if i != seat]
    place = result["places"][seat]
    shared = result["places"].count(place) > 1
    return Standing(place, scores[seat] - max(others, default=0), shared)


def streak(played: Iterable[str], today: str) -> int:
    """The number of days in a row with a deal finished; one missed day in seven is forgiven.

    Today counts once it has one.

    >>> streak(["2026-11-20", "2026-11-22", "2026-11-23"], "2026-11-24")
    3
    >>> streak(["2026-11-18", "2026-11-20", "2026-11-22"], "2026-11-22")
    2
    """
    days, day, found = set(played), date.fromisoformat(today), 0
    missed: date | None = None
    if today not in days:
        day -= timedelta(1)
    while True:
        if day.isoformat() in days:
            found += 1
        elif missed is None or (missed - day).days >= FORGIVEN:
            missed = day
        else:
            return found
        day -= timedelta(1)
