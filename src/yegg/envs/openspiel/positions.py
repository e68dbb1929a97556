"""Positions that never change: a moment of a game with all that happened before it.

OpenSpiel copies states all the time.  Here nothing is copied: a moment is shared by all that come
after it.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from yegg.engine import CHANCE, NOBODY, Match, NotLegal, Refused, States, kernels
from yegg.engine.border import admitted
from yegg.engine.kernels import NO_DICE
from yegg.engine.notation import who
from yegg.engine.record import copied
from yegg.engine.secrecy import Past, text_for
from yegg.observations.encoder import Encoder
from yegg.observations.setting import Setting

SPECTATOR = -1  # knows what everybody knows
EVERYTHING = -2  # nothing is hidden


class Told(NamedTuple):
    """An event as somebody may know it."""

    line: str
    """As in a record: ``2 thorough``, ``* deal 1 -``."""
    code: int
    """1 + the choice if all of it is known, else 0."""


class Rules:
    """A game's compiled rules, and what writes a view as numbers."""

    def __init__(self, setting: Setting) -> None:
        """For one game with its number of players and options."""
        self.setting, self.game = setting, setting.game
        self.voice = self.game.voice
        self.engine = self.game.engine()
        self.advance = self.engine.kernel(kernels.advance)
        self.options_of = self.engine.kernel(kernels.options_of)
        self.veil = self.engine.kernel(kernels.veil)
        self._room = setting.dealt.copy()
        self._encoder = Encoder(setting, self._room)
        self._side = np.zeros(1, np.int32)
        self._alone = Lock()

    def first(self) -> "Moment":
        """The deal."""
        return self.at(copied(self.setting.dealt))

    def at(self, states: States, before: "tuple[tuple[Told, ...], ...] | None" = None) -> "Moment":
        """A position without a past; ``before`` says what each seat heard until then."""
        out, actor = self.out(), np.zeros(1, np.int32)
        many = self.options_of(states, out, actor)
        return Moment(self, states, int(actor[0]), tuple(out[:many].tolist()), heard=before)

    def out(self) -> NDArray[np.int32]:
        """Room for choices."""
        return np.zeros(self.game.choices, np.int32)

    def numbers(self, view: States, side: int) -> NDArray[np.float32]:
        """The columns of a view from the side of a seat, (C,)."""
        row = np.zeros((1, len(self.setting.columns)), np.float32)
        with self._alone:  # kernels let other threads run
            self._room[0], self._side[0] = view[0], side
            self._encoder.write(self._side, row, hidden=False)
        numbers: NDArray[np.float32] = row[0]
        return numbers


@cache
def rules_of(setting: Setting) -> Rules:
    """The rules of a setting, made once."""
    return Rules(setting)


