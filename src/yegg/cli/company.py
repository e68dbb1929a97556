"""Who sits at a table in the terminal.  Bots get ready while people already read and think."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

from yegg.cli.arguments import compiling

if TYPE_CHECKING:
    from yegg.engine import Game, Match
    from yegg.players import Bot


class Company:
    """People, and bots that are waited for only when it is their turn."""

    def __init__(self, game: "Game", sitters: list[str], seed: int | None) -> None:
        """``sitters`` by seat: a bot's name, or "" for a person."""
        self.game = game
        self.people = [seat for seat, sitter in enumerate(sitters) if not sitter]
        self.cold = is_cold(game, sitters)
        start = secrets.randbits(62) if seed is None else seed
        self.pool = ThreadPoolExecutor(1)
        self.coming = self.pool.submit(seated, game, sitters, start)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """What is being compiled is finished first: the next game starts at once."""
        self.ready()
        self.pool.shutdown()

    def ready(self) -> "dict[int, Bot]":
        """The bots by seat; says so if there is long to wait."""
        with compiling(self.game.title, lambda: self.cold and not self.coming.done()):
            return self.coming.result()

    def choose(self, match: "Match") -> int:
        """The choice of the bot whose turn it is."""
        return self.ready()[match.actor].choose(match.view())


def is_cold(game: "Game", sitters: list[str]) -> bool:
    """Whether a bot at the table has yet to be compiled."""
    from yegg import players
    from yegg.engine import kernels

    there = {sitter for sitter in sitters if sitter}
    return any(players.engine(game, bot).cold(kernels.decide) for bot in there)


def seated(game: "Game", sitters: list[str], start: int) -> "dict[int, Bot]":
    """The bots by seat, compiled; each with a seed of its own."""
    from yegg.players import Bot

    bots = {seat: Bot(sitter, start + 1 + seat) for seat, sitter in enumerate(sitters) if sitter}
    for bot in {bot.name: bot for bot in bots.values()}.values():
        bot.warm(game)
    return bots
