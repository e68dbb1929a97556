"""The bots at a table in the terminal: they get ready while people already play."""

import secrets
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

import click

from yegg.cli.arguments import compiling

if TYPE_CHECKING:
    from yegg.cli.seats import Sitter
    from yegg.engine import Game, Match
    from yegg.engine.forge import How
    from yegg.players import Bot


class Company:
    """People, and bots that answer at once: until one is compiled its plain twin plays.

    With a seed the bots are waited for, so that the same seed gives the same game.
    """

    def __init__(self, game: "Game", sitters: "list[Sitter]", seed: int | None) -> None:
        """Whoever is at the table, by seat."""
        from yegg import players
        from yegg.coach.ready import Compiler

        self.game, self.sitters, self.seed = game, sitters, seed
        self.people = [seat for seat, sitter in enumerate(sitters) if not sitter.bot]
        self.bots = {seat: sitter.bot for seat, sitter in enumerate(sitters) if sitter.bot}
        self.cold = any(players.cold(game, bot) for bot in set(self.bots.values()))
        start = secrets.randbits(62) if seed is None else seed
        self.plain = seated(self.bots, start, how="plain")
        self.compiler = Compiler()
        self.pool = ThreadPoolExecutor(1)
        self.coming = self.pool.submit(self._made_ready, seated(self.bots, start))
        self.coach: Future[None] | None = None
        self.said: set[str] = set()

    def _made_ready(self, bots: "dict[int, Bot]") -> "dict[int, Bot]":
        """The bots by seat, compiled in another process and loaded here."""
        from yegg import players

        for bot in {bot.name: bot for bot in bots.values()}.values():
            self.compiler.compile(self.game, players.base(bot.name))
            if not self.compiler.closed:
                bot.warm(self.game)
        return bots

    def coach_ready(self) -> bool:
        """Whether the coach is compiled; the first question begins that where it is not.

        With a seed it is waited for, as the bots are.
        """
        from yegg.coach.ready import COACH, cold

        if self.coach is None and not cold(self.game, COACH):
            return True
        if self.coach is None:
            self.coach = self.pool.submit(self._make_coach_ready)
        if self.seed is None and not self.coach.done():
            return False
        with compiling(self.game.title, lambda: not self.coach_done):
            self.coach.result()
        return True

    @property
    def coach_done(self) -> bool:
        """Whether nobody has asked the coach, or it is compiled."""
        return self.coach is None or self.coach.done()

    def _make_coach_ready(self) -> None:
        from yegg.coach.ready import COACH, load

        self.compiler.compile(self.game, COACH)
        if not self.compiler.closed:
            load(self.game, COACH)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """What is compiled by now is kept."""
        self.compiler.close()
        with compiling(self.game.title, lambda: self.waits):
            self.pool.shutdown()

    @property
    def waits(self) -> bool:
        """Whether the bots are still being compiled."""
        return self.cold and not self.coming.done()

    def ready(self) -> "dict[int, Bot]":
        """The bots by seat; says so if there is long to wait.  Raises Refused."""
        with compiling(self.game.title, lambda: self.waits):
            return self.coming.result()

    def choose(self, match: "Match") -> int:
        """The choice of the bot whose turn it is.  Raises Refused where it cannot play."""
        plain = self.seed is None and self.waits
        return (self.plain if plain else self.ready())[match.actor].choose(match.view())

    def news(self, seat: int) -> str:
        """What to tell once: that another plays for a bot until it is compiled; else ""."""
        from yegg import players

        name = self.bots[seat]
        if self.seed is not None or not self.waits or name in self.said:
            return ""
        self.said.add(name)
        return players.until_ready(name)


def check(match: "Match", sitters: "list[Sitter]") -> None:
    """Raises UsageError for a bot that cannot play such a game."""
    from yegg import players
    from yegg.engine.prose import listing

    for bot in filter(None, (sitter.bot for sitter in sitters)):
        why = players.objection(match.game, bot, match.players, match.options)
        if why:
            there = listing(players.able(match.game, match.players, match.options))
            raise click.UsageError(f"{bot} cannot play here: {why}; these can: {there}")


def seated(bots: dict[int, str], start: int, how: "How" = "compiled") -> "dict[int, Bot]":
    """The bots by seat; each with a seed of its own."""
    from yegg.players import Bot

    return {seat: Bot(name, start + 1 + seat, how=how) for seat, name in bots.items()}
