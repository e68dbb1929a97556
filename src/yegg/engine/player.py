"""The class that players from outside inherit from: it is asked for one choice at a time."""

from .view import View


class Player:
    """A player of your own: inherit, and write `choose`.

    One instance plays one seat of one match.

    >>> import yegg
    >>> class Last(yegg.Player):
    ...     def choose(self, view):
    ...         return view.choices[-1]
    >>> view = yegg.Match("second-story", players=2, seed=0).view()
    >>> view.say(Last().choose(view))
    'quick'
    """

    def begin(self, seed: int) -> None:
        """A match begins.  Take all random numbers from ``seed``, so that games can be repeated."""

    def choose(self, view: View) -> int:
        """Return one of ``view.choices``, a list of at least two integers.

        If this raises an error, returns anything else or takes too long, the player loses this
        decision; everybody else plays on.
        """
        raise NotImplementedError
