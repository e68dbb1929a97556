"""What one seat may know of a game: all that a player is given to decide by."""

from collections.abc import Sequence
from typing import Any

from .engine import places
from .forge import How
from .game import Game
from .prose import listing
from .record import States
from .speech import Speech


class View(Speech):
    """A seat's knowledge: nothing in it depends on what the seat cannot know.

    >>> from yegg.engine import Match
    >>> view = Match("second-story", players=2, seed=3).view(0)
    >>> view
    <View of Second Story: seat 1 of 2; thorough, quick>
    >>> view.choices[0] == view.hear("thorough")
    True
    """

    def __init__(
        self, game: Game, states: States, seat: int, choices: Sequence[int], how: How = "compiled"
    ) -> None:
        """Made by `Match.view`: ``states`` is what `hide` left, ``choices`` are the seat's."""
        self.game, self.seat, self.how = game, seat, how
        self.states = states
        """The playable state that `hide` leaves, shape (1,)."""
        self.players = int(states[0]["players"])
        self._choices = list(choices)

    @property
    def options(self) -> dict[str, str]:
        """The options away from the published rules, by name."""
        return self.game.options_of(self.states)

    @property
    def state(self) -> Any:
        """The same as one NumPy record."""
        return self.states[0]

    @property
    def choices(self) -> list[int]:
        """The seat's legal choices, ascending; empty while it has none to make."""
        return self._choices

    @property
    def scores(self) -> list[int]:
        """The game's headline number of every side, as far as the seat knows."""
        return self.game.engine(how=self.how).result(self.states)[0]

    @property
    def places(self) -> list[int]:
        """Every side's place, 1 the best, as far as the seat knows."""
        return places(self.game.engine(how=self.how).result(self.states)[1])

    def __repr__(self) -> str:
        texts = list(self.texts)
        more = f", … ({len(texts)})" if len(texts) > 6 else ""
        can = f"; {', '.join(texts[:6])}{more}" if texts else ""
        who = f"seat {self.seat + 1} of {self.players}" if self.seat >= 0 else "a spectator"
        rules = listing([f"{name}={value}" for name, value in self.options.items()])
        return f"<View of {self.game.title}{f' ({rules})' if rules else ''}: {who}{can}>"
