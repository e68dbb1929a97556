"""The rules, after Pig by John Scarne (1945): plain Python over one record; it is also compiled."""

from enum import IntEnum
from typing import Any

from yegg.engine import CHANCE, NOBODY, Record, option, row

FACES = 6
MOST_PLAYERS = 6


class Choice(IntEnum):
    """Choices 0 to 5 are the faces of the die, 1 to 6."""

    ROLL = FACES
    HOLD = FACES + 1


CHOICES = FACES + 2


class State(Record):
    """A position."""

    players = 0
    goal = option(50, 100, 200, usual=100, says="how many points win (NG-5)")
    turn = 0  # the seat whose turn it is
    rolling = 0  # whether the die is in the air
    pot = 0  # what this turn has brought so far
    over = 0
    points = row(MOST_PLAYERS)


def deal(s: Any) -> None:
    """NG-1: everybody begins without points."""


def actor(s: Any) -> int:
    """Who acts: a seat, the die, or nobody any more."""
    if s.over:
        return NOBODY
    return CHANCE if s.rolling else s.turn


def legal(s: Any, out: Any) -> int:
    """NG-2: the die may show any face; a player may roll, and hold what is in the pot."""
    if s.rolling:
        for face in range(FACES):
            out[face] = face
        return FACES
    out[0] = Choice.ROLL
    if s.pot == 0:
        return 1
    out[1] = Choice.HOLD
    return 2


def play(s: Any, choice: int) -> None:
    """Carry out a choice, and all that follows from it."""
    if choice == Choice.ROLL:
        s.rolling = 1
    elif choice == Choice.HOLD:  # NG-4
        s.points[s.turn] += s.pot
        if s.points[s.turn] >= s.goal:  # NG-5
            s.over = 1
        else:
            _pass_on(s)
        s.pot = 0
    else:
        s.rolling = 0
        if choice == 0:  # NG-3: a one
            s.pot = 0
            _pass_on(s)
        else:
            s.pot += choice + 1


def _pass_on(s: Any) -> None:
    s.turn += 1
    if s.turn == s.players:
        s.turn = 0


def hide(s: Any, seat: int) -> None:
    """Nothing is hidden."""


def score(s: Any, seat: int) -> int:
    """A player's points."""
    return int(s.points[seat])


def standing(s: Any, seat: int) -> int:
    """NG-5: more points are better."""
    return int(s.points[seat])
