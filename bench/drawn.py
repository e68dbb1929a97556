"""Games between `medium` players, from which a bench draws positions."""

from yegg.engine import Match
from yegg.players import Bot


def decisions(game, players, options, seed):
    """A match at each of its decisions, and the choice about to be made; over in the end."""
    match = Match(game, players, options, seed=seed)
    bots = [Bot("medium", seed=seed + seat) for seat in range(players)]
    while not match.to_decision().over:
        choice = bots[match.actor].choose(match.view())
        yield match, choice
        match.play(choice)
