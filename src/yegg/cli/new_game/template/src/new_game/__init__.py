"""New Game: roll on, or hold."""

from yegg.engine import Game

GAME = Game(
    package=__name__,
    title="New Game",
    blurb="Roll on, or hold before the one comes.",
    players=range(2, 7),
    usual=3,
    minutes=10,
)
