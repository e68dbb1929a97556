"""Tables that were begun under other rules: they are looked at and told, and go no further.

On the disk is what everybody did; the rules of then are gone.  So today's rules follow the
events as long as each of them is possible and is said in the words of then.  Where they
part from the older ones the position stays, and what follows is told in the words kept.
"""

from typing import Any, Self

import sqlalchemy as sa

from yegg.engine import Match
from yegg.engine.notation import body, head, who
from yegg.engine.prose import counted

from .sealed_orders import Acting
from .seats import Event, Kind
from .state import TableState

PARTING = "Here today's rules part from those of then. What follows cannot be replayed."


def position(row: sa.Row[Any], match: Match) -> TableState:
    """A table before its first event; ``row`` is its head."""
    if row.version == match.game.version:
        return TableState(match)
    return Older(match, row.version, ended=row.ended is not None, result=row.result)


class Older(TableState):
    """A position as far as today's rules can follow.  Nobody is to act, nothing happens."""

    def __init__(
        self, match: Match, version: int, *, ended: bool, result: dict[str, list[int]] | None
    ) -> None:
        """``result`` as it was counted then, if it was kept."""
        super().__init__(match)
        self.version, self.ended, self.kept = version, ended, result
        self.seen = [1] * len(self.seen)  # that the rules have changed is news to everybody
        self.beyond: list[Event] = []
        """What cannot be followed."""
        age = "older" if version < match.game.version else "newer"
        self.rules = f"{age} rules (version {version})"
        if ended:
            self.closed = f"This game was played under {self.rules}; it can be looked at."
        else:
            self.closed = (
                f"This game was begun under {self.rules}; it can be looked at but not go on."
            )

    def fork(self) -> Self:
        """The same position, to be changed."""
        twin = super().fork()
        twin.beyond = self.beyond.copy()
        return twin

    @property
    def over(self) -> bool:
        """Whether it was played to its end, and the end can be told."""
        return self.ended and (self.kept is not None or self._followed_to_the_end())

    def _followed_to_the_end(self) -> bool:
        return super().over and not self.beyond

    def result(self) -> tuple[list[int], list[int]]:
        """Places and scores as they were counted then, or else by today's rules."""
        return (self.kept["places"], self.kept["scores"]) if self.kept else super().result()

    def acting(self) -> dict[int, Acting]:
        """Nobody: no person, no bot, no order."""
        return {}

    def may_undo(self, _seat: int) -> bool:
        """Nothing."""
        return False

    def due(self, _dice: Any) -> Event | None:
        """Nothing."""
        return None

    @property
    def note(self) -> str:
        """Why it is closed, and how far it is told."""
        said, today = [self.closed], f"today's rules (version {self.match.game.version})"
        if self.beyond:
            there = len(self.match.history)
            told = f"{there} of its {counted(there + len(self.beyond), 'event')}"
            said.append(f"Only the first {told} can be followed by {today}.")
        if self.over and not self.kept:
            said.append(f"Places and scores are counted by {today}.")
        return " ".join(said)

    # What happened

    def _happens(self, event: Event) -> bool:
        if event.choice <= Kind.ORDER:
            self.orders.setdefault(event.actor, []).append(self._order(event))
            return True
        if self.beyond and (event.choice >= 0 or event.choice in (Kind.UNDO, Kind.DROP)):
            return self._follows(event)
        if event.choice >= 0:
            number = self._today(event)
            if number is None:
                return self._follows(event)
            event = event._replace(choice=number)
        return super()._happens(event)

    def _today(self, event: Event) -> int | None:
        """The choice's number now; None if today's rules do not know it here."""
        match = self.match
        if match.actor != event.actor:
            return None
        known = event.choice in (*match.choices, *match.specials)
        if known and event.words in (None, match.say(event.choice)):
            return event.choice
        return match.texts.get(event.words) if event.words else None

    def _order(self, event: Event) -> int:
        """The number now of an order under seal; -1 if it is not possible any more."""
        found = self._who_acts().get(event.actor)
        number = Kind.ORDER - event.choice
        if self.beyond or found is None:
            return -1
        there = found.match
        if number in there.choices and event.words in (None, there.say(number)):
            return number
        return there.texts.get(event.words or "", -1)

    def _follows(self, event: Event) -> bool:
        """Something that happened after the last event that can be followed."""
        orders = self.orders.get(event.actor, [])
        if event.choice == Kind.UNDO:
            if orders:
                orders.pop()
                return True
            if self.beyond and self.beyond[-1].actor == event.actor:
                self.beyond.pop()
        elif event.choice == Kind.DROP:
            orders.clear()
            return True
        else:
            self.beyond.append(event)
            del orders[:1]
        return False

    # How it is told

    def told_beyond(self, seat: int) -> list[tuple[int, str]]:
        """What cannot be followed and whose words were kept, as far as a seat may know them."""
        return [(e.actor, e.words) for e in self.beyond if e.words and self._may_know(e, seat)]

    def _may_know(self, event: Event, seat: int) -> bool:
        """Without its rules nobody can tell what of a secret game others have seen."""
        return self.ended or not self.secret or event.actor == seat

    def record(self, seat: int) -> str:
        """The record as a seat may know it; today's rules can read it as far as they follow."""
        match = self.match
        top = [line for line in head(match) if not line.startswith(("places:", "score:"))]
        notes = [f"# {self.note}"]
        if self.over:
            places, scores = (", ".join(map(str, numbers)) for numbers in self.result())
            counts = [f"places: {places}", f"score: {scores}"]
            if self._followed_to_the_end() and self.result() == super().result():
                top += counts
            else:
                notes += [f"# {line}" for line in counts]
        lines = body(match, seat=None if self.ended else seat)
        rest = [f"# {who(e.actor)} {self._beyond_words(e, seat)}" for e in self.beyond]
        if rest:
            rest.insert(0, f"# {PARTING}")
        return "\n".join([*notes, *top, "", *lines, *rest]) + "\n"

    def _beyond_words(self, event: Event, seat: int) -> str:
        """An event's words, or its number of then where no words were kept, or ``-``."""
        known = self._may_know(event, seat)
        return (event.words or f"choice {event.choice}") if known else "-"
