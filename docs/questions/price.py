"""How many dice a card costs."""

from yegg.games.thiefs_market.cards import COST
from yegg.games.thiefs_market.state import Choice

NUMBERS = ()


def prefer(s, seat, choice, numbers):
    """The rank of a choice; s is what the seat may know."""
    return COST[choice - Choice.BUY].sum() if Choice.BUY <= choice < Choice.ROLL else 0
