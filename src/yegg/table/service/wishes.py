"""What somebody asks for who opens a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from yegg.table.domain.clock import ClockTerms

OPEN, ME = "open", "me"
"""A seat for whoever comes, and one's own."""


@dataclass(frozen=True)
class Wish:
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
    salt: str = ""
    """What you give to the dice."""
    ticket: str = ""
    """What was given to you with the promise of the dice, if you have seen it."""
    day: str = ""
    """The day whose deal is played, as in 2026-11-22; its person is in ``dealt_to``."""
    dealt_to: str = ""
    """Whose one try it is: a person, or the level of a bot that shows how it does."""
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
