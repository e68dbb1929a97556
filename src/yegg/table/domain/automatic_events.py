"""Events that follow by themselves, and what the lobby shows of a game after them."""

from collections.abc import Iterator, Sequence

from yegg.engine import CHANCE
from yegg.engine.orders import absent_choice

from .dice import Chance
from .lobby_columns import TURN, Change
from .seats import TAKES_BACK, Event, Kind
from .state import TableState

UNDOS = 200  # that a seat may take back in one turn


def play_out(
    ahead: TableState, first: list[Event], at: int, chance: Chance
) -> Iterator[tuple[int, Event]]:
    """Apply events and what is due after them, all at one moment; yields each with its number."""
    waiting = first
    while waiting:
        event = waiting.pop(0)
        event = event._replace(words=ahead.words(event), at=at)
        ahead.apply(event)
        yield ahead.number, event
        if not waiting and (due := next_event(ahead, chance)):
            waiting.append(due)


def next_event(now: TableState, chance: Chance) -> Event | None:
    """The next event that follows by itself: chance, or orders once all are sealed."""
    if not now.in_motion():
        return None
    match = now.match
    if match.actor == CHANCE:
        return Event(CHANCE, Kind.CHOICE, chance(now))
    queue = now.orders.get(match.actor)
    if not queue:
        return Event(match.actor, Kind.CHOICE, absent_choice(match))
    if queue[0] in match.choices:
        return Event(match.actor, Kind.CHOICE, queue[0])
    return Event(match.actor, Kind.DROP)


def undoes_too_often(now: TableState, happens: Sequence[Event]) -> bool:
    """Whether a seat would take back more in a turn than anybody does who plays."""
    undone = [event.actor for event in happens if event.kind in TAKES_BACK]
    return bool(undone) and now.undos.get(undone[0], 0) + len(undone) > UNDOS


def change(game: int, was: TableState, ahead: TableState, at: int) -> Change | None:
    """The change of the lobby's columns, and the result once the game is over."""
    before, stands = was.standing(), ahead.standing()
    values = {name: now for name, now in stands.items() if now != before[name]}
    if not values.keys().isdisjoint(TURN):
        values |= {name: stands[name] for name in TURN}
    if (ahead.over or ahead.closed) and not was.over:
        values["ended"] = at
        if ahead.over:
            values["result"] = dict(zip(("places", "scores"), ahead.result(), strict=True))
    return Change(game, values) if values else None
