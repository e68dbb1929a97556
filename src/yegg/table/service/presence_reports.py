"""What processes of a server tell one another of their tables: who watches, and what is said."""

from collections.abc import Iterable, Iterator, Sequence

from yegg.table.domain.phrases import PHRASES
from yegg.table.domain.seats import Seat

from .presence import Guests, Presence
from .registry import Registry
from .remote_presence import EVERY, MARKED, NOBODY, marked

Seen = tuple[int, Guests]
"""How many watch a table here, and who of them has no seat."""


class Here:
    """What this process reports of its tables, and hears of them from others."""

    def __init__(self, registry: Registry) -> None:
        """``registry``: the tables of this process."""
        self.registry = registry
        self.reported: dict[int, Seen] = {}  # by game

    def told(self, second: int, *, everything: bool) -> Iterator[str]:
        """Each table's number, its watchers, a bit for each seat whose owner is present, guests.

        Of the guests there are those whom nobody knows, as a number, and the marks of the others.
        """
        for game, table in self.registry.by_number.items():
            there = len(table.watchers), table.presence.guests_here(table.now)
            due = everything or game % EVERY == second % EVERY
            if not due and there == self.reported.get(game, (0, NOBODY)):
                continue
            present = bits(table.presence, table.now.seats)
            if there[0] or present or self.reported.get(game, (0, NOBODY))[0]:
                yield f"{game} {there[0]} {present} {listed(there[1])}"
            self.reported[game] = there
        if len(self.reported) > 2 * len(self.registry.by_number) + 100:
            self.reported = {g: n for g, n in self.reported.items() if n[0]}

    def hear(self, process: str, said: Sequence[str]) -> None:
        """What another process reports of a table."""
        game, watchers, present, strangers = map(int, said[:4])
        table = self.registry.by_number.get(game)
        if table is None:
            return
        table.elsewhere.hear(process, watchers, guests=Guests(strangers, frozenset(said[4:])))
        for seat, place in enumerate(table.now.seats):
            if place.person and present >> seat & 1:
                table.presence.heard_of(place.person)
        table.look_round()

    def alive(self, processes: Iterable[str]) -> None:
        """Nobody watches any more through a process that is not alive."""
        there = set(processes)
        for table in self.registry.by_number.values():
            table.elsewhere.told = {p: t for p, t in table.elsewhere.told.items() if p in there}


class Said:
    """What people say across a table, from one process to the others, at once."""

    def __init__(self, registry: Registry) -> None:
        """``registry``: the tables of this process."""
        self.registry = registry

    def told(self, _second: int, *, everything: bool) -> Iterator[str]:  # noqa: ARG002  as all do
        """Nothing: a phrase does not wait for the next sign of life."""
        yield from ()

    def hear(self, _process: str, said: Sequence[str]) -> None:
        """Somebody has said something through another process."""
        game, seat, phrase = map(int, said)
        table = self.registry.by_number.get(game)
        if table and 0 <= seat < len(table.now.seats) and 1 <= phrase <= len(PHRASES):
            table.phrases.heard(seat, phrase)
            table.wake()

    def alive(self, _processes: Iterable[str]) -> None:
        """What was said was said."""


def listed(guests: Guests) -> str:
    """How many guests nobody knows, and the marks of the others; of very many only some."""
    marks = sorted(marked(person) for person in guests.people)
    return " ".join([str(guests.strangers + len(marks[MARKED:])), *marks[:MARKED]])


def bits(presence: Presence, seats: Sequence[Seat]) -> int:
    """A bit for each seat whose owner has a page open here, or has asked for something lately."""
    return sum(
        1 << seat
        for seat, place in enumerate(seats)
        if place.person and presence.lately(place.person, EVERY)
    )
