"""How a dice race is written."""


def say(s, choice):
    """``roll 3`` is chance's, ``roll`` a player's."""
    return f"roll {choice + 1}" if choice < 6 else ("roll", "hold")[choice - 6]
