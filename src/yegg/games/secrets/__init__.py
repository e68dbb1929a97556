"""Secrets, spies and policemen under sealed orders, by Allan Stagg."""

from yegg.engine import Game

GAME = Game(
    package=__name__,
    title="Secrets",
    blurb="Everybody's spies set out at once: be where no policeman waits and no rival comes.",
    players=range(3, 7),
    usual=4,
    minutes=25,
    version=2,
)
