"""A table to try the rules on: a turn is one short sheet a seat.

``"8@2 1@3 4@2 4@3 g8"``: the free spies in order, each a secret at a seat, then the
policeman's secret.  ``-`` idles, ``g-`` guards nothing, ``home`` is no orders at all.
"""

import random

import pytest

from yegg.engine import Match
from yegg.games import find

SPIES = ("club", "diamond", "heart", "spade")


class Table:
    def __init__(self, players=3, **options):
        named = {key: str(value) for key, value in options.items()}
        self.match = Match(find("secrets"), players, named, how="plain")

    @property
    def state(self):
        return self.match.state

    def play(self, *texts):
        for text in texts:
            self.match.follow([self.match.hear_recorded(text)])
        return self

    def turn(self, *sheets):
        for seat, sheet in enumerate(sheets):
            assert self.match.actor == seat
            self.play(*self.lines(seat, sheet))
        return self

    def lines(self, seat, sheet):
        free = [
            name for i, name in enumerate(SPIES[: self.state.spies]) if not self.caught(seat, i)
        ]
        if sheet.startswith("home"):
            post = sheet.split()[1][1:].replace("-", "nothing")
            return [f"{spy} stays home" for spy in free] + [f"guards {post}"]
        *moves, post = sheet.split()
        lines = []
        for spy, move in zip(free, moves, strict=True):
            secret, at, owner = move.partition("@")
            lines.append(f"{spy} steals {secret} from {owner}" if at else f"{spy} idles")
        return [*lines, f"guards {post[1:].replace('-', 'nothing')}"]

    def allocate(self, *allocations):
        for points in allocations:
            for letter, count in zip("ABCDEFGHIJ", points, strict=False):
                self.play(f"allocate {letter} {count}")
        return self

    def caught(self, seat, spy):
        return bool(self.state.captor[seat, spy])

    def thief(self, owner, secret):
        """1 + the seat that has stolen it, 0 while it is at home; seats and numbers from 1."""
        return int(self.state.thief[owner - 1, secret - 1])

    @property
    def scores(self):
        return self.match.scores

    @property
    def texts(self):
        return set(self.match.texts)


def random_match(players, seed, options=None, absent=0.0):
    """A whole game at random; with some chance a seat's orders do not come."""
    match = Match(find("secrets"), players, options or {}, how="plain")
    rng = random.Random(seed)
    while not match.over:
        special = match.specials
        if special and special != match.choices and rng.random() < absent:
            match.follow(special)
        else:
            match.follow([rng.choice(match.choices)])
    return match


@pytest.fixture
def table():
    return Table


@pytest.fixture
def play_random():
    return random_match
