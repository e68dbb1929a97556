"""The bots at a table in the terminal: they get ready while people already play."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Self

import click

from .arguments import compiling

if TYPE_CHECKING:
    from concurrent.futures import Future

    from yegg.engine import Game, Match

    from .seats import Sitter


class Company:
    """People, and bots that answer at once: until one is compiled its plain twin plays.

    With a seed a bot that thinks is waited for, so that the same seed gives the same game.
    """

    def __init__(self, game: "Game", sitters: "list[Sitter]", seed: int | None) -> None:
        """Whoever is at the table, by seat."""
        from yegg import players
        from yegg.coach.preparation import Compiler
        from yegg.players import Bot

        self.game, self.sitters, self.seed = game, sitters, seed
        self.people = [seat for seat, sitter in enumerate(sitters) if not sitter.bot]
        start = secrets.randbits(62) if seed is None else seed
        self.bots = {
            seat: Bot(sitter.bot, start + 1 + seat)
            for seat, sitter in enumerate(sitters)
            if sitter.bot
        }
        self.compiler = Compiler()
        self.pool = ThreadPoolExecutor(1)
        names = dict.fromkeys(players.base(bot.name) for bot in self.bots.values())
        self.cold = {name for name in names if players.cold(game, name)}
        self.coming = {name: self._submit(name) for name in names}
        self.pool.submit(self.compiler.rest)
        self.said: set[str] = set()

    def _submit(self, what: str) -> "Future[None]":
        """Have a bot or the coach compiled in another process, and loaded here."""
        return self.pool.submit(self.compiler.make_ready, self.game, what)

    def coach_ready(self) -> bool:
        """Whether the coach is compiled; the first question begins that where it is not.

        With a seed it is waited for, as bots that think are.
        """
        from yegg.coach.preparation import COACH, cold

        if COACH not in self.coming:
            if not cold(self.game, COACH):
                return True
            self.cold.add(COACH)
            self.coming[COACH] = self._submit(COACH)
        if self.seed is None and self.waits(COACH):
            return False
        self._wait(COACH)
        return True

    def waits(self, what: str) -> bool:
        """Whether a bot, or the coach, is still being compiled."""
        return what in self.cold and not self.coming[what].done()

    def _wait(self, what: str) -> None:
        """Wait, and say so if it takes long.  Raises what compiling it failed with."""
        with compiling(self.game.title, lambda: self.waits(what)):
            self.coming[what].result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """What is compiled by now is kept."""
        self.compiler.close()
        with compiling(self.game.title, lambda: any(map(self.waits, self.coming))):
            self.pool.shutdown(cancel_futures=True)

    def choose(self, match: "Match") -> int:
        """The choice of the bot whose turn it is.  Raises Refused where it cannot play."""
        from yegg import players

        bot = self.bots[match.actor]
        bot.how = "plain" if self._stood_in(bot.name) else "compiled"
        if bot.how == "compiled":
            self._wait(players.base(bot.name))
        return bot.choose(match.view())

    def _stood_in(self, bot: str) -> bool:
        """Whether a bot's plain twin, or another bot, plays for it now."""
        from yegg import players

        itself = players.stand_in(bot) == bot
        return self.waits(players.base(bot)) and (itself or self.seed is None)

    def news(self, seat: int) -> str:
        """What to tell once: that another plays for a bot until it is compiled; else ""."""
        from yegg import players

        bot = self.bots[seat].name
        if bot in self.said or not self._stood_in(bot):
            return ""
        self.said.add(bot)
        return players.until_ready({players.base(bot).capitalize(): bot})


def check(match: "Match", sitters: "list[Sitter]") -> None:
    """Raises UsageError for a bot that cannot play such a game."""
    from yegg import players
    from yegg.text.phrases import listing

    for bot in filter(None, (sitter.bot for sitter in sitters)):
        why = players.objection(match.game, bot, match.players, match.options)
        if why:
            there = listing(players.able(match.game, match.players, match.options))
            raise click.UsageError(f"{bot} cannot play here: {why}; these can: {there}")
