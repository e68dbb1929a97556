"""What somebody asks for who opens a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from yegg.engine import Game, Refused
from yegg.table.domain.clock import ABSENT, ClockTerms
from yegg.table.domain.deals import Dealt
from yegg.table.domain.watching import LIVE, WatchTerms

from .bots import admit

OPEN, ME = "open", "me"
"""A seat for whoever comes, and one's own."""


@dataclass(frozen=True)
class NewTable:
    """A request to open a table: the game, its options, and who sits where."""

    game: str
    seats: Sequence[str]
    """Each ``open``, ``me`` or a bot's name."""
    you: str
    options: Mapping[str, str] = field(default_factory=dict)
    odds: bool = True
    listed: bool = True
    shuffled: bool = False
    """Whether seats are drawn by lot."""
    held: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """For whom open seats are held for a while: the name and the person, by seat."""
    seated: Mapping[int, tuple[str, str, str | None]] = field(default_factory=dict)
    """Who sits on open seats from the beginning: name, person, and a bot that plays for them."""
    played: Sequence[tuple[int, int]] = ()
    """What has been played there already: who, and which choice."""
    origin: str | None = None
    """Where that was played first."""
    promise: str | None = None
    """What was promised of the dice of then."""
    clock: ClockTerms | None = None
    """How much time everybody has; None: nobody is hurried."""
    watch: WatchTerms = LIVE
    """Who may watch without a seat, and how much later they are told."""
    salt: str = ""
    """What you give to the dice."""
    ticket: str = ""
    """What was given to you with the promise of the dice, if you have seen it."""
    deal: Dealt | None = None
    """What is dealt there, and whose one try it is: a person, or a level that shows how it does."""
    quick: str | None = None
    """How a quick match is known that waits here (`quick_match.lanes`)."""
    counts: bool = False
    """Whether the result counts for the season, if at least two people can play."""
    evening: str | None = None
    """The key of the evening that the table belongs to."""
    name: str = ""
    """What the table is called; by default a name is drawn."""
    address: str = ""
    """From where it is asked for: tables of one address share the bots' time."""


def clock_terms(
    clock: ClockTerms | None, game: Game, seats: int, options: Mapping[str, str]
) -> dict[str, Any] | None:
    """The terms of a clock, as they are kept.  Raises Refused; nobody waits for a lone player."""
    if clock is None:
        return None
    if clock.late != ABSENT:
        admit(game, clock.late, seats, options)
    elif game.part("absent") is None:
        raise Refused(f"the rules of {game.title} write nothing for an absent player; name a bot")
    return clock.stored() if seats > 1 else None
