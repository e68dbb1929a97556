"""Several choices of one player in a row, some of which people may say in any order.

The record has a fixed order even where the game has none: the objects of a pile are taken from
red to the marker.  People need not know that order.  ``words.ANY_ORDER`` names the verbs that it
is about.  A choice of theirs that comes too late for the record is put before the player's own
last choices.
"""

from collections.abc import Callable, Sequence

from .errors import Ambiguous, NotLegal, Refused
from .match import Match

Hear = Callable[[Match, str], int]


def any_order(match: Match) -> tuple[str, ...]:
    """The verbs of a game whose choices may be said in any order."""
    verbs: tuple[str, ...] = match.game.voice.any_order
    return verbs


def in_row(match: Match, texts: Sequence[str], hear: Hear = Match.hear) -> tuple[int, list[int]]:
    """The choices that some sentences of the current player mean, one after the other.

    Returns how many of the player's own last choices must be taken back first, and the choices
    to make then.  The match does not change.  Raises Refused at the first sentence that cannot
    be put anywhere.
    """
    twin = match.fork(chance=False)
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


def late(match: Match) -> list[str]:
    """Choices that may be said late: the record puts them before the player's own last choices."""
    places = _own_last(match)
    found: set[str] = set()
    later: list[str] = []
    for place, said in places:
        later.insert(0, said)
        for text in place.texts:
            known = text in found or text in match.texts or _verb(text) != _verb(said)
            if not known and _plays(place.fork(), text, later, Match.hear):
                found.add(text)
    return [text for text in places[-1][0].texts if text in found] if places else []


def _before_own_last(match: Match, text: str, hear: Hear) -> Match | None:
    """The match with a sentence put before the player's own last choices of its verb, or None."""
    later: list[str] = []
    for place, said in _own_last(match):
        if _verb(said) != _verb(text):
            break
        later.insert(0, said)
        if _plays(place, text, later, hear):
            return place
    return None


def _own_last(match: Match) -> list[tuple[Match, str]]:
    """The match before each of the player's own last choices without an order, the last first."""
    run = len(match.history)
    while run and match.actors[run - 1] == match.actor:
        run -= 1
    if run == len(match.history) or not any_order(match):
        return []
    before = match.again()
    before.follow(match.history[:run])
    places: list[tuple[Match, str]] = []
    for choice in match.history[run:]:
        said = before.say(choice)
        places = [(before.fork(), said), *places] if _verb(said) in any_order(match) else []
        before.play(choice)
    return places


def _verb(text: str) -> str:
    return text.partition(" ")[0]


def _plays(match: Match, text: str, later: Sequence[str], hear: Hear) -> bool:
    """Play a sentence and then the later ones, as far as possible; return whether all could be."""
    try:
        match.play(hear(match, text))
        for said in later:
            match.play(match.hear(said))
    except Ambiguous:
        raise
    except Refused:
        return False
    return True


def with_settled(match: Match, choice: str | int | list[str]) -> str | int | list[str]:
    """A choice, with those after it for which nobody need be asked (`Voice.settled`)."""
    voice = match.game.voice
    if isinstance(choice, list) or not voice.settles:
        return choice
    try:
        back, numbers = chosen(match, choice)
    except Refused:
        return choice  # whoever makes it is told why not
    ahead, row = match.fork(), [voice.say(match.state, number) for number in numbers]
    ahead.follow(numbers)
    while ahead.actor == match.actor and (settled := voice.settled(ahead.state)) is not None:
        row.append(voice.say(ahead.state, settled))
        ahead.follow([settled])
    return choice if back or len(row) == len(numbers) else row


def chosen(match: Match, choice: str | int | list[str]) -> tuple[int, list[int]]:
    """How many own choices to take back first, and what to choose then.  Raises Refused."""
    if isinstance(choice, str) and choice in match.texts:
        return 0, [match.texts[choice]]
    if not isinstance(choice, int):
        return in_row(match, [choice] if isinstance(choice, str) else choice)
    if choice not in match.choices:
        raise NotLegal(f"choice {choice} is not legal here")
    return 0, [choice]
