"""Bots think beside the event loop: a thread for each core but one."""

import asyncio
import os
import secrets
from concurrent.futures import ThreadPoolExecutor

from yegg.engine import Game, Match
from yegg.players import Bot

from . import metrics
from .warmth import Warmth


class Thinkers:
    """The threads that all bots of the house share."""

    def __init__(self) -> None:
        """One thread fewer than cores: the loop keeps one."""
        self.warmth = Warmth()
        self.pool = ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 1), "bot")

    async def choose(self, bot: "Thinker", match: Match) -> int:
        """What the bot does for the current player of a match that nobody else touches."""
        loop = asyncio.get_running_loop()
        with metrics.thinking.labels(bot.name).time():
            return await loop.run_in_executor(self.pool, bot.choose, match)

    def close(self) -> None:
        """Let what is being thought be finished, and begin nothing new."""
        self.pool.shutdown(wait=True, cancel_futures=True)


class Thinker:
    """A bot at a seat; sits down (compiles, remembers) in its thread, at its first choice."""

    def __init__(self, game: Game, name: str) -> None:
        """``name`` as in `yegg.players.names`."""
        self.game, self.name = game, name
        self.bot: Bot | None = None

    def choose(self, match: Match) -> int:
        """The choice for the current player."""
        if self.bot is None:
            self.bot = Bot(self.name, secrets.randbits(63))
        return self.bot.choose(match.view())
