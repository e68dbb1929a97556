"""The position that is drawn, whether or not a table keeps it; and how a game ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeVar

from yegg.engine import Game, Match
from yegg.engine.secrecy import Heard, Teller
from yegg.text.phrases import listing

from .deals import Dealt
from .dice import Promised
from .seats import Event, Kind
from .state import TableState
from .watching import WatchTerms

T = TypeVar("T")


class Keeper(Protocol):
    """What only a table knows that is kept: what time it is there, and how its bots are."""

    deal: Dealt | None
    """The deal of the day that is played there."""
    evening: str | None
    """The key of the evening that it belongs to."""

    def moment(self) -> int:
        """What time it is, in milliseconds since 1970."""

    def able(self) -> list[str]:
        """The bots that may take a seat here."""

    def preparing(self, bot: str) -> bool:
        """Whether a bot still has to be compiled before it can play."""

    def hopeless(self, bot: str) -> bool:
        """Whether a bot could not be compiled here, so that its stand-in plays on."""


class NotKept:
    """Where nobody keeps the seats nobody is hurried, and no bot sits down."""

    deal: Dealt | None = None
    """None: it is no deal of the day."""
    evening: str | None = None
    """None: it belongs to no evening."""

    def moment(self) -> int:
        """No time passes."""
        return 0

    def able(self) -> list[str]:
        """None."""
        return []

    def preparing(self, _bot: str) -> bool:
        """It is not."""
        return False

    def hopeless(self, _bot: str) -> bool:
        """It is not."""
        return False


class Around(NamedTuple):
    """Who is around a table, and who is not."""

    away: frozenset[int] = frozenset()
    """Seats whose owners are away though it is their turn."""
    held: frozenset[int] = frozenset()
    """Free seats that are held for somebody."""
    guests: int = 0
    """How many watch who have no seat."""


class Story:
    """How a game came about, in words: read when somebody asks for it, and then event by event."""

    def __init__(self) -> None:
        """Nobody has asked for it."""
        self._teller: Teller | None = None

    def of(self, match: Match) -> Teller:
        """What tells the match."""
        if self._teller is None:
            self._teller = Teller(match)
        return self._teller


class ShownSeat(NamedTuple):
    """A seat, as all may see it."""

    i: int
    name: str
    bot: str | None
    """The bot that plays it, if no person does."""
    stand_in: bool
    free: bool
    person: bool
    """Whether somebody owns it."""
    wishes: bool
    """Whether they would like to close the table."""
    held: str
    """For whom it is held, if it is free."""
    away: bool
    turn: bool
    """Whether it still has to act."""
    ready: bool
    """Where several order at the same time: whether its orders are sealed."""
    lantern: bool
    """Whether its owner has asked the coach in this game."""


@dataclass(eq=False)
class ShownPosition:
    """A position with a name, people on its seats, and the story of how it came about.

    What is the same for all seats is worked out here, when it is first asked for, and once.  A
    table makes one whenever something has happened.  Those of lessons, and of moments that are
    past, are made for one answer.
    """

    game: Game
    key: str
    name: str
    now: TableState
    odds: bool = True
    """Whether hints may be shown."""
    origin: str | None = None
    """Where its first events were played: an address on this server."""
    dice: Promised | None = None
    """Its chance, if that was promised: not where nobody keeps it."""
    around: Around = field(default_factory=Around)
    keeper: Keeper = field(default_factory=NotKept)
    story: Story = field(default_factory=Story)
    watch: WatchTerms | None = None
    """How those are told who see it later; None for whoever sees it as it is now."""
    known: dict[Any, Any] = field(default_factory=dict)
    """What several views of this position have in common."""

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Make something once for all views of this position; ``key`` holds all it depends on."""
        if key not in self.known:
            self.known[key] = make()
        made: T = self.known[key]
        return made

    @property
    def teller(self) -> Teller:
        """The story so far, in words."""
        return self.story.of(self.now.match)

    def heard(self, seat: int, last: int | None = None) -> list[Heard]:
        """The newest events as a seat (-1: a spectator) may know them, with the names of then."""
        return self.teller.hear(self.now.match, seat, last, self.now.called_at)

    def __post_init__(self) -> None:
        """See who may act, by seat."""
        self.acting = self.now.acting()

    @property
    def terms(self) -> WatchTerms:
        """Who may watch, and how much later they are told."""
        return self.watch or self.now.watch

    @property
    def waited_for(self) -> list[int]:
        """The seats that still have to act."""
        return self.now.waited_for()

    @property
    def sealed(self) -> bool:
        """Whether several seats order at the same time, in secret."""
        return len(self.acting) > 1

    @cached_property
    def due(self) -> list[int | None]:
        """By seat: when its time is up; None if it has no end, or stands."""
        return [self.now.due_at(seat) for seat in range(len(self.now.seats))]

    @cached_property
    def seats(self) -> list[ShownSeat]:
        """All seats."""
        away, kept = self.around.away, self.around.held
        waited_for, wish = self.waited_for, self.now.close_votes
        ready = [seat for seat, at in self.acting.items() if at.ready] if self.sealed else []
        return [
            ShownSeat(
                i,
                seat.name,
                seat.bot,
                seat.stand_in,
                seat.free,
                seat.person is not None,
                i in wish,
                seat.held.name if seat.held and i in kept else "",
                i in away,
                i in waited_for,
                i in ready,
                seat.lantern,
            )
            for i, seat in enumerate(self.now.seats)
        ]

    @property
    def result(self) -> tuple[list[int], list[int]]:
        """Every side's place and score, once the game is over."""
        return self.now.result()

    def waiting_for(self) -> str:
        """Whom the game waits for, in words; bots are marked."""
        return f"Waiting for {listing([self.awaited(seat) for seat in self.waited_for])}"

    def awaited(self, seat: int) -> str:
        """What somebody is called who is waited for."""
        place = self.now.seats[seat]
        if place.free:
            return f"somebody to take seat {seat + 1}"
        return f"{place.name} (bot)" if place.bot else place.name


def staged(match: Match, said: list[str], names: Sequence[str]) -> TableState:
    """The position of a match with a person of each name on its seats, as nobody keeps it.

    ``said`` are the match's events in the words of the record.
    """
    now = TableState(match)
    for seat, name in enumerate(names):
        now.apply(Event(seat, Kind.SIT, name=name, person=f"seat {seat + 1}"))
    now.said, now.notices = list(said), ()
    return now


def winners(names: Sequence[str], places: Sequence[int]) -> str:
    """A clause that says who wins.

    >>> winners(["Ann", "Ben"], [2, 1]), winners(["Ann", "Ben", "Cid"], [1, 1, 3])
    ('Ben wins', 'Ann and Ben share the win')
    """
    best = [name for name, place in zip(names, places, strict=True) if place == 1]
    return f"{best[0]} wins" if len(best) == 1 else f"{listing(best)} share the win"


def outcome(names: Sequence[str], places: Sequence[int], scores: Sequence[int]) -> str:
    """The result in words: the winners, and everybody's score, the best first.

    >>> outcome(["Ann", "Ben"], [2, 1], [3, 7])
    'Ben wins: Ben 7, Ann 3'
    """
    order = sorted(range(len(names)), key=lambda i: places[i])
    return f"{winners(names, places)}: {', '.join(f'{names[i]} {scores[i]}' for i in order)}"
