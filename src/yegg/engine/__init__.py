"""What any game is and what can be done with it.  The engine knows no particular game."""

from .errors import Ambiguous, Failed, NotLegal, NotUnderstood, Refused
from .game import Game
from .match import Match
from .record import CHANCE, NOBODY, Ints, Option, Record, States, number, option, row
from .view import Player, View

__all__ = [
    "CHANCE",
    "NOBODY",
    "Ambiguous",
    "Failed",
    "Game",
    "Ints",
    "Match",
    "NotLegal",
    "NotUnderstood",
    "Option",
    "Player",
    "Record",
    "Refused",
    "States",
    "View",
    "number",
    "option",
    "row",
]
