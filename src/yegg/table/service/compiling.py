"""The queue of what is compiled in another process: who is waited for goes first.

Until then tables play by the plain rules, and plain bots stand in, so that nobody waits.
"""

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future

import structlog

from yegg import games, players
from yegg.coach.preparation import COACH, RULES, CompileProcess, load
from yegg.engine import Game, Refused
from yegg.engine.compiler import How

log = structlog.get_logger()
FIRST = (RULES, "medium", "easy", "hard", COACH)  # in this order; then the other bots
Job = tuple[str, str]
"""A game's name, and what to compile: its rules, the coach, or a bot (without budget)."""


class CompileQueue:
    """The queue of jobs to compile, and what is compiled already."""

    def __init__(self) -> None:
        """An empty queue; the thread starts with the first request."""
        self.jobs: dict[Job, Future[None]] = {}  # the first one is compiled next
        self.done: set[Job] = set()
        self.change = threading.Condition()
        self.thread: threading.Thread | None = None
        self.compile_process = CompileProcess()
        self.closing = False

    def everything(self) -> None:
        """Compile all there is, the most wanted first."""
        known = [games.find(name) for name in games.names()]
        for game in sorted(known, key=lambda game: game.engine().cold()):
            self.how(game)  # marks what is compiled already
        others = [name for name in players.names() if name not in FIRST]
        for what in (*FIRST, *others):
            if what in (RULES, COACH) or what in players.names():
                self.ask(*((name, what) for name in games.names() if fit(what, games.find(name))))

    def ask(self, *jobs: Job) -> list[Future[None]]:
        """Queue jobs behind earlier requests; each future is done when its job is compiled."""
        with self.change:
            for job in jobs:
                if job not in self.done:
                    self.jobs.setdefault(job, Future())
            if self.thread is None and self.jobs:
                self.thread = threading.Thread(target=self._work, name="compile", daemon=True)
                self.thread.start()
            self.change.notify()
            return [self.jobs[job] for job in jobs if job in self.jobs]

    def first(self, game: Game, bot: str) -> list[Future[None]]:
        """Queue one job before all others; returns what `ask` returns."""
        if game.kept:
            return []
        waiting = self.ask(job := (game.name, players.base(bot)))
        with self.change:
            if job in self.jobs:
                self.jobs = {job: self.jobs[job], **self.jobs}
        return waiting

    async def want(self, game: Game, bot: str) -> None:
        """Queue one job before all others, and return when it is compiled."""
        for waiting in self.first(game, bot):
            await asyncio.shield(asyncio.wrap_future(waiting))  # others may wait for the same job

    def cold(self, game: Game, bot: str) -> bool:
        """Whether this bot still has to be compiled."""
        return game.kept or (game.name, players.base(bot)) not in self.done

    def how(self, game: Game) -> How:
        """How a new table of the game plays: by compiled rules if they are ready, else plain ones.

        While something is being compiled nothing can be loaded, and the loop must not wait.
        """
        if game.kept:
            return "plain"
        job = game.name, RULES
        if job in self.done:
            return "compiled"
        if self.jobs or game.engine().cold():  # `cold` is asked last: it reads all sources
            self.ask(job)
            return "plain"
        warm(*job)
        self.done.add(job)
        return "compiled"

    @property
    def left(self) -> list[str]:
        """The jobs that are left, in words."""
        with self.change:
            return [f"{what} of {game}" for game, what in self.jobs]

    def _work(self) -> None:
        while not self.closing:
            with self.change:
                while not self.jobs and not self.closing:
                    self.compile_process.rest()
                    self.change.wait()
                if self.closing:
                    return
                job = next(iter(self.jobs))
            try:
                warm(*job, self.compile_process)
            except Exception:  # no table waits for ever: it is told when the bot is asked
                log.exception("compiling", game=job[0], what=job[1])
            with self.change:
                self.done.add(job)
                done = self.jobs.pop(job)
            done.set_result(None)

    def close(self) -> None:
        """Begin nothing new; the other process stops at once."""
        with self.change:
            self.closing = True
            self.change.notify()
        self.compile_process.close()


def fit(what: str, game: Game) -> bool:
    """Whether it makes sense to compile this for a game: not for a bot that cannot play it."""
    if what in (RULES, COACH):
        return True
    return players.objection(game, what, game.usual, game.defaults(game.usual)) is None


def warm(name: str, what: str, compile_process: CompileProcess | None = None) -> None:
    """Have one thing compiled by ``compile_process``, or else here, and load it."""
    game = games.find(name)
    try:
        (compile_process.make_ready if compile_process else load)(game, what)
    except Refused:
        log.info("cannot play", bot=what, game=name)


def sorted_by_use(names: Iterable[str]) -> list[str]:
    """Bots in the order of the menus: the levels first, from the easiest."""
    names = list(names)
    levels = players.LEVELS
    return [n for n in levels if n in names] + [n for n in names if n not in levels]
