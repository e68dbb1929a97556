"""A view: what one seat may know of a game, which is all that a player is given."""

from collections.abc import Sequence
from typing import Any

from yegg.text.phrases import listing

from .engine import places
from .forge import How
from .game import Game
from .record import States
from .speech import Speech


class View(Speech):
    """What a seat may know.  Nothing in it depends on what the seat cannot know.

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
        """`Match.view` makes views.  ``choices`` are the seat's legal choices."""
        self.game, self.seat, self.how = game, seat, how
        self.states = states
        """The state without what is hidden from the seat, shape (1,); it can be played on."""
        self.players = int(states[0]["players"])
        self._choices = list(choices)

    @property
    def options(self) -> dict[str, str]:
        """The options that differ from the published rules, by name."""
        return self.game.options_of(self.states)

    @property
    def state(self) -> Any:
        """The same as one NumPy record, for its fields."""
        return self.states[0]

    @property
    def choices(self) -> list[int]:
        """The seat's legal choices, ascending; empty while somebody else acts."""
        return self._choices

    @property
    def scores(self) -> list[int]:
        """Every side's score, the game's headline number, as far as the seat knows."""
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
