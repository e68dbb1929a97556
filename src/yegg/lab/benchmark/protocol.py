"""What is played in the benchmark: games, opponents, seats and seeds, the same for everybody.

A change here, whatever it is, needs another `VERSION`: results of two versions are not compared.
"""

from typing import Any, NamedTuple

from yegg.engine import Game
from yegg.games import find

VERSION = 1
TABLES = {"magnate": 2, "second-story": 3, "thiefs-market": 4, "secrets": 4}
"""The games, by the published rules, and how many play."""
OPPONENTS = ("uniform", "easy", "greedy", "medium")
"""Who has all other seats.  They answer at once, and the same seed gives the same choices."""
ROUNDS = 24
"""In a round the bot meets every opponent in every game once.  It is a multiple of the seats."""
EVERY = 16
"""One in so many of the bot's real decisions is judged by the coach."""
SEARCHED = 256
"""Futures in which the coach looks for the best choice, shared by all choices."""
COMPARED = 128
"""Futures in which the best choice and the bot's are compared."""


class Task(NamedTuple):
    """One game of the benchmark."""

    round: int
    """From 0."""
    game: str
    against: str
    """The level in all other seats."""

    @property
    def rules(self) -> Game:
        """The game itself."""
        return find(self.game)

    @property
    def players(self) -> int:
        """How many play."""
        return TABLES[self.game]

    @property
    def place(self) -> int:
        """Its place in its round, from 0."""
        return [*TABLES].index(self.game) * len(OPPONENTS) + OPPONENTS.index(self.against)

    @property
    def seat(self) -> int:
        """Where the bot sits, from 0: each seat in turn."""
        return (self.round + self.place) % self.players

    @property
    def seed(self) -> int:
        """The seed of the deal; a bot's is so much more as its seat says, from 0."""
        return 10 * (1000 * self.place + self.round)

    def judged(self, decision: int) -> bool:
        """Whether the coach judges this one of the bot's real decisions, counted from 0."""
        return (decision + self.round + self.place) % EVERY == 0


def tasks(rounds: int = ROUNDS) -> list[Task]:
    """The games of the first rounds, in the order in which they are played."""
    return [
        Task(number, game, level)
        for number in range(rounds)
        for game in TABLES
        for level in OPPONENTS
    ]


def to_dict() -> dict[str, Any]:
    """The protocol as the result names it."""
    return {
        "version": VERSION,
        "games": [
            {
                "game": name,
                "version": find(name).version,
                "players": players,
                "options": find(name).chosen(players, {}),
            }
            for name, players in TABLES.items()
        ],
        "opponents": list(OPPONENTS),
        "rounds": ROUNDS,
        "judged_one_in": EVERY,
        "futures": [SEARCHED, COMPARED],
    }
