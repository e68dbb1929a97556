"""Seats of a table: who sits there, what can happen to a seat, and notices about it."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, NamedTuple

from yegg.engine.record import SIDES
from yegg.text.names import alike, unlike

from .watching import WatchTerms

BOT = "\u2063"
"""A character after a name: a bot plays there.  Names cannot contain it; pages show a sign."""


CITIZENS = "Bexley Corvin Dorn Elspet Hob Ilse Juno Lark Nessa Orrin Pike Quill Rue Siveny Tamsin Vesper".split()  # noqa: E501, SIM905


def citizen(taken: Collection[str]) -> str:
    """A random name for a bot that nobody at the table has."""
    return random.choice([name for name in CITIZENS if not alike(name, taken)])  # noqa: S311


class Kind(IntEnum):
    """The kinds of events at a table.  On disk each has this number; see `Event.number`."""

    CHOICE = 0  # of the game; on disk its own number, 0 or more
    SIT = -1  # somebody, or a bot, takes a free seat
    LEAVE = -2  # and gives it back
    BOT = -3  # a bot plays for the owner
    BACK = -4  # the owner plays again
    UNDO = -5  # the last choice, or the last order, is taken back
    DROP = -6  # orders that were not carried out
    FAIL = -7  # the bot failed; another plays on
    NAME = -8  # the owner is called something else
    NEXT = -9  # the owner has set the table again: the words are the new table's key
    HOLD = -10  # a free seat is held for somebody for a while
    LATE = -11  # the owner's time is up: a bot, or what the rules write, plays this turn
    GONE = -12  # so again: a bot plays until the owner is back
    AWAY = -13  # the owner is on holiday until the moment in the words; their time stands
    HERE = -14  # and is back
    PAUSE = -15  # the owner would like a pause; when all people would, everybody's time stands
    GO_ON = -16  # the owner wants no pause, or ends it
    CLOSED = -17  # the owner, or whoever runs the server (-1), has closed the table
    CLOSE_VOTE = -18  # the owner would like to close it
    CALLED = -19  # whoever runs the server calls the owner something else
    PUT = -20  # another seat's owner lets a bot play on this seat, free or a friend's
    GIVE = -30  # the owner gives another seat the time of another turn
    SEAL = -70  # the owner hands in a sheet of orders; a full one that is open counts from then on
    OPEN = -71  # the owner keeps a sheet of orders open, or opens it again
    COACH = -72  # the owner has asked the coach
    CHALLENGE = -73  # the owner lets friends play the same deal: the words are the link's key
    WATCH = -74  # whoever opened the table says who may watch, and how much later
    ORDER = -100  # a choice kept secret until it is due


FIRST = Kind.PUT - Kind.GIVE
"""Bots put by so many seats have numbers below `PUT`, where processes of older versions look."""
NUMBERS = {  # on disk: a number less which other seat, or which choice
    **{(Kind.PUT, seat): Kind.PUT - seat for seat in range(FIRST)},
    **{(Kind.PUT, seat): -50 - seat for seat in range(FIRST, SIDES)},
    **{(Kind.GIVE, seat): Kind.GIVE - seat for seat in range(SIDES)},
}
MEANT = {number: meant for meant, number in NUMBERS.items()}


class Event(NamedTuple):
    """What happened; name, person and bot are set if somebody begins to play or is renamed."""

    actor: int
    kind: Kind
    of: int = -1
    """Of a choice or an order, which; of `PUT` and `GIVE`, which other seat; else -1."""
    name: str | None = None
    person: str | None = None
    bot: str | None = None
    words: str | None = None
    """A choice in the words of the record, where they are known already."""
    at: int = 0
    """When it happened, in ms since 1970; 0 if it has not happened yet."""

    @classmethod
    def read(cls, row: Any) -> "Event":
        """An event that is on disk, with who sat down at it.

        A process of an older version, while it stands beside this one, writes the number of `GIVE`
        also where the owner of a later seat puts a bot somewhere.
        """
        kind, of = meant(row.choice)
        if row.bot and kind == Kind.GIVE:
            kind, of = Kind.PUT, of + FIRST
        return cls(row.actor, kind, of, row.name, row.person, row.bot, row.words, row.at)

    @property
    def number(self) -> int:
        """The kind, and what it is of, as the disk has them."""
        if self.kind == Kind.CHOICE:
            return self.of
        if self.kind == Kind.ORDER:
            return Kind.ORDER - self.of
        return NUMBERS.get((self.kind, self.of), self.kind)


def meant(number: int) -> tuple[Kind, int]:
    """The kind that a number on disk stands for, and what it is of.  Raises ValueError."""
    if number >= 0:
        return Kind.CHOICE, number
    if number <= Kind.ORDER:
        return Kind.ORDER, Kind.ORDER - number
    return MEANT.get(number) or (Kind(number), -1)


HOLDING = 120_000
"""For how many milliseconds a seat is held for somebody who has not sat down yet."""


class Held(NamedTuple):
    """A reservation of a free seat: for whom, and until when, in ms since 1970."""

    name: str
    person: str
    until: int


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    name: str
    person: str | None = None
    bot: str | None = None
    held: Held | None = None
    stand_in: bool = False
    """Whether the bot plays only this turn, because the owner's time was up."""
    lantern: bool = False
    """Whether the owner has asked the coach in this game."""

    @property
    def free(self) -> bool:
        """Whether anybody may sit down."""
        return self.person is None and self.bot is None

    def kept_from(self, person: str | None, now: int) -> Held | None:
        """For whom else the seat is still held at a time, in ms since 1970; None if it is not."""
        held = self.held
        return held if held and held.person != person and now < held.until else None

    @property
    def marked(self) -> str:
        """The name for sentences; it ends with `BOT` if a bot plays."""
        return f"{self.name}{BOT}" if self.bot else self.name


