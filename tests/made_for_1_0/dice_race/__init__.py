"""Dice race: roll and add, or hold before a one; then everybody bets in secret."""

from yegg.engine import Game

GAME = Game(__name__, "Dice race", "Roll on, or hold.", players=range(2, 5), usual=2)
