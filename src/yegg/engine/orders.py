"""Orders of simultaneous turns: read from letters, and given in secret before the seat's turn.

The seats write one after the other as far as the rules know, but nobody sees another's.  So a later
seat need not wait: whatever the earlier ones write, it will see the same and may do the same.  No
game says so; it follows from `hide`.  A game whose folder has a part ``orders`` can be played by
letters.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .errors import Refused
from .game import Game
from .match import Match

FAR = 200  # choices; no order sheets are nearly as long


class Faulty(Refused):
    """These are no orders; each fault is one sentence."""

    def __init__(self, faults: Sequence[str]) -> None:
        """``faults``: what the game's reader has found."""
        super().__init__("; ".join(faults))
        self.faults = faults


class Order(NamedTuple):
    """One order that was read."""

    choice: int
    text: str
    """In the words of the record."""
    prose: str
    """In a sentence."""


def ahead(match: Match, seat: int) -> Match | None:
    """The game at the moment when the seat acts, if it learns nothing until then; else None.

    The orders of others in it are made up.
    """
    known, twin = match.known_to(seat).tobytes(), match
    for _ in range(FAR):
        if twin.actor == seat:
            return twin
        if twin.actor < 0:
            return None
        twin = twin.fork() if twin is match else twin
        twin.play(twin.choices[0])
        if twin.known_to(seat).tobytes() != known:
            return None
    return None


def can_be_read(game: Game) -> bool:
    """Whether a game can read orders that people write."""
    return hasattr(game.part("orders"), "read")


def read(there: Match, seat: int, text: str, names: Sequence[str]) -> list[Order]:
    """All orders of a seat in a letter, in the record's order.  Raises Faulty.

    ``there``: the game as the seat finds it; see `ahead`.
    """
    reader: Any = there.game.part("orders")
    found = reader.read(text, there.known_to(seat)[0], seat, names)
    if found.faults:
        raise Faulty(found.faults)
    twin, orders = there.fork(), []
    for choice in found.choices:
        prose = there.game.voice.sentence(twin.state, seat, choice, names).prose
        orders.append(Order(choice, twin.say(choice), prose))
        twin.play(choice)
    return orders


def absent_choice(match: Match) -> int:
    """What the rules write next for a player who sent nothing, where they know that."""
    rules: Any = match.game.part("absent")
    return int(rules.choice(match.state, match.actor))
