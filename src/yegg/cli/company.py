"""The bots at a table in the terminal: they are compiled while people already read and think."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

import click

from yegg.cli.arguments import compiling

if TYPE_CHECKING:
    from yegg.cli.seats import Sitter
    from yegg.engine import Game, Match
    from yegg.players import Bot


class Company:
    """People and bots; a bot is waited for only when it is its turn."""

    def __init__(self, game: "Game", sitters: "list[Sitter]", seed: int | None) -> None:
        """Whoever is at the table, by seat."""
        from yegg import players

        self.game, self.sitters = game, sitters
        self.people = [seat for seat, sitter in enumerate(sitters) if not sitter.bot]
        self.bots = {seat: sitter.bot for seat, sitter in enumerate(sitters) if sitter.bot}
        self.cold = any(players.cold(game, bot) for bot in set(self.bots.values()))
        start = secrets.randbits(62) if seed is None else seed
        self.pool = ThreadPoolExecutor(1)
        self.coming = self.pool.submit(seated, game, self.bots, start)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Finish what is being compiled, so that the next game starts at once."""
        with compiling(self.game.title, lambda: self.cold and not self.coming.done()):
            self.pool.shutdown()

    def ready(self) -> "dict[int, Bot]":
        """The bots by seat; people are told if they have to wait long.  Raises Refused."""
        with compiling(self.game.title, lambda: self.cold and not self.coming.done()):
            return self.coming.result()

    def choose(self, match: "Match") -> int:
        """The choice of the bot whose turn it is.  Raises Refused where it cannot play."""
        return self.ready()[match.actor].choose(match.view())


def check(match: "Match", sitters: "list[Sitter]") -> None:
    """Raises UsageError for a bot that cannot play such a game."""
    from yegg import players
    from yegg.engine.prose import listing

    for bot in filter(None, (sitter.bot for sitter in sitters)):
        why = players.objection(match.game, bot, match.players, match.options)
        if why:
            there = listing(players.able(match.game, match.players, match.options))
            raise click.UsageError(f"{bot} cannot play here: {why}; these can: {there}")


def seated(game: "Game", bots: dict[int, str], start: int) -> "dict[int, Bot]":
    """The bots by seat, compiled; each with a seed of its own."""
    from yegg.players import Bot

    made = {seat: Bot(name, start + 1 + seat) for seat, name in bots.items()}
    for bot in {bot.name: bot for bot in made.values()}.values():
        bot.warm(game)
    return made
