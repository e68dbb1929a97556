"""How Second Story is written in a record."""

from yegg.parts.decktet import SLUGS, SUIT_NAMES

from .rules import SIDES, Choice, State

TEXTS = (
    *(f"flip {slug}" for slug in SLUGS),
    *(f"roll {face}" for face in range(1, SIDES + 1)),
    *(choice.name.lower().replace("_", "-") for choice in list(Choice)[1:-1]),
    *(f"take {suit}" for suit in SUIT_NAMES),
)


def say(s: State, choice: int) -> str:
    """The text of a choice: ``flip the-mill``, ``roll 9``, ``thorough``, ``take wyrms``."""
    return TEXTS[choice]
