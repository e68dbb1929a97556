"""A position as a game draws it for people: the terminal's scene."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .game import Game
from .record import States

if TYPE_CHECKING:
    from rich.console import RenderableType


def draw_scene(game: Game, states: States, names: Sequence[str], seat: int) -> "RenderableType":
    """States, shape (1,), as a seat (-1: a spectator) sees them; ``names`` are the sides'.

    A game without a module ``screen`` is shown field by field.
    """
    if screen := game.part("screen"):
        made: RenderableType = screen.draw(states[0], names, seat)
        return made
    from rich.text import Text

    fields = game.state.dtype.names or ()
    return Text("\n".join(f"{name}: {states[0][name]}" for name in fields if name[0] != "_"))
