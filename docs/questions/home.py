"""Goes home as soon as so many chips are in the bag."""

from yegg.games.second_story.state import Choice

NUMBERS = ("chips",)


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know."""
    there = 0
    for suit in range(6):
        there += s.bag[suit]
    enough = there >= numbers[0]
    return 1 if choice == (Choice.STOP if enough else Choice.CONTINUE) else 0
