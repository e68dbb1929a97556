"""Positions of Magnate set up and played in the game's own words."""

import re

import numpy as np

from yegg.engine import CHANCE
from yegg.games.magnate import GAME
from yegg.games.magnate.duchy import build
from yegg.games.magnate.pile import in_hand
from yegg.games.magnate.scoring import total
from yegg.games.magnate.state import DISTRICT, DISTRICTS, Phase, Place
from yegg.parts.decktet import SLUGS, SUIT_NAMES

CROWNS = ("the-huntress the-bard the-sea", "the-end the-calamity the-windfall")
PLAIN = GAME.rules


def tokens_of(text):
    """``3 waves 1 knots`` as a count by suit."""
    words = text.split()
    counts = dict.fromkeys(SUIT_NAMES, 0) | dict(
        zip(words[1::2], map(int, words[::2]), strict=True)
    )
    return [counts[suit] for suit in SUIT_NAMES]


def card(slug):
    return SLUGS.index(slug)


class Table:
    """A position over the plain rules; seats are numbered from 1, as in a record."""

    def __init__(self, players=2, **options):
        self.states = GAME.blank(players, {k.replace("_", "-"): v for k, v in options.items()})
        self.s = self.states[0]
        PLAIN.deal(self.s)

    def set(
        self, *laid, hand="", theirs="", tokens="", their_tokens="", rows=None, deeds=None,
        pile=None, discards="", turn=1,
    ):  # fmt: skip
        """Seat ``turn`` is about to play a card; ``theirs`` are the cards of seat 2.

        laid: rows as "1 the-harvest: the-pact the-mill (2 waves)", where tokens in brackets make
        the last card a deed; also as rows: {(seat, district): cards}, deeds: {(seat, district):
        tokens}.  pile: its cards, else all the others.
        """
        s = self.s
        s.owed[:] = 0
        s.phase, s.turn = Phase.CARD, turn - 1
        for seat, (cards, held) in enumerate(((hand, tokens), (theirs, their_tokens))):
            self._put(CROWNS[seat], Place.CROWN + seat)
            self._put(cards, Place.HAND + seat)
            s.tokens[seat] = tokens_of(held)
        rows, deeds = dict(rows or {}), dict(deeds or {})
        for row in laid:
            seat, home, cards, _, paid = re.fullmatch(
                r"(.) (\S+): ([^(]+)( \((.*)\))?", row
            ).groups()
            rows[int(seat), home] = cards
            if paid is not None:
                deeds[int(seat), home] = paid
        for (seat, home), row in rows.items():
            for slug in row.split():
                build(s, seat - 1, card(slug), self.district(home))
        for (seat, home), paid in deeds.items():
            s.deed[seat - 1, self.district(home)] = 1
            s.paid[seat - 1, self.district(home)] = tokens_of(paid)
        self._put(discards, Place.DISCARD)
        if pile is not None:
            s.where[s.where == Place.PILE] = Place.BOX
            self._put(pile, Place.PILE)
        s.pile = (s.where == Place.PILE).sum()
        return self

    def _put(self, slugs, place):
        for slug in slugs.split():
            self.s.where[card(slug)] = place

    def rolls(self, turn=1):
        """Seat ``turn`` is about to roll."""
        self.s.turn, self.s.phase = turn - 1, Phase.ROLL
        return self

    def district(self, slug):
        return DISTRICT[self.s.districts].tolist().index(card(slug))

    @property
    def legal(self):
        """Every legal choice by its text."""
        out = np.zeros(GAME.choices, np.int32)
        choices = out[: PLAIN.legal(self.s, out)].tolist()
        texts = {GAME.words.say(self.s, choice): choice for choice in choices}
        assert len(texts) == len(choices)
        return texts

    @property
    def may(self):
        """The texts of the legal choices."""
        return set(self.legal)

    def can(self, beginning):
        """The legal texts that begin so."""
        return {text for text in self.legal if text.startswith(beginning)}

    def do(self, *texts):
        """Play these events."""
        for text in texts:
            legal = self.legal
            assert text in legal, (text, GAME.words.why_not(self.s, text), sorted(legal))
            PLAIN.play(self.s, legal[text])
        return self

    def why(self, text):
        """Why a text is not possible; the position must not change."""
        before = self.states.tobytes()
        assert text not in self.legal
        reason = GAME.words.why_not(self.s, text)
        assert self.states.tobytes() == before
        return reason

    @property
    def actor(self):
        """A seat from 1, 0 for chance, -1 for nobody."""
        who = PLAIN.actor(self.s)
        return 0 if who == CHANCE else who + 1

    def tokens(self, seat):
        """``3 waves 1 knots``."""
        counts = zip(self.s.tokens[seat - 1], SUIT_NAMES, strict=True)
        return " ".join(f"{n} {suit}" for n, suit in counts if n)

    def paid(self, seat, home):
        """The tokens on the deed at a district."""
        counts = zip(self.s.paid[seat - 1, self.district(home)], SUIT_NAMES, strict=True)
        return " ".join(f"{n} {suit}" for n, suit in counts if n)

    def is_deed(self, seat, home):
        return bool(self.s.deed[seat - 1, self.district(home)])

    def cards(self, place):
        return {slug for slug, where in zip(SLUGS, self.s.where, strict=True) if where == place}

    def hand(self, seat):
        return {slug for i, slug in enumerate(SLUGS) if in_hand(self.s, seat - 1, i)}

    def row(self, seat, home):
        """A row's cards in the order they were laid."""
        place = Place.ROW + DISTRICTS * (seat - 1) + self.district(home)
        return sorted(self.cards(place), key=lambda slug: self.s.nth[card(slug)])

    def total(self, seat, home):
        return total(self.s, seat - 1, self.district(home))

    @property
    def scores(self):
        return [PLAIN.score(self.s, seat) for seat in range(2)]

    def ahead(self):
        """The seat that would win now; 0 for a draw."""
        first, second = (PLAIN.standing(self.s, seat) for seat in range(2))
        return 1 if first > second else 2 if second > first else 0
