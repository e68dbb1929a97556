"""The errors of the engine.  Their texts are sentences for people."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Refused(ValueError):
    """What was asked for cannot be done; the text says why, and what could be done instead.

    >>> import yegg
    >>> try:
    ...     yegg.Match("second-story", players=9)
    ... except yegg.Refused as error:
    ...     print(error)
    Second Story is for 2 to 5 players, not 9
    """


class NotUnderstood(Refused):
    """Words that are no sentence of the game.

    >>> import yegg
    >>> try:
    ...     yegg.Match("second-story", players=2, seed=0).hear("swim")
    ... except yegg.NotUnderstood as error:
    ...     print(error)
    'swim' is not possible here; possible: thorough, quick
    """


class NotLegal(Refused):
    """A sentence of the game, or a choice, that is not legal now; ``clause``: the rule's number.

    >>> import yegg
    >>> try:
    ...     yegg.Match("second-story", players=2, seed=0).play(0)
    ... except yegg.NotLegal as error:
    ...     print(error)
    choice 0 is not legal here; possible: thorough, quick
    """

    def __init__(self, text: str, clause: str | None = None) -> None:
        """``clause``: the number of the rule that forbids it, where it is known."""
        super().__init__(text)
        self.clause = clause


class Ambiguous(Refused):
    """Words that could mean more than one of the legal choices.

    >>> import yegg
    >>> try:
    ...     yegg.Match("secrets", players=3, how="plain").guess("club steals 1")
    ... except yegg.Ambiguous as error:
    ...     print(error)
    'club steals 1' could be: club steals 1 from 2, club steals 1 from 3
    """


class Failed(Exception):
    """A player made no choice: it raised an error, answered something else, or took too long.

    ``player`` is its name, ``why`` the rest of the sentence, ``trace`` where its code was: Python's
    traceback without the lines of yegg, or "".  ``__cause__`` is the error that it raised, if any.

    >>> import yegg
    >>> print(yegg.Failed("bold", "took longer than 10 s"))
    bold took longer than 10 s
    """

    def __init__(self, player: str, why: str, trace: str = "") -> None:
        """``why`` continues the sentence that begins with the player's name."""
        super().__init__(f"{player} {why}")
        self.player, self.why, self.trace = player, why, trace
        self.again: Callable[[], object] | None = None
        """Asks the player the same once more, for a debugger."""
