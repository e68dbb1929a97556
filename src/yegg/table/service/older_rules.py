"""Tables that were begun under older rules: people can look at them, but not play on.

The disk holds what everybody did, but not the rules of that time.  So today's rules replay the
events as long as each is legal and has the same words as before.  At the first other event the
position stays as it is, and the later events are shown in the words that were kept.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import sqlalchemy as sa

from yegg.engine import Match
from yegg.engine.earlier import in_version
from yegg.engine.notation import body, head, who
from yegg.table.domain.clock import Clock, ClockTerms, Span
from yegg.table.domain.sealed_orders import Acting
from yegg.table.domain.seats import Event, Kind
from yegg.table.domain.state import TableState
from yegg.text.phrases import counted

PARTING = "Here today's rules part from those of then. What follows cannot be replayed."


def position(row: sa.Row[Any], match: Match, closed: Sequence[Span] = ()) -> TableState:
    """A table before its first event; ``row`` is its head, ``closed`` when the house was closed."""
    terms = ClockTerms.read(row.clock)
    clock = Clock.of(terms, row.seats, closed) if terms else None
    if row.version == match.game.version:
        return TableState(match, clock)
    older = Older(match, row.version, ended=row.ended is not None, result=row.result)
    older.clock = clock
    return older


def replayed(row: sa.Row[Any], rows: Iterable[sa.Row[Any]]) -> TableState:
    """A table after its events, for whoever looks after the house beside its servers.

    Raises Refused.
    """
    game = in_version(row.game, row.version)
    now = position(row, Match(game, row.seats, row.options, how="plain"))
    for event in rows:
        now.apply(Event.read(event))
    return now


class Older(TableState):
    """A position under older rules, as far as today's can replay it.  Nobody can act any more."""

    def __init__(
        self, match: Match, version: int, *, ended: bool, result: dict[str, list[int]] | None
    ) -> None:
        """``row``, the table's head, holds the result as it was counted then, if it was kept."""
        super().__init__(match)
        self.version, self.ended, self.kept = version, ended, result
        older = version < match.game.version
        self.seen = [int(older)] * len(self.seen)
        """That the rules have changed is news; but a newer process plays what has newer rules."""
        self.beyond: list[Event] = []
        """The events that today's rules cannot replay."""
        self.rules = f"{'older' if older else 'newer'} rules (version {version})"
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
    def played(self) -> int:
        """How many events of the game there are, also of those that cannot be replayed."""
        return len(self.said) + len(self.beyond)

    @property
    def over(self) -> bool:
        """Whether it was played to its end, and the result is known."""
        return self.ended and (self.kept is not None or self._followed_to_the_end())

    def _followed_to_the_end(self) -> bool:
        return super().over and not self.beyond

    def result(self) -> tuple[list[int], list[int]]:
        """Places and scores as they were counted then, or else by today's rules."""
        return (self.kept["places"], self.kept["scores"]) if self.kept else super().result()

    def _shut(self, actor: int) -> None:
        """It was closed before its end, so that nobody may know more than before."""
        super()._shut(actor)
        self.ended = False

    def acting(self) -> dict[int, Acting]:
        """Nobody: no person, no bot, no order."""
        return {}

    def may_undo(self, _seat: int) -> bool:
        """Nothing."""
        return False

    def due(self, _chance: Callable[[Self], int]) -> Event | None:
        """Nothing."""
        return None

    @property
    def note(self) -> str:
        """Why it is closed, and how far it can be replayed."""
        sentences, today = [self.closed], f"today's rules (version {self.match.game.version})"
        if self.beyond:
            first = len(self.match.history)
            part = f"{first} of its {counted(first + len(self.beyond), 'event')}"
            sentences.append(f"Only the first {part} can be followed by {today}.")
        if self.over and not self.kept:
            sentences.append(f"Places and scores are counted by {today}.")
        return " ".join(sentences)

    # What happened

    def _happens(self, event: Event) -> bool:
        if event.kind == Kind.ORDER:
            self.orders.setdefault(event.actor, []).append(self._order(event))
            return True
        if self.beyond and event.kind in (Kind.CHOICE, Kind.UNDO, Kind.DROP):
            return self._follows(event)
        today = self.today(event)
        return self._follows(event) if today is None else super()._happens(today)

    def today(self, event: Event) -> Event | None:
        """An event as today's rules number its choice, before it is applied; None: not allowed."""
        if event.kind not in (Kind.CHOICE, Kind.ORDER):
            return event
        of = self._today(event) if event.kind == Kind.CHOICE else self._order(event)
        return None if of < 0 else event._replace(of=of)

    def _today(self, event: Event) -> int:
        """The choice's number under today's rules; -1 if they do not allow it here."""
        match = self.match
        if match.actor != event.actor:
            return -1
        known = event.of in (*match.choices, *match.specials)
        return _number(match, event, known=known)

    def _order(self, event: Event) -> int:
        """A sealed order's number under today's rules; -1 if they do not allow it."""
        at = self._who_acts().get(event.actor)
        if self.beyond or at is None:
            return -1
        return _number(at.match, event, known=event.of in at.match.choices)

    def _follows(self, event: Event) -> bool:
        """Note an event that comes after the last one that can be replayed."""
        orders = self.orders.get(event.actor, [])
        if event.kind == Kind.UNDO:
            if orders:
                orders.pop()
                return True
            if self.beyond and self.beyond[-1].actor == event.actor:
                self.beyond.pop()
        elif event.kind == Kind.DROP:
            orders.clear()
            return True
        else:
            self.beyond.append(event)
            del orders[:1]
        return False

    # How it is told

    def told_beyond(self, seat: int) -> list[tuple[int, str]]:
        """The events that cannot be replayed, in the words kept, as far as a seat may know them."""
        return [(e.actor, e.words) for e in self.beyond if e.words and self._may_know(e, seat)]

    def _may_know(self, event: Event, seat: int) -> bool:
        """Whether a seat may know an event; in a secret game, only the actor may until the end."""
        return self.ended or not self.secret or event.actor == seat

    def record(self, seat: int, dice: list[str]) -> str:
        """The record as a seat may know it; what today's rules cannot replay stands in comments.

        ``dice``: what it says of its dice.
        """
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
        return "\n".join([*notes, *dice, *top, "", *lines, *rest]) + "\n"

    def _beyond_words(self, event: Event, seat: int) -> str:
        """An event's words; its number if no words were kept; ``-`` if the seat may not know it."""
        known = self._may_know(event, seat)
        return (event.words or f"choice {event.of}") if known else "-"


def _number(match: Match, event: Event, *, known: bool) -> int:
    """The number of a choice by its own, if it is ``known``, or else by its words; -1 without."""
    if known and event.words in (None, match.say(event.of)):
        return event.of
    return match.texts.get(event.words or "", -1)
