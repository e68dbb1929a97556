"""A table's view as JSON: typed, and described in the API's pages."""

from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from yegg.engine import States
from yegg.table.domain.shown_position import ShownPosition
from yegg.table.domain.table_view import SEEN, TableView

from . import clocks


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
        "watch",
    ]
    """What happened: somebody sat down, left, handed the seat to a bot, took it back, put a bot on
    another seat, was renamed, has set the table again, was late, went on holiday, is here again,
    would like a pause, goes on, gave time, would like to close, asks the coach, has changed who may
    watch; or a bot failed.
    """
    seat: int
    """The seat that it is about, from 1."""
    text: str
    """The same in a sentence."""


class Watched(msgspec.Struct):
    """Who may watch without a seat once the game has begun, and how much later they are told."""

    who: Literal["nobody", "link", "lobby"]
    """Nobody, whoever has the link, or everybody: the lobby may show the game."""
    later: int | None
    """How many seconds later; null: once the game is over.  If you watch, this view is of then."""


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
    advice: Annotated[
        bool,
        Meta(description="whether advice may be asked for; odds may be there and in deals"),
    ]
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
    watch: Annotated[Watched, Meta(description="who may watch, and how much later they are told")]
    clock: Annotated[clocks.Timing | None, Meta(description="everybody's time; null: no hurry")]


class TableJson(Shared):
    """A table as one seat sees it."""

    number: Annotated[
        int, Meta(description="the number of the newest event that this seat knows of")
    ]
    seat: Annotated[int | None, Meta(description="your seat; null if you watch")]
    choices: Annotated[list[Legal], Meta(description="all that you may do now")]
    orders: Annotated[
        list[str], Meta(description="your sealed orders, which you can still take back")
    ]


def fields(states: States) -> dict[str, Any]:
    """A state's fields by name."""
    values = zip(states.dtype.names or (), states[0].item(), strict=True)
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values
        if name != "_pad"
    }


def shared(view: TableView) -> Shared:
    """The part of a view that is the same for all who know what its seat knows."""
    shown, now = view.shown, view.now
    seen = view.eyes if now.secret else now.match  # which hides nothing
    over = now.over
    ranks, scores = shown.result if over else (None, seen.scores)
    told = zip(now.match.actors[-SEEN:], view.texts, strict=True)
    return Shared(
        id=shown.key,
        game=shown.game.name,
        name=shown.name,
        options=now.match.options,
        seats=places(shown),
        begun=now.begun,
        over=over,
        closed=now.note or None,
        turn=[seat + 1 for seat in shown.waited_for],
        question=view.question,
        advice=shown.odds and shown.keeper.deal is None,
        scores=scores,
        places=ranks,
        position=fields(seen.states),
        happened=[Happened(i + 1 if i >= 0 else None, text) for i, text in told],
        next=now.next[0] if now.next else None,
        guests=shown.around.guests,
        origin=shown.origin,
        notices=notices(shown),
        watch=Watched(*shown.terms),  # type: ignore[arg-type]
        clock=clocks.timing(shown),
    )


def places(shown: ShownPosition) -> list[Place]:
    """Who sits where."""
    return [
        Place(p.i + 1, p.name, p.bot, p.free, p.ready, p.away, p.held or None) for p in shown.seats
    ]


def notices(shown: ShownPosition) -> list[Told]:
    """What everybody was told about the seats."""
    # the kinds are those of `seats.TOLD`
    return [Told(n.after, n.kind, n.seat + 1, n.text) for n in shown.now.notices[-SEEN:]]  # type: ignore[arg-type]


def as_json(view: TableView) -> bytes:
    """A view, ready to be sent: a `TableJson`."""
    known_to = view.seat if view.now.secret else None  # else everybody knows everything
    most = view.shown.once(known_to, lambda: msgspec.json.encode(shared(view)))
    own = {
        "number": view.number,
        "seat": view.seat + 1 if view.seat >= 0 else None,
        "choices": [Legal(choice, text) for text, choice in view.choices.items()],
        "orders": view.orders,
    }
    return most[:-1] + b"," + msgspec.json.encode(own)[1:]
