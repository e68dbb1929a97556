"""A table to try the rules on.  Objects are letters: R W B G gems, b bags, m masks, * the marker.

``t.split("RRWbm*", turn=2)`` is a first phase with these in the centre, ``t.evening("RR*",
"W", "b")`` a second phase that begins with these piles.  Seats count from 1.
"""

import pytest

from yegg.engine import CHANCE, Match, NotLegal
from yegg.games import find
from yegg.games.thiefs_market import loot, rules, scoring
from yegg.games.thiefs_market.cards import LETTER, N_CARDS, OBJECTS, SLUGS
from yegg.games.thiefs_market.state import Phase, Place

LETTERS = "RWBGbm*"
COLOURS = {"R": "red", "W": "white", "B": "blue", "G": "green"}


def counts(objects):
    assert set(objects) <= set(LETTERS)
    return [objects.count(letter) for letter in LETTERS]


def letters(counted):
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counted, strict=True))


class Table:
    def __init__(self, players=4, **options):
        named = {key.replace("_", "-"): str(value) for key, value in options.items()}
        self.match = Match(find("thiefs-market"), players, named, how="plain")

    @property
    def state(self):
        return self.match.state

    @property
    def actor(self):
        """A seat from 1, or ``*``."""
        return "*" if self.match.actor == CHANCE else self.match.actor + 1

    @property
    def phase(self):
        return Phase(self.state.phase)

    def play(self, *texts):
        """Events in the words of the record; a sequence in one text is joined by `` | ``."""
        for text in " | ".join(texts).split(" | ") if texts else ():
            self.match.follow([self.match.hear_recorded(text)])
        return self

    @property
    def texts(self):
        """Every legal choice of the current player."""
        return self.beginning("")

    def beginning(self, start):
        return {text for text in self.match.texts if text.startswith(start)}

    def why_not(self, text):
        with pytest.raises(NotLegal) as refused:
            self.match.hear(text)
        return str(refused.value)

    # --- positions

    def edited(self):
        self.match._refresh()
        return self

    def deck(self, letter, left=None):
        """Which deck is being dealt from, and how many of its cards are still to come."""
        s = self.state
        s.deck = "ABC".index(letter)
        s.due = 0
        for earlier in range(s.deck):
            s.left[earlier] = 0
        if left is not None:
            s.left[s.deck] = left
        return self

    def market(self, *slugs):
        """These cards, and no others, are for sale."""
        s = self.state
        for card in range(N_CARDS):
            if s.where[card] == Place.MARKET:
                s.where[card] = Place.DECK
        for slug in slugs:
            s.where[SLUGS.index(slug)] = Place.MARKET
        return self

    def give(self, seat, *slugs):
        for slug in slugs:
            self.state.where[SLUGS.index(slug)] = Place.OWNED + seat - 1
        return self.edited()

    def gold(self, *amounts):
        self.state.gold[: len(amounts)] = amounts
        return self.edited()

    def infamy(self, *amounts):
        self.state.infamy[: len(amounts)] = amounts
        return self.edited()

    def split(self, centre, *piles, turn=1):
        """A turn of phase 1 with this in the centre and these piles (``""``: none yet)."""
        s = self.state
        s.due = s.loose = 0
        s.centre[:] = counts(centre)
        s.pile[:] = 0
        for seat, pile in enumerate(piles):
            s.pile[seat] = counts(pile)
        s.dice = int(s.centre[:6].sum() + s.pile[:, :6].sum())
        s.turn = turn - 1
        s.phase = Phase.SPLIT
        return self.edited()

    def evening(self, *piles):
        """Phase 2 begins with these piles (TM-66 first); a pile not named is one bag."""
        piles = [*piles, *["b"] * (self.state.players - len(piles))]
        if not any("*" in pile for pile in piles):
            piles[0] += "*"
        self.split("", *piles)
        loot.close_split(self.state)
        return self.edited()

    # --- what lies there

    def pile(self, seat):
        return letters(self.state.pile[seat - 1])

    @property
    def centre(self):
        return letters(self.state.centre)

    def cards(self, seat):
        owned = self.state.where == Place.OWNED + seat - 1
        return {SLUGS[card] for card in range(N_CARDS) if owned[card]}

    def for_sale(self):
        return {SLUGS[card] for card in range(N_CARDS) if self.state.where[card] == Place.MARKET}

    def has(self, seat):
        """Gold and Infamy."""
        return int(self.state.gold[seat - 1]), int(self.state.infamy[seat - 1])

    def score(self, seat):
        return rules.score(self.state, seat - 1)

    def card_points(self, seat):
        return scoring.card_points(self.state, seat - 1)

    def awards(self):
        """Notoriety for henchmen and for Gold, by seat."""
        seats = range(self.state.players)
        s = self.state
        return (
            [scoring.henchmen_award(s, seat) for seat in seats],
            [scoring.gold_award(s, seat) for seat in seats],
        )

    def finish_round(self):
        """Everybody left leaves the market; cards due are dealt, the first that are possible."""
        while self.phase == Phase.MARKET:
            self.play("done")
        return self


@pytest.fixture
def table():
    return Table


@pytest.fixture
def owner():
    """Seat 1 has these cards, nobody has Gold and nothing is for sale."""

    def seated(*slugs, players=4):
        return Table(players, promos="yes").market().gold(0, 0, 0, 0, 0).give(1, *slugs)

    return seated


@pytest.fixture
def shop():
    """Cards of a deck that is being dealt from are for sale, and nobody has Gold."""

    def opened(letter, *slugs, left=5):
        return Table(promos="yes").deck(letter, left=left).market(*slugs).gold(0, 0, 0, 0)

    return opened


__all__ = ["COLOURS", "LETTER", "OBJECTS", "Table"]
