"""Offers: what it changes that a certain card comes up, whoever takes it or nobody.

In each game one card that chance deals is drawn.  The game is played on from there once as it was,
and once with that card at the bottom of its deck, so that the next one comes in its place.  Chance
and all players go on with the same dice and the same order of all other cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np

from yegg.engine import CHANCE, Game, Ints, Match, Refused, kernels
from yegg.engine.contest import ticket
from yegg.engine.dice import stir

from .columns import frame
from .forking import FATE, Drawn, Fork, Forking, joined, marked
from .habits import Words, matching
from .sim import Batch, Games, Setting

if TYPE_CHECKING:
    import polars as pl

    from yegg.engine.verbs import Dice

CARD = "{card}"  # in `taken`: the last word of what was dealt


@dataclass(frozen=True)
class Offer(Fork):
    """Which cards are in question, by the words with which chance deals them."""

    taken: str = ""
    """How a card is taken, as `buy {card}`: then it is asked what the offer does to its first
    taker.  Empty: to whoever chooses next."""
    takes: tuple[int, ...] = ()
    """The choices that may take a card."""


def offer_from(fork: Fork, taken: object, game: Game, said: Words) -> Offer:
    """An offer from what its entry of ``[[fork]]`` says.  Raises Refused."""
    cards = getattr(game.part("odds"), "DEALT", ())
    where = f"fork {fork.name!r}"
    if not set(fork.numbers) <= set(cards):
        raise Refused(f"{where}: an offer is a card that is dealt; of dice there is no next one")
    if not isinstance(taken, str) or (taken and CARD not in taken):
        raise Refused(f'{where}: taken says how a card is taken, as "buy {CARD}"')
    takes = matching(taken.replace(CARD, "*"), said, where) if taken else ()
    return Offer(**vars(fork), taken=taken, takes=tuple(sorted(takes)))


class Offering(Forking):
    """The offers of a batch of games, whose choices are logged and whose chance draws by lots."""

    def offered(self, offer: Offer) -> list[tuple[Drawn, str, int]]:
        """One for each game that has so many: where it is, its words, and who is asked about.

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
                match.play(choice)
                who = self._asked(offer, match, text, log[event + 1 :])
                return (Drawn(g, event, choice, met + 1), text, who) if who >= 0 else None
            met += 1
        return None

    def _asked(self, offer: Offer, match: Match, text: str, rest: Ints) -> int:
        """Whom the question is about, after a card was dealt; -1: nobody."""
        if not offer.taken:
            for choice in rest.tolist():
                if match.actor >= 0:
                    return match.actor
                match.play(choice)
            return -1
        taking, begun = offer.taken.replace(CARD, text.rsplit(maxsplit=1)[-1]), len(match.history)
        for at in np.flatnonzero(np.isin(rest, offer.takes)).tolist():
            match.follow(rest[len(match.history) - begun : at].tolist())
            if match.actor >= 0 and fnmatchcase(match.say(int(rest[at])), taking):
                return match.actor
        return -1

    def before(self, one: Drawn) -> Games:
        """A game as it stood before a card came; players have used their dice, too."""
        upto = replace(self.setting, max_events=one.event)
        at = [one.game]
        games = Games.dealt(upto, self.batch.seating[at], self.dice[at].copy())
        games.finish()
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


def offered(
    setting: Setting,
    offer: Offer,
    batch: Batch,
    dice: "Dice",
    rows: Sequence[tuple[int, int]],
    who: tuple[Sequence[str], Sequence[str]],
) -> "pl.DataFrame | None":
    """Play the offers of a batch: two rows for each, as `forked`; ``made``: the card came."""
    offering = Offering(setting, batch, dice)
    found = offering.offered(offer)
    if not found:
        return None
    starts = [s for one, *_ in found for s in (offering.before(one), offering.without(one))]
    ended = joined(starts).finish()
    table = frame(setting.game, ended, [0] * len(starts), 1, *who)
    return marked(table, offer, found, ended, rows)
