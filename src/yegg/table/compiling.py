"""Rules, bots and the coach are compiled in another process; who is waited for goes first.

Until then tables play by the plain rules, and plain bots stand in, so that nobody waits.
"""

import asyncio
import threading
from collections.abc import Iterable
from concurrent.futures import Future

import structlog

from yegg import games, players
from yegg.coach.ready import COACH, RULES, Compiler, load
from yegg.engine import Game, Refused
from yegg.engine.forge import How

log = structlog.get_logger()
LEVELS = ("easy", "medium", "hard")
FIRST = (RULES, "medium", "easy", "hard", COACH)  # of each game, in this order; then the others
Job = tuple[str, str]
"""A game's name, and what of it: its rules, the coach, or a bot's name without budget."""


class CompileQueue:
    """What is compiled and what is yet to be."""

    def __init__(self) -> None:
        """Nothing is done before somebody asks."""
        self.jobs: dict[Job, Future[None]] = {}  # the first is next
        self.done: set[Job] = set()
        self.change = threading.Condition()
        self.thread: threading.Thread | None = None
        self.compiler = Compiler()
        self.closing = False

    def everything(self) -> None:
        """Compile all there is, the most wanted first."""
        known = [games.find(name) for name in games.names()]
        for game in sorted(known, key=lambda game: game.engine().cold()):
            self.how(game)  # what is compiled already counts at once
        others = [name for name in players.names() if name not in FIRST]
        for what in (*FIRST, *others):
            if what in (RULES, COACH) or what in players.names():
                self.ask(*((name, what) for name in games.names() if fit(what, games.find(name))))

    def ask(self, *jobs: Job) -> list[Future[None]]:
        """Have it done, after what was asked before; when that is."""
        with self.change:
            for job in jobs:
                if job not in self.done:
                    self.jobs.setdefault(job, Future())
            if self.thread is None and self.jobs:
                self.thread = threading.Thread(target=self._work, name="warm", daemon=True)
                self.thread.start()
            self.change.notify()
            return [self.jobs[job] for job in jobs if job in self.jobs]

    def first(self, game: Game, bot: str) -> list[Future[None]]:
        """Have it done before all others."""
        waiting = self.ask(job := (game.name, players.base(bot)))
        with self.change:
            if job in self.jobs:
                self.jobs = {job: self.jobs[job], **self.jobs}
        return waiting

    async def want(self, game: Game, bot: str) -> None:
        """Have it done before all others, and wait for it."""
        for waiting in self.first(game, bot):
            await asyncio.shield(asyncio.wrap_future(waiting))  # others wait for it too

    def cold(self, game: Game, bot: str) -> bool:
        """Whether somebody who waits for this bot waits for it to be compiled."""
        return (game.name, players.base(bot)) not in self.done

    def how(self, game: Game) -> How:
        """How a new table of the game is played: compiled if that is there already.

        While anything is being compiled nothing can be loaded, and the loop must not wait for it.
        """
        job = game.name, RULES
        if job in self.done:
            return "compiled"
        if self.jobs or game.engine().cold():  # to find out means reading all sources
            self.ask(job)
            return "plain"
        warm(*job)
        self.done.add(job)
        return "compiled"

    @property
    def left(self) -> list[str]:
        """What is yet to be compiled, in words."""
        with self.change:
            return [f"{what} of {game}" for game, what in self.jobs]

    def _work(self) -> None:
        while not self.closing:
            with self.change:
                while not self.jobs and not self.closing:
                    self.change.wait()
                if self.closing:
                    return
                job = next(iter(self.jobs))
            try:
                warm(*job, self.compiler)
            except Exception:  # no table waits for ever: it is told when the bot is asked
                log.exception("compiling", game=job[0], what=job[1])
            with self.change:
                self.done.add(job)
                done = self.jobs.pop(job)
            done.set_result(None)

    def close(self) -> None:
        """Begin nothing new."""
        with self.change:
            self.closing = True
            self.change.notify()
        self.compiler.close()


def fit(what: str, game: Game) -> bool:
    """Whether something is ever needed of a game: no bot that cannot play it."""
    if what in (RULES, COACH):
        return True
    return players.objection(game, what, game.usual, game.defaults(game.usual)) is None


def warm(name: str, what: str, compiler: Compiler | None = None) -> None:
    """Have one thing compiled by ``compiler``, or else here, and load it."""
    game = games.find(name)
    if compiler:
        compiler.compile(game, what)
    try:
        load(game, what)
    except Refused:
        log.info("cannot play", bot=what, game=name)


def sorted_by_use(names: Iterable[str]) -> list[str]:
    """Bots as one chooses them: the levels first, from the easiest."""
    names = list(names)
    return [n for n in LEVELS if n in names] + [n for n in names if n not in LEVELS]
