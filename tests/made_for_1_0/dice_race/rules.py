"""Dice race: whoever comes to the goal first wins.

It has every verb that version 1.0 had for rules.
"""

from yegg.engine import CHANCE, NOBODY, Record, option, row

CHOICES = 8
ROLL, HOLD = 6, 7
INLINE = ("actor", "ways", "way")
ALLOCATES_NOTHING = True


class State(Record):
    """Points are in the pot until somebody holds."""

    players = 0
    goal = option(10, 20, 30, says="how many points win")
    turn = rolling = pot = over = 0
    points = row(4)


def deal(s):
    """Nothing is dealt."""


def actor(s):
    """Whose turn it is; the die's if it is rolling."""
    if s.over:
        return NOBODY
    return CHANCE if s.rolling else s.turn


def ways(s, out):
    """Six faces, or two choices."""
    return 6 if s.rolling else 2


def way(s, out, i):
    """The faces are 0 to 5, the choices follow them."""
    return i if s.rolling else ROLL + i


def legal(s, out):
    """All of them."""
    k = ways(s, out)
    for i in range(k):
        out[i] = way(s, out, i)
    return k


def play(s, choice):
    """A one loses the pot."""
    if choice == ROLL:
        s.rolling = 1
        return
    s.rolling = 0
    if choice != HOLD and choice > 0:
        s.pot += choice + 1
        return
    if choice == HOLD:
        s.points[s.turn] += s.pot
        s.over = s.points[s.turn] >= s.goal
    s.pot = 0
    s.turn = (s.turn + 1) % s.players


def hide(s, seat):
    """Nothing is hidden."""


def score(s, seat):
    """The points."""
    return s.points[seat]


def standing(s, seat):
    """The points."""
    return s.points[seat]
