"""The view of a table as a script gets it: typed, and described in the API's pages."""

from functools import cache
from math import prod
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
    advice: Annotated[bool, Meta(description="whether odds and advice may be asked for")]
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


@cache
def layout(dtype: np.dtype[Any]) -> list[tuple[str, int, tuple[int, ...]]]:
    """A state's fields: name, the place of its first number, and its shape."""
    found: Any = dtype.fields
    places = [(name, *found[name][:2]) for name in dtype.names or ()]
    return [(name, at // 4, field.shape) for name, field, at in places if name != "_pad"]


def fields(states: States) -> dict[str, Any]:
    """A state's fields by name."""
    numbers = states.view(np.int32).tolist()
    return {name: nested(numbers, at, shape) for name, at, shape in layout(states.dtype)}


def nested(numbers: list[int], at: int, shape: tuple[int, ...]) -> Any:
    """A number, a row of them, or rows of rows."""
    if not shape:
        return numbers[at]
    if len(shape) == 1:
        return numbers[at : at + shape[0]]
    size = prod(shape[1:])
    return [nested(numbers, at + i * size, shape[1:]) for i in range(shape[0])]


def question(room: Room, seat: int) -> str:
    """What is asked of the seat, or of whoever is to act as far as the seat may know it."""
    ask = getattr(room.game.words, "ask", None)
    acting = room.now.acting()
    if not ask or not acting:
        return ""
    if room.now.sealed and seat in acting:
        match, done = acting[seat]
        return "" if done else str(ask(match.state))
    if seat in acting or not room.chronicle.secret:  # all see what the actor sees
        return room.once("asked", lambda: str(ask(room.now.match.state)))
    return room.once("asked of others", lambda: asked_of_others(room))


def asked_of_others(room: Room) -> str:
    """What everybody may know of the question."""
    view = room.now.match.view(-1)
    seen = int(room.game.rules.actor(view[0]))
    return str(room.game.words.ask(view[0])) if seen in room.now.acting() else ""


def legal(room: Room, seat: int) -> list[Legal]:
    """All that the seat may do now."""
    match, done = room.now.acting().get(seat, (None, True))
    if match is None or done:
        return []
    return [Legal(choice, text) for text, choice in match.texts().items()]


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
    known = seen.states.tobytes()
    return Table(
        id=room.key,
        game=room.game.name,
        name=room.name,
        options=now.match.options,
        number=now.seen[seat],
        seat=seat + 1 if seat >= 0 else None,
        seats=room.once("seats", lambda: packed(places(room))),
        begun=now.begun,
        over=now.over,
        turn=[i + 1 for i, (_, done) in acting.items() if not done],
        question=question(room, seat),
        choices=legal(room, seat),
        orders=orders(room, seat),
        advice=room.odds,
        scores=room.once(("scores", known), seen.scores),
        places=room.once("places", seen.places) if now.over else None,
        position=room.once(("position", known), lambda: packed(fields(seen.states))),
        happened=happened(room, seat),
    )


def places(room: Room) -> list[Place]:
    """Who sits where."""
    ready = room.now.acting() if room.now.sealed else {}
    return [
        Place(i + 1, p.name, p.bot, p.free, i in ready and ready[i][1])
        for i, p in enumerate(room.now.seats)
    ]


def happened(room: Room, seat: int) -> Any:
    """The newest events, as the seat may know them."""

    def read() -> Any:
        told = room.chronicle.happened(room.now.match, seat, SEEN)
        return packed([Happened(i + 1 if i >= 0 else None, text) for i, text in told])

    return room.once(("happened", seat if room.chronicle.secret else None), read)


def packed(value: Any) -> Any:
    """As it will be sent; put into a view, it is not packed again."""
    return msgspec.Raw(msgspec.json.encode(value))


def as_json(room: Room, seat: int) -> bytes:
    """The table as a seat sees it, ready to be sent."""
    return msgspec.json.encode(sheet(room, seat))
