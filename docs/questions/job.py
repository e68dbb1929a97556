"""Does a quick job at houses of a rank or above, and a thorough one below it."""

from yegg.games.second_story.state import Choice
from yegg.parts.decktet import RANK

NUMBERS = ("quick_from",)


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know."""
    if choice == Choice.QUICK:
        return 1 if RANK[s.house] >= numbers[0] else 0
    if choice == Choice.THOROUGH:
        return 1 if RANK[s.house] < numbers[0] else 0
    return 0
