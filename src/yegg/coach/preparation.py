"""Compiling rules, bots and the coach in another process, and loading them here.

Compiling holds Python's lock.  In a process of its own it leaves everybody else alone.
"""

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

from yegg import games, players
from yegg.engine import Game, Match
from yegg.players import Bot
from yegg.players.thinking.evaluation import prospects
from yegg.players.thinking.knowledge import futures_wanted
from yegg.players.thinking.plan import Plan
from yegg.players.value_net.value_function import judge

from . import review
from .advice import advise, in_tree

RULES, COACH = "rules", "coach"
NICE = 5  # whoever plays goes first


def cold(game: Game, what: str) -> bool:
    """Whether something of a game must still be compiled: its rules, the coach, or a bot."""
    if what == RULES:
        return game.engine().cold()
    return not advised(game).exists() if what == COACH else players.cold(game, what)


def advised(game: Game) -> Path:
    """The file that is there once the coach has spoken in a game."""
    return players.mark(game, review.__name__)


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
    if not judge(match.game) and not futures_wanted(match.game):
        in_tree(match, match.known_to(match.actor), Plan(iterations=2), 0)
    prospects(match.game, len(match.scores))(match.states, 0)
    players.leave(advised(match.game))


class CompileProcess:
    """Another process that compiles one thing after the other; it starts when it is needed."""

    def __init__(self) -> None:
        """Nothing is started yet."""
        self._process: subprocess.Popen[str] | None = None
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

        Where the other process crashes a new one tries once more.  Where that fails too nothing is
        lost: who loads it then compiles it here.  It does not know games with a deck of their own.
        """
        if self.closed or game.cards or not cold(game, what):
            return
        for _ in range(2):
            with contextlib.suppress(OSError, ValueError):
                process = self._started()
                if process and process.stdin and process.stdout:
                    process.stdin.write(f"{game.name} {what}\n")
                    process.stdin.flush()
                    if process.stdout.readline():
                        return
            self.rest()

    def _started(self) -> "subprocess.Popen[str] | None":
        with self._starting:
            if self._process is None and not self.closed:
                self._process = subprocess.Popen(  # noqa: S603
                    [sys.executable, "-m", __name__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,  # Ctrl-C is for the game
                )
            return self._process

    def rest(self) -> None:
        """End the process, which has grown large; the next thing to compile starts another."""
        with self._starting:
            if self._process is not None:
                self._process.kill()
                # This waits for its end and closes the pipes.  What it never read stays unwritten.
                with contextlib.suppress(BrokenPipeError), self._process:
                    pass
                self._process = None

    def close(self) -> None:
        """Stop at once; what is compiled already is kept."""
        self.closed = True
        self.rest()


def main() -> None:
    """The other process: a line for each thing to compile, a line when it is done."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    for line in sys.stdin:
        name, what = line.split()
        # What fails here fails again where it is loaded, and is told there.
        with contextlib.suppress(Exception), contextlib.redirect_stdout(sys.stderr):
            load(games.find(name), what)
        print("done", flush=True)  # noqa: T201  # whoever asked reads it


if __name__ == "__main__":
    main()
