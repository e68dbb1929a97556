"""Games that one seat cannot tell from another game, though they went differently."""

import itertools

from yegg.engine import NotLegal
from yegg.engine.secrecy import Teller


def unseen(match, seat):
    """The numbers of the events that the seat may not know, the newest first."""
    teller = Teller(match)
    texts = teller.texts(match, seat)
    return [i for i in reversed(range(len(texts))) if texts[i] != teller.words[i]]


def gone(match, history, seat):
    """The match, had it gone so; None if it could not, or if the seat would know."""
    twin = match.again()
    try:
        twin.follow(history)
    except NotLegal:
        return None
    same = twin.known_to(seat).tobytes() == match.known_to(seat).tobytes()
    return twin if same and twin.state.tobytes() != match.state.tobytes() else None


def elsewhere(match, seat):
    """Games that differ in one event: a card in another's hand, an order under seal."""
    for i in unseen(match, seat):
        before = match.again()
        before.follow(match.history[:i])
        for other in before.choices:
            if twin := gone(match, [*match.history[:i], other, *match.history[i + 1 :]], seat):
                yield twin


def swapped(match, seat):
    """Games with two events of one player in each other's place: points of two secrets."""
    for i, j in itertools.combinations(unseen(match, seat), 2):
        history = match.history.copy()
        if match.actors[i] != match.actors[j] or history[i] == history[j]:
            continue
        history[i], history[j] = history[j], history[i]
        if twin := gone(match, history, seat):
            yield twin


def always_alike(match, twin, seat):
    """Whether the seat could not tell them apart at any moment on the way either."""
    one, other = match.again(), twin.again()
    for choices in zip(match.history, twin.history, strict=True):
        for game, choice in zip((one, other), choices, strict=True):
            game.follow([choice])
        if one.known_to(seat).tobytes() != other.known_to(seat).tobytes():
            return False
    return True
