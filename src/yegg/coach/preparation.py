"""Compiling rules, bots and the coach in another process, and loading them here.

Compiling holds Python's lock.  In a process of its own it leaves everybody else alone.
"""

import contextlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from yegg import games, players
from yegg.engine import Game, Match
from yegg.garbage import collect_seldom
from yegg.players import Bot
from yegg.players.policy_net import policy_function
from yegg.players.thinking.evaluation import prospects
from yegg.players.thinking.knowledge import futures_wanted, reasoned
from yegg.players.thinking.plan import Plan

from . import review
from .advice import advise, in_tree

RULES, COACH = "rules", "coach"
NICE = 5  # whoever plays goes first
LONG = 300.0  # seconds after which the other process is not waited for any longer
MOST = 100_000  # bytes of what it says at a time
log = logging.getLogger(__name__)


def cold(game: Game, what: str) -> bool:
    """Whether something of a game must still be compiled: its rules, the coach, or a bot."""
    if what == RULES:
        return game.engine().cold()
    return not advised(game).exists() if what == COACH else players.cold(game, what)


def advised(game: Game) -> Path:
    """The file that is there once the coach has spoken in a game."""
    return reasoned(game).compiler.mark(review.__name__)


def load(game: Game, what: str) -> None:
    """Load one thing, or compile it here, by using it.  Raises Refused for a bot that cannot."""
    match = Match(game, next(iter(game.seats({}))))
    if what == RULES:
        _scores = match.scores
        match.known_to(0)
        match.play(match.choices[0])
        match.follow([])
    elif what == COACH:
        counsel(match)
    else:
        Bot(what).warm(game)


def counsel(match: Match) -> None:
    """The coach's first words, about a decision at the start."""
    match.to_decision()
    advise(match, Plan(iterations=2))
    # Without either, other options of the game may hide nothing, and then it grows a tree.
    if not policy_function.learned(match.game).parts and not futures_wanted(match.game):
        in_tree(match, match.known_to(match.actor), Plan(iterations=2), 0)
    prospects(match.game, len(match.scores), 1)(match.states, 0)
    players.leave(advised(match.game))


class CompileProcess:
    """Another process that compiles one thing after the other; it starts when it is needed."""

    def __init__(self) -> None:
        """Nothing is started yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        self._told = 0  # bytes
        self._starting = threading.Lock()
        self.closed = False
        """Whether nothing more is to be compiled."""

    def make_ready(self, game: Game, what: str) -> None:
        """Have one thing compiled, and load it, unless closed.  Raises what `load` does."""
        self.compile(game, what)
        if not self.closed:
            load(game, what)

    def compile(self, game: Game, what: str) -> None:
        """Have something compiled that is not yet, and wait for it.

        Where the other process crashes, or does not answer in time, a new one tries once more.
        Where that fails too nothing is lost: who loads it then compiles it here.  It does not know
        games with a deck of their own.
        """
        if self.closed or game.cards or not cold(game, what):
            return
        for level in (logging.INFO, logging.WARNING):
            try:
                self._ask(f"{game.name} {what}\n".encode())
            except (OSError, ValueError) as error:
                if self.closed:
                    return
                log.log(level, "compiling %s of %s: %s", what, game.name, error)
                self.rest()
            else:
                with self._starting:
                    self._tell()
                return

    def _ask(self, job: bytes) -> None:
        """Have the other process do a job, and wait for it.

        Raises OSError if it does not, ValueError if it was closed meanwhile.
        """
        process = self._started()
        if not process.stdin or not process.stdout:
            raise ValueError("it has no pipes")
        with contextlib.suppress(BrokenPipeError):  # it has ended: what follows says how
            process.stdin.write(job)
            process.stdin.flush()
        too_long = threading.Timer(LONG, process.kill)
        too_long.daemon = True
        too_long.start()
        answer, late = process.stdout.readline(), not too_long.is_alive()
        too_long.cancel()
        if not answer:
            ended = process.wait()
            how = f"by signal {-ended}" if ended < 0 else f"with status {ended}"
            how = f"did not answer within {LONG:.0f} seconds" if late else f"ended {how}"
            raise OSError(f"the other process {how}")

    def _started(self) -> "subprocess.Popen[bytes]":
        with self._starting:
            if self.closed:
                raise ValueError("it is closed")
            if self._process is None:
                self._said, self._told = TemporaryFile(), 0  # noqa: SIM115  `rest` closes it
                self._process = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-X", "faulthandler", "-m", __name__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._said,
                    start_new_session=True,  # Ctrl-C is for the game
                )
            return self._process

    def _tell(self) -> None:
        """Put into the log what the other process has written to its standard error meanwhile."""
        if self._said is not None:
            said = os.pread(self._said.fileno(), MOST, self._told)  # its place is the process's own
            self._told += len(said)
            for line in said.decode(errors="replace").splitlines():
                log.info("compile process: %s", line)

    def rest(self) -> None:
        """End the process, which has grown large; the next thing to compile starts another."""
        with self._starting:
            if self._process is not None:
                self._process.kill()
                # This waits for its end and closes the pipes.  What it never read stays unwritten.
                with contextlib.suppress(BrokenPipeError), self._process:
                    pass
                self._process = None
            if self._said is not None:
                self._tell()
                self._said.close()
                self._said = None

    def close(self) -> None:
        """Stop at once; what is compiled already is kept."""
        self.closed = True
        self.rest()


def main() -> None:
    """The other process: a line for each thing to compile, a line when it is done."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    collect_seldom()
    for line in sys.stdin:
        name, what = line.split()
        # What fails here fails again where it is loaded, and is told there.
        with contextlib.suppress(Exception), contextlib.redirect_stdout(sys.stderr):
            load(games.find(name), what)
        print("done", flush=True)  # noqa: T201  # whoever asked reads it


if __name__ == "__main__":
    main()
