"""What one seat may see of a table: worked out once, and read by pages, scripts and streams."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from yegg.engine import View
from yegg.engine.orders import ahead
from yegg.engine.secrecy import Heard, hides

from . import faces
from .shown_position import ShownPosition

SEEN = 12  # newest events that scripts are told
T = TypeVar("T")


class TableView:
    """A table as one seat (-1: who watches) may see it, at one position.

    Each part is worked out when it is asked for; what several ask for, once.  Nothing here is JSON
    or a page: `as_json` and `html_view` make these of it.
    """

    def __init__(self, shown: ShownPosition, seat: int) -> None:
        """``shown`` has what is the same for all seats."""
        self.shown, self.seat, self.now, self.game = shown, seat, shown.now, shown.game
        self.number = shown.now.seen[seat]
        """The number of the newest event that the seat knows of."""
        self.acting = at = shown.acting.get(seat)
        """The game as the seat finds it, if it may act, or has given its orders."""
        self.turn_of = None if at is None or at.full else at.match
        """The same, if it still has to choose something."""
        self._made: dict[Callable[[TableView], Any], Any] = {}

    def once(self, make: Callable[["TableView"], T]) -> T:
        """What a function makes of this view, once for all who sit or watch there."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    @cached_property
    def eyes(self) -> View:
        """What the seat may know, with its own sealed orders."""
        own = self.acting if self.shown.sealed else None
        return (own.match if own else self.now.match).view(self.seat)

    @cached_property
    def heard(self) -> list[Heard]:
        """The newest events as the seat may know them, as many as faces and pages tell."""
        return self.shown.heard(self.seat, faces.TOLD)

    @property
    def texts(self) -> list[str]:
        """The newest events as the seat may know them, in the words of the record."""
        match = self.now.match
        if not hides(match):
            return self.now.said[-SEEN:]
        return self.shown.teller.texts(match, self.seat, SEEN)

    @property
    def question(self) -> str:
        """The question to the seat, or to whoever is to act, as far as the seat may know it."""
        ask, acting = self.game.voice.ask, self.shown.acting
        if not self.game.voice.asks or not acting:
            return ""
        if self.shown.sealed and self.acting:
            return ask(self.turn_of.state) if self.turn_of else ""
        if self.acting or not self.now.secret:  # everybody sees what the actor sees
            return ask(self.now.match.state)
        return self.shown.once("asked", lambda: self._known_question(ask))

    @property
    def asked_of_others(self) -> str:
        """The question of the actor as the others hear it; "" if they hear none."""
        ask = self.game.voice.ask_others
        if not self.game.voice.asks or not self.shown.acting:
            return ""
        if not self.now.secret:
            return ask(self.now.match.state)
        return self.shown.once("asked of others", lambda: self._known_question(ask))

    def _known_question(self, ask: Callable[[Any], str]) -> str:
        """The question as far as everybody may know it."""
        view = self.now.match.known_to(-1)
        seen = int(self.game.rules.actor(view[0]))
        return ask(view[0]) if seen in self.shown.acting else ""

    @property
    def choices(self) -> dict[str, int]:
        """All that the seat may do now: the words of the record, and the number."""
        return self.turn_of.texts if self.turn_of else {}

    @cached_property
    def acts(self) -> list[dict[str, Any]]:
        """What the seat may do, as buttons with their odds where the table allows them."""
        match = self.turn_of
        if match is None or self.now.seats[self.seat].bot:
            return []
        s = match.known_to(self.seat)[0]
        listed = faces.acts(self.game, s, self.seat, self.choices)
        voice = self.game.voice
        for act in listed:
            if not self.shown.odds:
                act["chance"] = None
            elif voice.has_odds and not {"odds", "chance", "no"} & act.keys():
                act["odds"] = voice.odds(s, match.hear(act["text"]), self.seat)
        return listed

    @property
    def can_undo(self) -> bool:
        """Whether the seat has something to take back."""
        return self.seat >= 0 and self.now.may_undo(self.seat)

    @property
    def orders(self) -> list[str]:
        """The seat's sealed orders, in the words of the record."""
        given = self.now.orders.get(self.seat)
        there = ahead(self.now.match, self.seat) if given else None
        if not given or there is None:
            return []
        twin, texts = there.fork(), []
        for order in given:
            if order not in twin.choices:  # of older rules
                break
            texts.append(twin.say(order))
            twin.play(order)
        return texts

    @property
    def alone_with_bots(self) -> bool:
        """Whether bots play all other seats."""
        return all(place.bot for i, place in enumerate(self.now.seats) if i != self.seat)

    @cached_property
    def sheet(self) -> dict[str, bool] | None:
        """The sheet of orders of a seat that may still seal it or open it again; else None."""
        at = self.acting if self.now.sealed and self.now.begun else None
        if at is None or self.now.seats[self.seat].bot or self.seat in self.now.late:
            return None
        return {"full": at.full, "sealed": at.ready, "reveal": self.alone_with_bots}
