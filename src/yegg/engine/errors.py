"""What can be wrong with a move or a request, said to people."""


class Refused(ValueError):
    """Something from outside that cannot be done; the text says what could be."""


class NotUnderstood(Refused):
    """These words are no sentence of the game."""


class NotLegal(Refused):
    """A sentence of the game that is not allowed now."""


class Ambiguous(Refused):
    """Words that could mean several of the legal choices."""


class Failed(Exception):
    """A player did not give one of its choices: it raised, it answered something else, or not."""

    def __init__(self, player: str, why: str) -> None:
        """``why`` goes on the sentence that begins with the player's name."""
        super().__init__(f"{player} {why}")
        self.player, self.why = player, why
