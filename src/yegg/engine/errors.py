"""What can be wrong with a move or a request, said to people."""


class Refused(ValueError):
    """Something from outside that cannot be done; the text says what could be."""


class NotUnderstood(Refused):
    """These words are no sentence of the game."""


class NotLegal(Refused):
    """A sentence of the game that is not allowed now."""


class Ambiguous(Refused):
    """Words that could mean several of the legal choices."""
