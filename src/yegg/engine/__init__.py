"""What any game is, and what can be done with it; knows no game."""

from .errors import Ambiguous, NotLegal, NotUnderstood, Refused
from .game import Game
from .match import Match
from .record import CHANCE, NOBODY, Ints, Option, Record, States, option, row

__all__ = [
    "CHANCE",
    "NOBODY",
    "Ambiguous",
    "Game",
    "Ints",
    "Match",
    "NotLegal",
    "NotUnderstood",
    "Option",
    "Record",
    "Refused",
    "States",
    "option",
    "row",
]