def unlike_others(name: str, seats: Sequence[Seat], own: int = -1) -> str:
    """A name for a seat, with a number if another than ``own`` has one that looks like it."""
    return unlike(name, [place.name for i, place in enumerate(seats) if i != own])


class Notice(NamedTuple):
    """Something about a seat that everybody at the table is told."""

    after: int
    """How many events of the game there were before."""
    kind: str
    """One of `TOLD`."""
    seat: int
    text: str


TOLD: dict[Kind, str] = {
    Kind.SIT: "sat",
    Kind.LEAVE: "left",
    Kind.BOT: "handed",
    Kind.BACK: "back",
    Kind.FAIL: "failed",
    Kind.NAME: "renamed",
    Kind.CALLED: "renamed",
    Kind.NEXT: "again",
    Kind.LATE: "late",
    Kind.GONE: "late",
    Kind.AWAY: "holiday",
    Kind.HERE: "here",
    Kind.PAUSE: "pause",
    Kind.GO_ON: "go-on",
    Kind.CLOSE_VOTE: "close",
    Kind.PUT: "put",
    Kind.GIVE: "gave",
    Kind.COACH: "coach",
    Kind.WATCH: "watch",
}
"""The kinds of `Notice`, by what it tells of."""
TIMING = (Kind.LATE, Kind.GONE, Kind.AWAY, Kind.HERE, Kind.PAUSE, Kind.GO_ON, Kind.GIVE)
"""What is about somebody's time."""
TAKES_BACK = (Kind.UNDO, Kind.OPEN)
"""What takes back something that one has done."""


def seated(place: Seat, event: Event) -> Seat:
    """A seat after something has happened to it."""
    match event.kind:
        case Kind.SIT:
            return Seat(event.name or "", event.person, event.bot)
        case Kind.LEAVE:
            return Seat(f"Seat {event.actor + 1}")
        case Kind.BACK:
            return replace(place, bot=None, stand_in=False)
        case Kind.NAME | Kind.CALLED:
            return replace(place, name=event.name or "")
        case Kind.HOLD:
            held = Held(event.name or "", event.person or "", event.at + HOLDING)
            return replace(place, held=held)
        case Kind.NEXT | Kind.CLOSE_VOTE | Kind.COACH | Kind.CHALLENGE | Kind.WATCH:
            return replace(place, lantern=place.lantern or event.kind == Kind.COACH)
        case Kind.LATE:
            return replace(place, bot=event.bot, stand_in=event.bot is not None)
    stand_in = place.stand_in and event.kind == Kind.FAIL
    name = event.name or place.name
    return replace(place, name=name, bot=event.bot, held=None, stand_in=stand_in)


DOES: dict[Kind, str] = {
    Kind.BACK: "plays again",
    Kind.NEXT: "has set the table again",
    Kind.CLOSE_VOTE: "would like to close this table",
    Kind.COACH: "asks the coach",
}


def report(seats: Sequence[Seat], before: Seat, event: Event) -> str:
    """A sentence about what happened to a seat; empty if it happened at the start."""
    seat, who, n = seats[event.actor], before.name, event.actor + 1
    text = ""
    match event.kind:
        case Kind.SIT:
            if seat.person and any(other.person for other in seats if other is not seat):
                text = f"{seat.name} sits down."
        case Kind.LEAVE:
            text = f"{who} leaves the table: seat {n} is free."
        case Kind.BOT:
            text = f"{who} lets a bot ({event.bot}) play."
        case Kind.BACK | Kind.NEXT | Kind.CLOSE_VOTE | Kind.COACH:
            text = f"{who} {DOES[event.kind]}."
        case Kind.FAIL:
            owner = "'s bot" if seat.person else ""
            text = f"{who}{owner} ({before.bot}) failed; {event.bot} plays on."
        case Kind.NAME | Kind.CALLED | Kind.WATCH:
            text = told_of_terms(before, seat, event)
        case Kind.HOLD | Kind.CHALLENGE:
            pass
        case _:
            by = seats[event.of].name
            if before.free:
                text = f"{by} puts a bot ({event.bot}) on seat {n}: {seat.name}."
            else:
                text = f"{by} lets a bot ({event.bot}) play for {who}, who is away."
    return text


def told_of_terms(before: Seat, seat: Seat, event: Event) -> str:
    """A sentence about a new name, or about who may watch from now on."""
    if event.kind == Kind.WATCH:
        words = WatchTerms.read(event.words).words
        return f"{before.name} has changed who may watch: {words}." if before.person else ""
    if event.kind == Kind.CALLED:  # the old name may be one that nobody should read
        return f"The host has renamed seat {event.actor + 1}: {seat.name}."
    return f"{before.name} is now called {seat.name}."


def closed_by(seats: Sequence[Seat], actor: int, *, agreed: bool) -> str:
    """A sentence about who has closed a table; ``agreed``: others would like that, too."""
    if agreed:
        return "All who sit here have closed this table."
    who = "The host" if actor < 0 else seats[actor].name
    return f"{who} has closed this table."