class Moment:
    """A position and its past; nothing in it is ever changed."""

    step = 0
    """How many lines of orders have been written at the same time; see `sheets.Sheets`."""

    def __init__(
        self,
        rules: Rules,
        states: States,
        actor: int,
        legal: tuple[int, ...],
        past: "tuple[Moment, int] | None" = None,
        heard: tuple[tuple[Told, ...], ...] | None = None,
    ) -> None:
        """``past``: the moment before and the choice made there; None at the beginning.

        ``heard``: what each seat knows of events before the beginning, where it was made up.
        """
        self.rules, self.states, self.actor = rules, states, actor
        self.legal, self.past = legal, past
        self.events: int = past[0].events + 1 if past else 0
        self.heard: tuple[tuple[Told, ...], ...] | None = past[0].heard if past else heard
        self.replayed: int = past[0].replayed if past else 0
        """How many events since a beginning that was made up are sealed orders drawn anew."""
        self.told_to: dict[int, tuple[Told, ...]] = {}
        """What `told` has found."""

    def __deepcopy__(self, _memo: object) -> Self:
        return self

    def __reduce__(self) -> Any:
        first, choices = self.way()
        given = None if first.heard is None else (first.states.tobytes(), first.heard)
        return _again, (self.rules.setting, given, choices, self.replayed)

    @property
    def moment(self) -> "Moment":
        """The moment itself; of sheets, the one before they were written."""
        return self

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.actor == NOBODY

    @property
    def length(self) -> int:
        """How many events there were since the beginning."""
        return self.events

    @property
    def departed(self) -> bool:
        """Whether this comes after a moment that was made up, which itself is told as it was.

        What is learned later of events before it does not stand among them.
        """
        return self.heard is not None and self.events > self.replayed

    def way(self) -> tuple["Moment", list[int]]:
        """The beginning, and all choices since."""
        moment, choices = self, []
        while moment.past:
            moment, choice = moment.past
            choices.append(choice)
        return moment, choices[::-1]

    def after(self, choice: int) -> "Moment":
        """The moment after a choice of the actor.  Raises NotLegal."""
        return _after(self, choice)

    def play(self, choice: int) -> "Moment":
        """As `after`, but a new one every time."""
        rules, states, actor = self.rules, copied(self.states), np.zeros(1, np.int32)
        out = rules.out()
        many = rules.advance(states, choice, NO_DICE, out, actor)
        if many == kernels.ILLEGAL:
            raise NotLegal(f"choice {choice} is not legal here; possible: {self.possible()}")
        return Moment(rules, states, int(actor[0]), tuple(out[:many].tolist()), (self, choice))

    def possible(self) -> str:
        """The legal choices, in words."""
        return ", ".join(self.say(self.actor, choice) for choice in self.legal)

    def legal_of(self, seat: int) -> tuple[int, ...]:
        """The legal choices of a seat, or of chance."""
        return self.legal if seat == self.actor else ()

    def say(self, _seat: int, choice: int) -> str:
        """A legal choice of the actor in the words of the record."""
        return self.rules.voice.say(self.states[0], choice)

    def known_to(self, viewer: int) -> States:
        """What a seat, a spectator or somebody who sees everything may know; shape (1,)."""
        if viewer == EVERYTHING:
            return self.states
        states = copied(self.states)
        others = range(self.rules.setting.players) if viewer == SPECTATOR else ()
        for seat in [*others, viewer]:
            self.rules.veil(states, seat)
        return states

    def numbers(self, viewer: int, side: int) -> NDArray[np.float32]:
        """The columns of what somebody may know, from the side of a seat, (C,)."""
        return self.rules.numbers(self.known_to(viewer), side)

    def heard_by(self, viewer: int) -> tuple[Told, ...]:
        """All that has happened as somebody may know it now.

        What was known once stays known, so only the rest is asked for again.
        """
        who_asks = viewer if self.rules.game.secret else EVERYTHING
        if who_asks not in self.told_to:
            self.told_to[who_asks] = self._tell(who_asks)
        return self.told_to[who_asks]

    def _tell(self, viewer: int) -> tuple[Told, ...]:
        chain = [self]
        while chain[-1].past and viewer not in chain[-1].told_to:
            chain.append(chain[-1].past[0])
        told = list(chain.pop().told_to.get(viewer) or self.before(viewer))
        if viewer == EVERYTHING:
            return (*told, *(moment.said() for moment in reversed(chain)))
        first = len(self.before(viewer))
        asked = [i for i in range(first, first + self.events) if i >= len(told) or not told[i].code]
        told += [UNKNOWN] * (first + self.events - len(told))
        past = self.record_of_all() if asked else None
        for i in asked:
            told[i] = self._seen(past, i - first, viewer)
        return tuple(told)

    def before(self, viewer: int) -> tuple[Told, ...]:
        """What somebody heard before the beginning; nothing, unless that was made up."""
        if self.heard is None:
            return ()
        return self.heard[viewer if viewer >= 0 else -1]

    def said(self) -> Told:
        """The last event, nothing hidden."""
        moment, choice = self.past or (self, 0)
        return Told(f"{who(moment.actor)} {moment.say(moment.actor, choice)}", 1 + choice)

    def record_of_all(self) -> Past:
        """Everything since the beginning, for a game's `seen`."""
        chain: list[Moment] = [self]
        choices = []
        while chain[-1].past:
            moment, choice = chain[-1].past
            chain.append(moment)
            choices.append(choice)
        chain.reverse()
        states = [moment.states[0] for moment in chain]
        return Past(states, choices[::-1], [moment.actor for moment in chain[:-1]])

    def _seen(self, past: Any, event: int, viewer: int) -> Told:
        text = text_for(self.rules.voice, past, event, viewer)
        whole = text == self.rules.voice.say(past.states[event], past.choices[event])
        code = 1 + past.choices[event] if whole else 0
        return Told(f"{who(past.actors[event])} {text}", code)

    def imagined(self, seat: int, draw: Callable[[], float]) -> "Moment":
        """A moment that a seat cannot tell from this one, all that is hidden drawn anew.

        ``draw`` gives numbers from 0 up to 1.  Sealed orders of others are drawn evenly.  Raises
        Refused where chance acts.
        """
        if not self.rules.game.secret:
            return self
        if self.actor == CHANCE:
            raise Refused("what is hidden is drawn anew where a player decides, not before chance")
        start, sealed = self._sealed()
        moment = start.dealt_anew(seat, draw)
        for actor, choice in sealed:
            moment = moment.after(choice if actor == seat else draw_one(moment.legal, draw))
        moment.replayed = moment.events
        return moment

    def _sealed(self) -> tuple["Moment", list[tuple[int, int]]]:
        """Where the orders begin that are still sealed, and these orders: (seat, choice)."""
        moment, orders = self, []
        while moment.past and moment.past[0].actor >= 0:
            before, choice = moment.past
            others = [q for q in range(self.rules.setting.players) if q != before.actor]
            if all(before.known_to(q).tobytes() != moment.known_to(q).tobytes() for q in others):
                break
            orders.append((before.actor, choice))
            moment = before
        return moment, orders[::-1]

    def dealt_anew(self, seat: int, draw: Callable[[], float]) -> "Moment":
        """The position with all that a seat does not know drawn anew; its past is only heard."""
        moment = self.rules.at(copied(self.known_to(seat)))
        while moment.actor == CHANCE:
            moment = moment.after(draw_one(moment.legal, draw))
        everybody = self.heard_by(SPECTATOR)
        heard = [
            (*everybody, Told(moment.known_to(q).tobytes().hex(), 0))
            if q != seat
            else self.heard_by(q)
            for q in range(self.rules.setting.players)
        ]
        return self.rules.at(moment.states, (*heard, everybody))

    def match(self) -> Match:
        """The game so far as a match.  Raises Refused if its past was made up."""
        first, choices = self.way()
        if first.heard is not None:
            raise Refused("a state that was imagined has no record")
        setting = self.rules.setting
        match = Match(setting.game, setting.players, setting.options)
        match.follow(choices)
        return match


UNKNOWN = Told("", 0)


@lru_cache(maxsize=4096)
def _after(moment: Moment, choice: int) -> Moment:
    """Algorithms that walk through a small game many times find its moments, and what was told."""
    return moment.play(choice)


def draw_one(choices: tuple[int, ...], draw: Callable[[], float]) -> int:
    """One of them, all equally likely."""
    return choices[min(int(draw() * len(choices)), len(choices) - 1)]


def _again(
    setting: Setting,
    given: tuple[bytes, tuple[tuple[Told, ...], ...]] | None,
    choices: list[int],
    replayed: int,
) -> Moment:
    """A moment that was pickled."""
    rules = rules_of(setting)
    moment = rules.first()
    if given:
        states = np.frombuffer(bytearray(given[0]), moment.states.dtype)
        moment = rules.at(admitted(rules.game, states), given[1])
    for choice in choices:
        moment = moment.after(choice)
    moment.replayed = replayed
    return moment
