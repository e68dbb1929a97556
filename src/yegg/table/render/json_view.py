"""The JSON view of a table: typed, and described in the API's pages."""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from yegg.engine import States, View
from yegg.engine.secrecy import hides
from yegg.table.domain.shown_position import Stage

from . import clocks

SEEN = 12  # newest events in a view


class Place(msgspec.Struct):
    """A seat, from 1."""

    seat: int
    """Its number, from 1."""
    name: str
    """What whoever sits there is called; of a free seat `Seat` and its number."""
    bot: str | None
    """The bot that plays it, if no person does."""
    free: bool
    """Whether anybody may sit down."""
    ready: bool
    """In a game where all order at the same time: whether the orders are all given."""
    away: bool
    """Whether it is their turn and they have not been here for a while."""
    held: str | None
    """For whom the free seat is held for two minutes, after a rematch was asked for."""


class Legal(msgspec.Struct):
    """Something that you may do."""

    choice: int
    """Its number, which may be sent in place of the text."""
    text: str
    """Its words in the record."""


class Happened(msgspec.Struct):
    """An event of the game; ``-`` stands for what you may not know."""

    seat: int | None
    """None: chance."""
    text: str
    """The event in the words of the record."""


class Told(msgspec.Struct):
    """Something about a seat that everybody at the table is told."""

    after: int
    """How many events of the game there were before."""
    kind: Literal[
        "sat",
        "left",
        "handed",
        "back",
        "put",
        "failed",
        "renamed",
        "again",
        "late",
        "holiday",
        "here",
        "pause",
        "go-on",
        "gave",
        "close",
        "coach",
    ]
    """What happened: somebody sat down, left, handed the seat to a bot, took it back, put a bot on
    another seat, was renamed, has set the table again, was late, went on holiday, is here again,
    would like a pause, goes on, gave time, would like to close, asks the coach; or a bot failed.
    """
    seat: int
    """The seat that it is about, from 1."""
    text: str
    """The same in a sentence."""


class Shared(msgspec.Struct):
    """The part of a table's view that is the same for all who know the same."""

    id: str
    """The table's key."""
    game: str
    """The game's name."""
    name: str
    """The table's own name."""
    options: dict[str, str]
    """The game's options, by name."""
    seats: list[Place]
    """Who sits where."""
    begun: bool
    """Whether everybody has sat down, and the game goes on."""
    over: bool
    """Whether the game has ended."""
    closed: Annotated[
        str | None, Meta(description="why the game cannot go on, if it was begun under older rules")
    ]
    turn: Annotated[list[int], Meta(description="the seats that may act now")]
    question: str
    """What whoever is to act is asked, as far as you may know it."""
    advice: Annotated[bool, Meta(description="whether odds and advice may be asked for")]
    scores: list[int]
    """Everybody's score as it stands, as far as you may know it."""
    places: Annotated[list[int] | None, Meta(description="once the game is over")]
    position: Annotated[dict[str, Any], Meta(description="the fields of the game's state")]
    happened: Annotated[list[Happened], Meta(description="the newest events, oldest first")]
    next: Annotated[str | None, Meta(description="the table that was set for a rematch")]
    guests: Annotated[int, Meta(description="how many watch who have no seat")]
    origin: Annotated[str | None, Meta(description="where its first events were played")]
    notices: Annotated[
        list[Told], Meta(description="the latest news about the seats, oldest first")
    ]
    clock: Annotated[clocks.Timing | None, Meta(description="everybody's time; null: no hurry")]


class TableView(Shared):
    """A table as one seat sees it."""

    number: Annotated[
        int, Meta(description="the number of the newest event that this seat knows of")
    ]
    seat: Annotated[int | None, Meta(description="your seat; null if you watch")]
    choices: Annotated[list[Legal], Meta(description="all that you may do now")]
    orders: Annotated[
        list[str], Meta(description="your sealed orders, which you can still take back")
    ]


def eyes(table: Stage, seat: int) -> View:
    """What the seat may know, with its own sealed orders."""
    own = table.now.acting().get(seat) if table.now.sealed else None
    return (own.match if own else table.now.match).view(seat)


@cache
def form(dtype: np.dtype[Any]) -> str:
    """A state's fields by name as JSON, with a place for every number."""
    shapes = {name: dtype[name].shape for name in dtype.names or ()}
    named = [f'"{name}":{nested(shape)}' for name, shape in shapes.items() if name != "_pad"]
    return "{" + ",".join(named) + "}" + ("%.0s" if "_pad" in shapes else "")


def nested(shape: tuple[int, ...]) -> str:
    """A place for a number, for a row of them, or for rows of rows."""
    return f"[{','.join([nested(shape[1:])] * shape[0])}]" if shape else "%d"


