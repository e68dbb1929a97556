"""Where every card lies: followed slowly, from the record's words alone, beside the rules."""

import random

import numpy as np
import pytest

from yegg.parts.decktet import KIND, RANK, SLUGS, Kind

from .burgling import begin

EXCUSE = SLUGS.index("the-excuse")
FLATS = {"one-flat": 3, "several-flats": 6, "all-flats": 9}


class Piles:
    """The draw pile, the discards, tonight's cards and lairs, by SS-10, 11, 12, 40, 41, 42."""

    def __init__(self, cards, players):
        self.pile, self.discards, self.tonight = set(cards), set(), set()
        self.players, self.turn, self.owner = players, 0, None
        self.house, self.need, self.dice, self.due = None, 0, [], 0
        self.can = set()
        self.again = 0  # times that an Excuse used in a night was turned up in it again
        self.used = False

    def needed(self):
        """SS-11: a card is needed."""
        if not self.pile:
            self.pile, self.discards = self.discards, set()

    def over(self, *, home):
        """The night is over: SS-10, SS-41."""
        if home and EXCUSE in self.tonight:
            self.tonight.remove(EXCUSE)
            self.owner = self.turn
        self.discards |= self.tonight
        self.tonight, self.used = set(), False
        self.turn = (self.turn + 1) % self.players
        if self.can:
            self.needed()

    def happens(self, text, can):
        """An event; ``can``: the verbs of what could be chosen once it had happened."""
        self.can = can
        verb, _, what = text.partition(" ")
        if verb == "flip":
            self.turned_up(SLUGS.index(what))
        elif verb in FLATS or verb in ("thorough", "quick"):
            self.need = FLATS.get(verb, RANK[self.house])
            self.due = 2 if verb == "quick" else 1
        elif verb == "roll":
            self.dice.append(int(what))
            if len(self.dice) == self.due:
                self.rolled()
        elif verb == "excuse":
            assert self.owner == self.turn
            self.owner, self.used = None, True
            self.discards.add(EXCUSE)
        elif verb == "continue":
            self.needed()
        elif verb in ("stop", "flee"):
            self.over(home=verb == "stop")
        elif verb in ("take", "leave") and not can & {"take", "stop"}:
            self.over(home=True)  # SS-12: that was the last house

    def turned_up(self, card):
        self.again += card == EXCUSE and self.used
        self.pile.remove(card)
        self.tonight.add(card)
        self.house, self.dice = card, []
        if KIND[card] in (Kind.ACE, Kind.EXCUSE):
            self.needed()
            if not self.pile:  # SS-12
                self.over(home=True)
        self.need, self.due = RANK[card], 2

    def rolled(self):
        robbed, self.dice = max(self.dice) >= self.need, []
        if not self.can & {"take", "stop", "flee"}:  # SS-17, SS-12
            self.over(home=robbed)

    def agree(self, s):
        """Each card lies in one place, and that is where the rules have it."""
        lair = set() if self.owner is None else {EXCUSE}
        places = [self.pile, self.discards, self.tonight, lair]
        assert sum(map(len, places)) == len(set.union(*places))
        assert s.pile[: s.face_down].tolist() == sorted(self.pile)
        assert s.discards == len(self.discards)
        assert set(np.flatnonzero(s.tonight)) == self.tonight
        assert s.turned == len(self.tonight)
        assert s.owner == (0 if self.owner is None else self.owner + 1)
        return set.union(*places)


LUCKY = ("continue", "excuse", "quick", "one-flat", "roll 10", "risk")
UNLUCKY = (*LUCKY[:-2], "roll 1")


def played(options, seed, players):
    """A game by daring thieves who are sometimes lucky for long; the piles at its end."""
    dice = random.Random(seed)
    match = begin(players, **options)
    piles = Piles(match.state.pile[: match.state.face_down].tolist(), players)
    deck = set(piles.pile)
    while not match.over:
        texts = list(match.texts)
        wanted = LUCKY if dice.random() < 0.9 else UNLUCKY
        liked = [t for t in texts if t in wanted] if dice.random() < 0.95 else []
        text = dice.choice(liked or texts)
        match.play(match.hear(text))
        piles.happens(text, {word.split()[0] for word in match.texts})
        assert piles.agree(match.state) == deck
        assert match.over or match.state.turn == piles.turn
    return piles


LONG = {"excuse": "yes", "chips": "20"}


@pytest.mark.wide(but=["options0"])
@pytest.mark.parametrize("options", [LONG, LONG | {"pawns": "yes", "decline": "yes"}, {}])
def test_ss_42_every_card_is_in_one_place_at_every_step(options):
    games = [played(options, seed, 2 + seed % 4) for seed in range(3)]
    again = sum(piles.again for piles in games)
    assert (again > 0) == ("excuse" in options), "it was used, shuffled in and turned up again"
