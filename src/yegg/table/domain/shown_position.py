"""The position that is drawn, whether or not a table keeps it; and how a game ended."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from yegg.engine import Game, Match
from yegg.engine.secrecy import Heard, Teller
from yegg.text.phrases import listing

from .dice import Promised
from .seats import Event, Kind
from .state import TableState

T = TypeVar("T")


class Stage:
    """A position with a name, people on its seats, and the story of how it came about.

    A `Table` is a stage that is kept on disk.  Lessons are stages that nobody keeps: they are made
    for one answer and forgotten.
    """

    away: frozenset[int] = frozenset()
    """Seats whose owners are away though it is their turn."""
    held: frozenset[int] = frozenset()
    """Free seats that are held for somebody."""
    guests: int = 0
    """How many watch who have no seat."""
    origin: str | None = None
    """Where its first events were played: an address on this server."""

    dice: Promised | None = None
    """Its chance, if that was promised: not where nobody keeps it."""

    def __init__(
        self, game: Game, key: str, name: str, now: TableState, *, odds: bool = True
    ) -> None:
        """``odds``: whether hints may be shown."""
        self.game, self.key, self.name, self.odds = game, key, name, odds
        self.now = now
        self.parts: dict[Any, Any] = {}  # what several views of this position have in common
        self._teller: Teller | None = None

    def moment(self) -> int:
        """What time it is, in milliseconds since 1970; 0 where nobody is hurried."""
        return 0

    @property
    def teller(self) -> Teller:
        """The story so far, in words; made when somebody asks for it."""
        if self._teller is None:
            self._teller = Teller(self.now.match)
        return self._teller

    def heard(self, seat: int, last: int | None = None) -> list[Heard]:
        """The newest events as a seat (-1: a spectator) may know them, with the names of then."""
        return self.teller.hear(self.now.match, seat, last, self.now.called_at)

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """Make something once for all views of this position; ``key`` holds all it depends on."""
        if key not in self.parts:
            self.parts[key] = make()
        made: T = self.parts[key]
        return made

    def able(self) -> list[str]:
        """The bots that may take a seat here: none, where nobody keeps the seats."""
        return []

    def preparing(self, _bot: str) -> bool:
        """Whether a bot still has to be compiled before it can play."""
        return False

    def hopeless(self, _bot: str) -> bool:
        """Whether a bot could not be compiled here, so that its stand-in plays on."""
        return False

    def waiting_for(self) -> str:
        """Whom the game waits for, in words; bots are marked."""
        return f"Waiting for {listing([self._awaited(seat) for seat in self.now.waited_for()])}"

    def _awaited(self, seat: int) -> str:
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