def fields(states: States) -> msgspec.Raw:
    """A state's fields by name, as they will be sent."""
    numbers = tuple(states.view(np.int32).tolist())
    return msgspec.Raw((form(states.dtype) % numbers).encode())


def question(table: Stage, seat: int) -> str:
    """The question to the seat, or to whoever is to act, as far as the seat may know it."""
    ask, acting = table.game.voice.ask, table.now.acting()
    if not table.game.voice.asks or not acting:
        return ""
    if table.now.sealed and seat in acting:
        own = table.now.turn_of(seat)
        return ask(own.state) if own else ""
    if seat in acting or not table.now.secret:  # everybody sees what the actor sees
        return ask(table.now.match.state)
    return table.once("asked", lambda: known_question(table, table.game.voice.ask))


def asked_of_others(table: Stage) -> str:
    """The question of the actor as the others hear it; "" if they hear none."""
    ask_others = table.game.voice.ask_others
    if not table.game.voice.asks or not table.now.acting():
        return ""
    if not table.now.secret:
        return ask_others(table.now.match.state)
    return table.once("asked of others", lambda: known_question(table, ask_others))


def known_question(table: Stage, ask: Callable[[Any], str]) -> str:
    """The question as far as everybody may know it."""
    view = table.now.match.known_to(-1)
    seen = int(table.game.rules.actor(view[0]))
    return ask(view[0]) if seen in table.now.acting() else ""


def legal(table: Stage, seat: int) -> list[Legal]:
    """All that the seat may do now."""
    match = table.now.turn_of(seat)
    return [Legal(choice, text) for text, choice in match.texts.items()] if match else []


def orders(table: Stage, seat: int) -> list[str]:
    """The seat's sealed orders, in the words of the record."""
    match = table.now.match
    given = table.now.orders.get(seat)
    if not given:
        return []
    from yegg.engine.orders import ahead

    there = ahead(match, seat)
    if there is None:
        return []
    twin, texts = there.fork(), []
    for order in given:
        if order not in twin.choices:  # of older rules
            break
        texts.append(twin.say(order))
        twin.play(order)
    return texts


def shared(table: Stage, seat: int) -> Shared:
    """The part of a view that is the same for all who know what a seat (-1: a spectator) knows."""
    now = table.now
    seen = eyes(table, seat) if now.secret else now.match  # which hides nothing
    ranks, scores = now.result() if now.over else (None, seen.scores)
    return Shared(
        id=table.key,
        game=table.game.name,
        name=table.name,
        options=now.match.options,
        seats=places(table),
        begun=now.begun,
        over=now.over,
        closed=now.note or None,
        turn=[seat + 1 for seat in now.waited_for()],
        question=question(table, seat),
        advice=table.odds,
        scores=scores,
        places=ranks,
        position=fields(seen.states),  # type: ignore[arg-type]
        happened=happened(table, seat),
        next=now.next[0] if now.next else None,
        guests=table.guests,
        origin=table.origin,
        notices=notices(table),
        clock=clocks.as_json(table),
    )


def places(table: Stage) -> list[Place]:
    """Who sits where."""
    ready = table.now.ready()
    return [
        Place(i + 1, p.name, p.bot, p.free, i in ready, i in table.away, held(table, i))
        for i, p in enumerate(table.now.seats)
    ]


def held(table: Stage, seat: int) -> str | None:
    """For whom a free seat is held."""
    there = table.now.seats[seat].held
    return there.name if there and seat in table.held else None


def notices(table: Stage) -> list[Told]:
    """What everybody was told about the seats."""
    # the kinds are those of `seats.TOLD`
    return [Told(n.after, n.kind, n.seat + 1, n.text) for n in table.now.notices[-SEEN:]]  # type: ignore[arg-type]


def happened(table: Stage, seat: int) -> list[Happened]:
    """The newest events, as the seat may know them."""
    match = table.now.match
    texts = table.teller.texts(match, seat, SEEN) if hides(match) else table.now.said[-SEEN:]
    told = zip(match.actors[-SEEN:], texts, strict=True)
    return [Happened(i + 1 if i >= 0 else None, text) for i, text in told]


def as_json(table: Stage, seat: int) -> bytes:
    """The table as a seat sees it, ready to be sent: a `Table`."""
    known_to = seat if table.now.secret else None  # else everybody knows everything
    most = table.once(known_to, lambda: msgspec.json.encode(shared(table, seat)))
    own = {
        "number": table.now.seen[seat],
        "seat": seat + 1 if seat >= 0 else None,
        "choices": legal(table, seat),
        "orders": orders(table, seat),
    }
    return most[:-1] + b"," + msgspec.json.encode(own)[1:]
