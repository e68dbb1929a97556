"""Players from outside: classes of other packages or of a script.

Each thinks in a thread of its own.  If it raises an error, answers something illegal or takes too
long, `Failed` says why, and whoever asked goes on: the player loses this decision only.
"""

import ctypes
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from yegg.engine import Failed, Game, Player, States, View
from yegg.engine.record import copied

SECONDS = 10.0  # for one decision
STUCK = 8  # decisions of a player that run on although they were stopped: no more are begun


class Outsider:
    """A player from outside, at one seat of one match: its thread ends when this is dropped."""

    def __init__(
        self, game: Game, name: str, make: Callable[[], Any], seed: int, seconds: float = SECONDS
    ) -> None:
        """``make`` returns the player; it is called before the first decision, and not here."""
        self.game, self.name, self.make = game, name, make
        self.seed, self.seconds = seed, seconds
        self.thread: _Thread | None = None

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``.  Raises Failed."""
        if len(choices) == 1:
            return choices[0]
        if self.thread is None:
            self.thread = _Thread(self.name, self.make, self.seed)
        seen = View(self.game, copied(view), seat, choices)
        try:
            answer = self.thread.ask(seen, self.seconds)
        except queue.Empty:
            self.thread.abandon()
            self.thread = None  # a fresh player makes the next decision
            raise Failed(self.name, f"had not answered after {self.seconds:g} s") from None
        if isinstance(answer, BaseException):
            raise Failed(self.name, told(answer)) from answer
        try:
            number = int(answer)
        except (TypeError, ValueError):
            number = -1
        if number not in choices:
            raise Failed(self.name, f"answered {answer!r:.40}, which is not one of its choices")
        return number


def told(error: BaseException) -> str:
    """An error in one line."""
    what = " ".join(str(error).split())[:120]
    return f"raised {type(error).__name__}" + (f": {what}" if what else "")


class _Thread:
    """A thread in which a player makes one decision after the other."""

    def __init__(self, name: str, make: Callable[[], Any], seed: int) -> None:
        self.asked: queue.SimpleQueue[View | None] = queue.SimpleQueue()
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.stuck = f"stuck player {name}"
        if sum(one.name == self.stuck for one in threading.enumerate()) >= STUCK:
            why = f"is not asked, since {STUCK} of its earlier decisions have not ended yet"
            raise Failed(name, why)
        given = make, seed, self.asked, self.answers  # and not self: nobody could drop it then
        self.thread = threading.Thread(
            target=_answer, args=given, name=f"player {name}", daemon=True
        )
        self.thread.start()

    def ask(self, view: View, seconds: float) -> Any:
        """The answer, or the error that was raised.  Raises queue.Empty when time is up."""
        self.asked.put(view)
        return self.answers.get(timeout=seconds)

    def abandon(self) -> None:
        """Stop a player that takes too long: Python code is interrupted, other code runs on."""
        self.thread.name = self.stuck
        stop = ctypes.py_object(SystemExit)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident or 0), stop)

    def __del__(self) -> None:
        """End the thread: nobody can ask any more."""
        self.asked.put(None)


def _answer(
    make: Callable[[], Any],
    seed: int,
    asked: "queue.SimpleQueue[View | None]",
    answers: "queue.SimpleQueue[Any]",
) -> None:
    """What runs in a player's thread, until nothing more is asked."""
    player: Any = None
    with suppress(SystemExit):  # by which it is stopped, wherever it is
        while (view := asked.get()) is not None:
            try:
                player = player if player is not None else _sit_down(make, seed)
                answer = player.choose(view)
            except BaseException as error:  # noqa: BLE001  a player may raise anything
                answer = error
            answers.put(answer)


def _sit_down(make: Callable[[], Any], seed: int) -> Any:
    player = make()
    if isinstance(player, Player) or hasattr(player, "begin"):
        player.begin(seed)
    return player
