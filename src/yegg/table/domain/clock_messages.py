"""What everybody at a table is told when something happens to somebody's time."""

from collections.abc import Sequence

from yegg.text.phrases import listing

from .clock import Clock
from .clock_terms import DAY, lasting
from .seats import Event, Kind, Seat, about


def told(clock: Clock, seats: Sequence[Seat], event: Event) -> str:
    """The sentence about an event; ``clock`` is as it was before it."""
    who = seats[event.actor].name
    match event.choice:
        case Kind.LATE if event.bot:
            text = f"{who}'s time is up: {event.bot} plays this turn."
        case Kind.LATE:
            text = f"{who}'s time is up, and no orders came: the rules write them."
        case Kind.GONE:
            text = f"{who}'s time is up again: {event.bot} plays on until {who} is back."
        case Kind.AWAY:
            days = max(1, round((int(event.words or 0) - event.at) / DAY))
            text = f"{who} is on holiday for {lasting(days * DAY)}. {who}'s time stands until then."
        case Kind.HERE:
            text = f"{who} is back from holiday."
        case Kind.PAUSE:
            text = _asked(clock, seats, event.actor)
        case Kind.GO_ON if clock.paused:
            text = f"{who} ends the pause. This turn's time begins anew."
        case Kind.GO_ON:
            text = f"{who} wants no pause now."
        case _:
            to = seats[about(event.choice)[1]].name
            text = f"{who} gives {to} {lasting(clock.terms.turn)} more."
    return text


def _asked(clock: Clock, seats: Sequence[Seat], seat: int) -> str:
    who, others = seats[seat].name, clock.people - clock.agreed - {seat}
    if not others:
        return f"{who} agrees: the game is paused, and everybody's time stands."
    names = listing([seats[other].name for other in sorted(others)])
    return f"{who} would like a pause. {names} can agree."
