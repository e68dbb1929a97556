"""Second Story, a game of reckless burgling, by P.D. Magnus."""

from yegg.engine import Game

GAME = Game(
    package=__name__,
    title="Second Story",
    blurb="Rob one more house or slip home: whatever is in the bag can still be lost.",
    players=range(2, 6),
    usual=3,
    minutes=15,
    pace=(4.0, 1.3),
    version=2,
)
