"""The queue of what is compiled in another process: who is waited for goes first.

Until then tables play by the plain rules, and plain bots stand in, so that nobody waits.
"""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import structlog

from yegg import games, players
from yegg.coach.preparation import COACH, RULES, CompileProcess, cold, load
from yegg.engine import Game, Refused
from yegg.engine.compiler import How

log = structlog.get_logger()
FIRST = (RULES, "medium", "easy", "hard", COACH)  # in this order; then the other bots
Job = tuple[str, str]
"""A game's name, and what to compile: its rules, the coach, or a bot (without budget)."""


Step = Literal["look", "compile", "load"]
"""What is next for a job: to look whether it is compiled already, to compile it, to load it."""


@dataclass
class Work:
    """How far a job is."""

    step: Step = "look"
    done: Future[None] = field(default_factory=Future)


class CompileQueue:
    """The queue of jobs to compile, and what is compiled already.

    One thread waits for the process that compiles, another one loads meanwhile what is compiled.
    """

    def __init__(self) -> None:
        """An empty queue; the threads start with the first request."""
        self.jobs: dict[Job, Work] = {}  # the first one is compiled next
        self.done: set[Job] = set()
        self.failed: set[Job] = set()  # what cannot be loaded here; plain twins play on
        self.change = threading.Condition()
        self.threads: list[threading.Thread] = []
        self.compile_process = CompileProcess()
        self.closing = False

    def everything(self) -> None:
        """Compile all there is, the most wanted first."""
        known = [games.find(name) for name in games.names()]
        for game in sorted(known, key=lambda game: game.engine().cold()):
            self.prepare(game)
        others = [name for name in players.names() if name not in FIRST]
        for what in (*FIRST, *others):
            if what in (RULES, COACH) or what in players.names():
                self.ask(
                    *((name, what) for name in games.names() if is_of_use(what, games.find(name)))
                )

    def ask(self, *jobs: Job) -> list[Future[None]]:
        """Queue jobs behind earlier requests; each future is done when its job is."""
        with self.change:
            for job in jobs:
                if job not in self.done | self.failed:
                    self.jobs.setdefault(job, Work())
            if self.jobs and not self.threads:
                for do in (self._compile, self._load):
                    self.threads.append(threading.Thread(target=do, name="compile", daemon=True))
                    self.threads[-1].start()
            self.change.notify_all()
            return [self.jobs[job].done for job in jobs if job in self.jobs]

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
        """Whether the plain twin of this bot plays: it is not compiled yet, or cannot be loaded."""
        return game.kept or (game.name, players.base(bot)) not in self.done

    def how(self, game: Game) -> How:
        """How a new table of the game plays: by compiled rules if they are ready, else plain ones.

        Rules of earlier versions are never compiled.
        """
        ready = not game.kept and (game.name, RULES) in self.done
        return "compiled" if ready else "plain"

    def prepare(self, game: Game) -> None:
        """See to it that tables of the game can play by compiled rules: load them, or queue that.

        While anything is being loaded the loop would have to wait for it.
        """
        job = game.name, RULES
        if game.kept or job in self.done | self.failed:
            return
        if self.jobs or game.engine().cold():  # `cold` is asked last: it reads all sources
            self.ask(job)
            return
        with self._failing(job):
            self._warm(job)

    @property
    def left(self) -> list[str]:
        """The jobs that are left, in words."""
        with self.change:
            return [f"{what} of {game}" for game, what in self.jobs]

    def _compile(self) -> None:
        while job := self._next("compile"):
            self.compile_process.compile(games.find(job[0]), job[1])
            self._goes_on(job, "load")

    def _load(self) -> None:
        while job := self._next("look", "load"):
            with self._failing(job):
                if self.jobs[job].step == "look" and cold(games.find(job[0]), job[1]):
                    self._goes_on(job, "compile")
                    continue
                self._warm(job)
            with self.change:
                done = self.jobs.pop(job).done
            done.set_result(None)

    def _warm(self, job: Job) -> None:
        warm(*job)
        self.done.add(job)

    @contextmanager
    def _failing(self, job: Job) -> Iterator[None]:
        """If a job fails here it is told why, and not tried again: its plain twin plays on."""
        try:
            yield
        except Exception:
            log.exception("cannot be loaded, so its plain twin plays", game=job[0], what=job[1])
            self.failed.add(job)

    def _next(self, *steps: Step) -> Job | None:
        """Wait for a job with one of these steps, the first step first; None when closing."""
        with self.change:
            while not self.closing:
                for step in steps:
                    if found := [job for job, work in self.jobs.items() if work.step == step]:
                        return found[0]
                if all(work.step == "load" for work in self.jobs.values()):
                    self.compile_process.rest()
                self.change.wait()
        return None

    def _goes_on(self, job: Job, step: Step) -> None:
        with self.change:
            self.jobs[job].step = step
            self.change.notify_all()

    def close(self) -> None:
        """Begin nothing new; the other process stops at once."""
        with self.change:
            self.closing = True
            self.change.notify_all()
        self.compile_process.close()


def is_of_use(what: str, game: Game) -> bool:
    """Whether it makes sense to compile this for a game: not for a bot that cannot play it."""
    if what in (RULES, COACH):
        return True
    return players.objection(game, what, game.usual, game.defaults(game.usual)) is None


def warm(name: str, what: str) -> None:
    """Load one thing; what is not compiled yet is compiled here."""
    try:
        load(games.find(name), what)
    except Refused:
        log.info("cannot play", bot=what, game=name)
