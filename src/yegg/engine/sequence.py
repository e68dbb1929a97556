"""Several choices of one player in a row, some of which may be said in any order.

A record has one order for what has none in the game: objects of a pile are taken from red
to the marker.  People need not know it.  ``words.ANY_ORDER`` names the verbs; a choice that
comes too late for the record is put before the player's own last ones.
"""

from collections.abc import Callable, Sequence

from .errors import Ambiguous, NotLegal, Refused
from .match import Match

Hear = Callable[[Match, str], int]


def any_order(match: Match) -> tuple[str, ...]:
    """The verbs of a game whose choices in a row may come in any order."""
    verbs: tuple[str, ...] = getattr(match.game.words, "ANY_ORDER", ())
    return verbs


def in_row(match: Match, texts: Sequence[str], hear: Hear = Match.hear) -> tuple[int, list[int]]:
    """What sentences of the current player come to, said one after the other.

    Returns how many of the player's own last choices are taken back first, and the
    choices that are then made.  The match itself stays as it is.  Raises Refused at the
    first sentence that fits nowhere.
    """
    twin = match.fork()
    for i, text in enumerate(texts):
        if twin.actor != match.actor:
            raise NotLegal(f"{text!r} comes too late: the turn has ended with {texts[i - 1]!r}")
        try:
            twin.play(hear(twin, text))
        except Ambiguous:
            raise
        except Refused:
            earlier = _before_own_last(twin, text, hear)
            if earlier is None:
                raise
            twin = earlier
    same = 0
    for old, new in zip(match.history, twin.history, strict=False):
        if old != new:
            break
        same += 1
    return len(match.history) - same, twin.history[same:]


def _before_own_last(match: Match, text: str, hear: Hear) -> Match | None:
    """The game with a sentence put before the player's own last choices of its verb, if it fits."""
    verb = text.partition(" ")[0]
    if verb not in any_order(match):
        return None
    run = len(match.history)
    while run and match.actors[run - 1] == match.actor:
        run -= 1
    before = match.again()
    before.follow(match.history[:run])
    places = []
    for choice in match.history[run:]:
        places.append((before.fork(), before.say(choice)))
        before.play(choice)
    later: list[str] = []
    for place, said in reversed(places):
        if said.partition(" ")[0] != verb:
            break
        later.insert(0, said)
        if _plays(place, text, later, hear):
            return place
    return None


def _plays(match: Match, text: str, later: Sequence[str], hear: Hear) -> bool:
    """Whether a sentence and then the later ones can be played; they are, as far as they can."""
    try:
        match.play(hear(match, text))
        for said in later:
            match.play(match.hear(said))
    except Ambiguous:
        raise
    except Refused:
        return False
    return True
