"""Offers: what it changes that a certain card comes up, whoever takes it or nobody.

In each game one card that chance deals is drawn.  The game is played on from there once as it was,
and once with that card at the bottom of its deck, so that the next one comes in its place.  Chance
and all players go on with the same dice and the same order of all other cards.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from yegg.engine import CHANCE, Game, Match, Refused, kernels
from yegg.engine.contest import ticket
from yegg.engine.dice import stir
from yegg.lab.batch import Games
from yegg.lab.simulation import finish

from .analysis import PlayedGames
from .forks import FATE, Drawn, Fork, Forking, branch_frame, joined

if TYPE_CHECKING:
    import polars as pl


class Offer(Fork):
    """Which cards are in question, by the words with which chance deals them."""


def offer_from(fork: Fork, game: Game) -> Offer:
    """An offer from what its entry of ``[[fork]]`` says.  Raises Refused."""
    if fork.chosen or fork.plan:
        raise Refused(f"fork {fork.name!r}: nobody chooses an offer; chosen and plan need `where`")
    cards = getattr(game.part("odds"), "DEALT", ())
    if not set(fork.numbers) <= set(cards):
        where = f"fork {fork.name!r}"
        raise Refused(f"{where}: an offer is a card that is dealt; of dice there is no next one")
    return Offer(**vars(fork))


class Offering(Forking):
    """The offers of a batch of games, whose choices are logged and whose chance draws by lots."""

    def offered(self, offer: Offer) -> list[tuple[Drawn, str, int]]:
        """One for each game that has so many: where it is, its words, and who chooses next.

        Which one is settled beforehand: the first, the second, or another of as many as there are
        cards in question.  A draw among those that came would favour the offers of short games.
        """
        found = (self._offered(offer, g) for g in range(len(self.dice)) if self.batch.over[g])
        return [one for one in found if one]

    def _offered(self, offer: Offer, g: int) -> tuple[Drawn, str, int] | None:
        log = self.batch.log[g, : self.batch.lengths[g]]
        with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
            drawn = stir(self.dice[g, 0, 0] ^ stir(FATE + np.uint64(sum(offer.name.encode()))))
        nth, met = int(drawn % np.uint64(len(offer.numbers))), 0
        match = Match(self.setting.game, self.setting.players, self.setting.options)
        for event in np.flatnonzero(np.isin(log, offer.numbers)).tolist():
            match.follow(log[len(match.history) : event].tolist())
            choice = int(log[event])
            text = match.say(choice)
            if match.actor != CHANCE or len(match.choices) < 2 or not offer.fits(text):
                continue
            if met == nth:
                rest = log[event:].tolist()
                while match.actor == CHANCE:
                    match.play(rest[len(match.history) - event])
                one = Drawn(g, event, choice, met + 1)
                return None if match.over else (one, text, match.actor)
            met += 1
        return None

    def before(self, one: Drawn) -> Games:
        """A game as it stood before a card came; players have used their dice, too."""
        upto = replace(self.setting, max_events=one.event)
        at = [one.game]
        games = Games.dealt(upto, self.batch.seating[at], self.dice[at].copy())
        finish(games)
        return replace(games, setting=self.setting)

    def without(self, one: Drawn) -> Games:
        """A game as it stood before a card came, with that card at the bottom of its deck."""
        games = self.before(one)
        who = np.zeros(1, np.int32)
        many = int(self.made.kernel(kernels.options_of)(games.states, self.out, who))
        others = [card for card in self.out[:many].tolist() if card != one.choice]
        fate, lots = games.dice[0, 0, 0], games.course.lots[0]
        with np.errstate(over="ignore"):
            lowest = min(ticket(fate, card, 0, int(lots[card, 0])) for card in others)
            while ticket(fate, one.choice, 0, int(lots[one.choice, 0])) >= lowest:
                lots[one.choice, 0] += 1  # another ticket, until it is the last of all
        return games


def offered(offer: Offer, games: PlayedGames) -> "pl.DataFrame | None":
    """Play the offers of some games: two rows for each, as `forked`; ``made``: the card came."""
    offering = Offering(games)
    found = offering.offered(offer)
    if not found:
        return None
    starts = [s for one, *_ in found for s in (offering.before(one), offering.without(one))]
    return branch_frame(offer, games, found, finish(joined(starts)))
