"""The view of a table as a script gets it: typed, and described in the API's pages."""

from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from yegg.engine import Match, States

from .rooms import Room

SEEN = 12  # of the newest events


class Place(msgspec.Struct):
    """A seat, from 1."""

    seat: int
    name: str
    bot: str | None
    """The player that plays it, if no person does."""
    free: bool
    ready: bool
    """Where all order at the same time: whether the orders are all given."""


class Legal(msgspec.Struct):
    """Something that you may do."""

    choice: int
    text: str
    odds: str = ""


class Happened(msgspec.Struct):
    """An event of the game; ``-`` stands for what you may not know."""

    seat: int | None
    """None: chance."""
    text: str


class Table(msgspec.Struct):
    """A table as one seat sees it."""

    id: str
    game: str
    name: str
    options: dict[str, str]
    number: Annotated[int, Meta(description="of the newest event that this seat knows of")]
    seat: Annotated[int | None, Meta(description="yours; null for those who watch")]
    seats: list[Place]
    begun: bool
    over: bool
    turn: Annotated[list[int], Meta(description="the seats that may act now")]
    question: str
    choices: Annotated[list[Legal], Meta(description="all that you may do now")]
    orders: Annotated[list[str], Meta(description="yours, that still can be taken back")]
    scores: list[int]
    places: Annotated[list[int] | None, Meta(description="once the game is over")]
    position: Annotated[dict[str, Any], Meta(description="the fields of the game's state")]
    happened: Annotated[list[Happened], Meta(description="the newest events, oldest first")]


def eyes(room: Room, seat: int) -> Match:
    """The match with nothing in it but what the seat may know, its own sealed orders too."""
    match = room.now.match
    if room.now.sealed and seat in room.now.acting():
        match = room.now.acting()[seat][0]
    twin = match.fork()
    twin.states = match.view(seat)
    return twin


def fields(states: States) -> dict[str, Any]:
    """A state's fields by name."""
    s = states[0]
    return {name: s[name].tolist() for name in s.dtype.names if name != "_pad"}


def question(room: Room, seat: int) -> str:
    """What is asked of the seat, or of whoever is to act as far as the seat may know it."""
    ask = getattr(room.game.words, "ask", None)
    acting = room.now.acting()
    if not ask or not acting:
        return ""
    if seat in acting:
        match, done = acting[seat]
        return "" if done else str(ask(match.state))
    view = room.now.match.view(-1)
    seen = int(room.game.rules.actor(view[0]))
    return str(ask(view[0])) if seen in acting else ""


def legal(room: Room, seat: int) -> list[Legal]:
    """All that the seat may do now."""
    match, done = room.now.acting().get(seat, (None, True))
    if match is None or done:
        return []
    odds = room.game.part("odds") if room.odds else None
    s = match.view(seat)[0] if odds else None
    return [
        Legal(choice, text, str(odds.odds(s, choice)) if odds else "")
        for text, choice in match.texts().items()
    ]


def orders(room: Room, seat: int) -> list[str]:
    """The seat's orders that wait for others."""
    match = room.now.match
    given = room.now.orders.get(seat)
    if not given:
        return []
    from .orders import ahead

    there = ahead(match, seat)
    if there is None:
        return []
    twin, texts = there.fork(), []
    for order in given:
        texts.append(twin.say(order))
        twin.play(order)
    return texts


def sheet(room: Room, seat: int) -> Table:
    """The table as a seat (-1: somebody who watches) sees it."""
    now, acting = room.now, room.now.acting()
    seen = eyes(room, seat)
    sealed = now.sealed
    return Table(
        id=room.key,
        game=room.game.name,
        name=room.name,
        options=now.match.options,
        number=now.seen[seat],
        seat=seat + 1 if seat >= 0 else None,
        seats=[
            Place(i + 1, p.name, p.bot, p.free, sealed and i in acting and acting[i][1])
            for i, p in enumerate(now.seats)
        ],
        begun=now.begun,
        over=now.over,
        turn=[i + 1 for i, (_, done) in acting.items() if not done],
        question=question(room, seat),
        choices=legal(room, seat),
        orders=orders(room, seat),
        scores=seen.scores(),
        places=seen.places() if now.over else None,
        position=fields(seen.states),
        happened=[
            Happened(line.actor + 1 if line.actor >= 0 else None, line.text)
            for line in room.chronicle.read(now.match, seat, SEEN)
        ],
    )


def as_json(room: Room, seat: int) -> bytes:
    """The table as a seat sees it, ready to be sent."""
    return msgspec.json.encode(sheet(room, seat), enc_hook=_plain)


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value
