"""Chat by eight phrases and six emotes: one in five seconds, gone with the next event.

An emote is a phrase with a sign, which is shown at the crest of whoever makes it, and only where
people play with people.  All are in no record and on no disk.  A room hands them to those who
watch, and forgets them.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from yegg.table.refusals import HttpRefusal

from .seats import Seat

PHRASES = (
    "Hello",
    "Good luck",
    "Well played",
    "Ouch",
    "What luck",
    "One moment",
    "Thank you",
    "Good game",
)
EMOTES = {
    "tips the hat": "hat",
    "laughs": "laugh",
    "is amazed": "amazed",
    "winces": "wince",
    "is thinking": "think",
    "raises a glass": "glass",
}
"""By what is said of somebody: the sign.  Their numbers follow those of the phrases."""
SAID = (*PHRASES, *EMOTES)
PAUSE = 5.0  # seconds between two phrases of a seat


class Phrase(NamedTuple):
    """A phrase that somebody has said since the last event."""

    number: int
    """Phrases are counted in each room, from 1."""
    seat: int
    text: str

    @property
    def sign(self) -> str:
        """Of an emote, which sign is shown; "" for words."""
        return EMOTES.get(self.text, "")


def among_people(seats: Sequence[Seat]) -> bool:
    """Whether emotes are for a table: people play there with people, and no bot of its own."""
    bots = any(seat.bot and seat.person is None for seat in seats)
    return not bots and sum(seat.person is not None for seat in seats) > 1


@dataclass
class Phrases:
    """The phrases at one table since the last event."""

    said: list[Phrase] = field(default_factory=list)
    number: int = 0
    spoke: dict[int, float] = field(default_factory=dict)

    def say(self, seat: int, phrase: int) -> None:
        """Let a seat say a phrase, counted from 1.  Raises HttpRefusal 409, 429."""
        if not 1 <= phrase <= len(SAID):
            raise HttpRefusal(409, f"there is no phrase {phrase}; there are 1 to {len(SAID)}")
        now = time.monotonic()
        wait = PAUSE - (now - self.spoke.get(seat, -PAUSE))
        if wait > 0:
            after = max(1, round(wait))
            raise HttpRefusal(
                429, f"one phrase in five seconds; try again in {after} s", after=after
            )
        self.heard(seat, phrase)

    def heard(self, seat: int, phrase: int) -> None:
        """Note what a seat has said, here or through another process."""
        text = SAID[phrase - 1]
        self.spoke[seat] = time.monotonic()
        self.number += 1
        others = [phrase for phrase in self.said if phrase.seat != seat]
        self.said = [*others, Phrase(self.number, seat, text)]

    def after(self, number: int) -> list[Phrase]:
        """What was said after the phrase of that number."""
        return [phrase for phrase in self.said if phrase.number > number]

    def forget(self) -> None:
        """Something has happened: what was said before is gone."""
        self.said = []
