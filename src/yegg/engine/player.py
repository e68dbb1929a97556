"""What a player from outside is: a class that is asked for one choice at a time."""

from .view import View


class Player:
    """Inherit, and write `choose`.  One instance sits at one seat of one match.

    >>> class Bold(Player):
    ...     def choose(self, view):
    ...         return view.choices[-1]
    """

    def begin(self, seed: int) -> None:
        """A match begins.  Take all random numbers from ``seed``, and games can be repeated."""

    def choose(self, view: View) -> int:
        """One of ``view.choices``, a list of at least two.

        Whatever is raised here, any other answer, and a thought without end cost the player
        this decision and nothing else.
        """
        raise NotImplementedError
