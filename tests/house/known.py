"""What a seat may know by a plain match: positions and events, with nothing of the house in it."""

import numpy as np

from yegg.engine.orders import ahead
from yegg.engine.secrecy import Past


def story(match):
    """Everything that has happened: words, nothing left out, and what `seen` asks for."""
    twin, texts = match.again(), []
    past = Past([twin.fork().state], [], [])
    for choice in match.history:
        texts.append(twin.say(choice))
        past.choices.append(choice)
        past.actors.append(twin.actor)
        twin.play(choice)
        past.states.append(twin.fork().state)
    return texts, past


def told(match, seat, told_by=None):
    """The events as a seat (-1: who watches) may know them, in the words of the record."""
    texts, past = told_by or story(match)
    if not match.game.secret or match.over:
        return texts
    return [match.game.voice.seen(past, event, seat) for event in range(len(texts))]


def position(table, seat):
    """The fields of the position as a seat may know them, its own orders written."""
    acting = table.acting_now()
    match = acting[seat][0] if len(acting) > 1 and seat in acting else table.match
    return fields(match.known_to(seat) if match.game.secret else match.states)


def fields(states):
    """A state's fields by name."""
    found = {}
    for name in states.dtype.names:
        if name != "_pad":
            value = states[0][name]
            found[name] = value.tolist() if isinstance(value, np.ndarray) else int(value)
    return found


def written(table, seat):
    """A seat's orders, which nobody else may know, in the words of the record."""
    given = table.orders.get(seat)
    there = ahead(table.match, seat) if given else None
    texts = []
    if there is not None:
        twin = there.fork()
        for order in given:
            texts.append(twin.say(order))
            twin.play(order)
    return texts


def others_know(match, seat):
    """What all others may know."""
    return [bytes(match.known_to(i).tobytes()) for i in range(match.players) if i != seat]


def unsealed(match, events):
    """The game after so many events at most; no order is under seal there."""
    twin = match.again()
    twin.follow(match.history[:events])
    while twin.game.secret and twin.history and twin.actors[-1] >= 0:
        before, seat = twin.fork(), twin.actors[-1]
        before.back(len(twin.history) - 1)
        if others_know(before, seat) != others_know(twin, seat):
            break
        twin = before
    return twin
