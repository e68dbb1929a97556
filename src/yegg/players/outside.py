"""Players from outside: classes of other packages or of a script.

They think in a thread beside that of whoever asks.  If one raises an error, answers something
illegal or takes too long, `Failed` says why: the player loses this decision only.  What yegg
compiles for a player, or loads, is no part of its time.
"""

import ctypes
import math
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from yegg.engine import Failed, Game, Player, Refused, States, View, compile_clock
from yegg.engine.record import copied
from yegg.engine.whole import whole

from .traces import of_error, of_stack

SECONDS = 10.0  # for one decision, unless somebody says otherwise
NO_LIMIT = math.inf
WATCHED = 0.25  # seconds between two looks at a player that compiles
STUCK = 8  # decisions of a player that run on although they were stopped: no more are begun

_stuck: list[tuple[str, threading.Thread]] = []
"""Where such decisions run on, by the player's name."""


class Outsider:
    """A player from outside, at one seat of one match."""

    def __init__(
        self, game: Game, name: str, make: Callable[[], Any], seed: int, seconds: float = SECONDS
    ) -> None:
        """``make`` returns the player; it is called before the first decision, and not here.

        A ``make`` that says ``SECONDS`` may take so many for a decision, whoever asks.
        """
        self.game, self.name, self.make, self.seed = game, name, make, seed
        self.seconds: float | None = getattr(make, "SECONDS", None)
        self.player: Any = None
        self.thread = PlayerThread(seconds)

    def choose(self, view: States, seat: int, choices: Sequence[int]) -> int:
        """One of the legal choices of a seat that knows ``view``.  Raises Failed.

        The player thinks in a thread of its own, which ends when this is dropped.
        """
        answer = self.thread.ask([(self, copied(view), seat, choices)])[0][0]
        try:
            if isinstance(answer, Failed):
                raise answer
            return answer
        finally:
            del answer  # else the error would hold this frame, and so the player and its thread

    def decide(self, view: States, seat: int, choices: Sequence[int]) -> int | Failed:
        """The same within a player's thread; the player may do with ``view`` what it likes."""
        if len(choices) == 1:
            return choices[0]
        if self.player is None and _running_on(self.name) >= STUCK:
            why = f"is not asked, since {STUCK} of its earlier decisions have not ended yet"
            return Failed(self.name, why)
        try:
            if self.player is None:
                self.player = _sit_down(self.make, self.seed)
            answer = self.player.choose(View(self.game, view, seat, choices))
            with suppress(Refused):
                if (number := whole(answer, "a choice")) in choices:
                    return number
            why = f"answered {answer!r:.40}, which is not one of its choices"
            failed = Failed(self.name, why)
        except BaseException as error:  # noqa: BLE001  a player may raise anything
            what = " ".join(str(error).split())[:120]
            why = f"raised {type(error).__name__}" + (f": {what}" if what else "")
            failed = Failed(self.name, why, of_error(error))
            failed.__cause__ = error
        failed.again = self.once_more(view, seat, choices)
        return failed

    def once_more(self, view: States, seat: int, choices: Sequence[int]) -> Callable[[], object]:
        """What asks the player, as it is now, the same again."""
        seen = View(self.game, copied(view), seat, choices)
        return partial(self.player.choose, seen) if self.player is not None else self.make


def _sit_down(make: Callable[[], Any], seed: int) -> Any:
    player = make()
    if isinstance(player, Player) or hasattr(player, "begin"):
        player.begin(seed)
    return player


def _running_on(name: str) -> int:
    return sum(who == name and thread.is_alive() for who, thread in _stuck)


Question = tuple[Outsider, States, int, Sequence[int]]
Asked = Sequence[Question]
Told = list[tuple[int | Failed, float]]


class PlayerThread:
    """A thread in which players make one decision after the other; it ends when this is dropped.

    To ask a thread takes longer than most decisions do, so it is asked for many at once.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        """Each decision may take so many seconds, but for a player that has seconds of its own."""
        self.seconds = seconds
        self.running: _Running | None = None

    def ask(self, asked: Asked) -> Told:
        """What each player chooses, or why it fails; and the seconds that it took."""
        told: Told = []
        while len(told) < len(asked):
            self.running = self.running or _Running()
            told += self.running.ask(asked[len(told) :], self.seconds)
            if self.running.given_up:
                self.running = None
        return told

    def __del__(self) -> None:
        """End the thread: nobody can ask any more."""
        if self.running:
            self.running.todo.put(None)


class _Running:
    """What runs in a thread, until it is given None or a player takes too long."""

    def __init__(self) -> None:
        self.todo: queue.SimpleQueue[tuple[Asked, Told] | None] = queue.SimpleQueue()
        self.done: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.begun = 0.0  # when the decision began that is being made
        self.compiled = 0.0  # seconds until then
        self.given_up = False
        self.thread = threading.Thread(target=self.run, name="player thread", daemon=True)
        self.thread.start()

    def ask(self, asked: Asked, seconds: float) -> Told:
        """What the players choose; it ends with the first who takes too long."""
        told: Told = []
        self.begin()
        self.todo.put((asked, told))
        most = [NO_LIMIT if seconds == NO_LIMIT else one[0].seconds or seconds for one in asked]
        wait = most[0]
        while True:
            with suppress(queue.Empty):
                self.done.get(
                    timeout=None if wait == NO_LIMIT else min(wait, threading.TIMEOUT_MAX)
                )
                return told
            at = len(told)  # read before `begun`: the next decision may begin in between
            own = most[min(at, len(asked) - 1)]
            wait = self.left(own)
            if not wait and at < len(asked):
                return [*told[:at], (self.give_up(asked[at], own), own)]

    def begin(self) -> None:
        """A decision begins."""
        self.begun = time.perf_counter()
        self.compiled = compile_clock.spent(self.thread.ident or 0)

    def left(self, own: float) -> float:
        """How long to wait until the decision that is being made has had so many seconds."""
        me = self.thread.ident or 0
        if compile_clock.is_compiling(me):
            return WATCHED
        compiled = compile_clock.spent(me) - self.compiled
        return max(0.0, self.begun + own + compiled - time.perf_counter())

    def give_up(self, asked: Question, seconds: float) -> Failed:
        """Stop a player that takes too long: Python code is interrupted, other code runs on."""
        late, view, seat, choices = asked
        self.given_up = True
        failed = Failed(late.name, f"took longer than {seconds:g} s", self.where())
        failed.again = late.once_more(view, seat, choices)
        late.player = None  # a fresh one makes the next decision
        _stuck[:] = [(name, thread) for name, thread in _stuck if thread.is_alive()]
        _stuck.append((late.name, self.thread))
        stop = ctypes.py_object(SystemExit)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread.ident or 0), stop)
        self.todo.put(None)  # one that has answered just now waits here, where nothing stops it
        return failed

    def where(self) -> str:
        """Where the player is that is being waited for."""
        frame = sys._current_frames().get(self.thread.ident or 0)  # noqa: SLF001
        return of_stack(frame) if frame else ""

    def run(self) -> None:
        """What the thread does."""
        with suppress(SystemExit):  # by which it is stopped, wherever it is
            while self.answer(self.todo.get()):
                pass  # and nothing asked is kept meanwhile, or its thread would never end

    def answer(self, todo: tuple[Asked, Told] | None) -> bool:
        """Let players decide; False if nobody asks any more."""
        if todo is None:
            return False
        asked, told = todo
        for outsider, view, seat, choices in asked:
            self.begin()
            answer = outsider.decide(view, seat, choices)
            if self.given_up:
                return False
            compiled = compile_clock.spent(self.thread.ident or 0) - self.compiled
            told.append((answer, time.perf_counter() - self.begun - compiled))
        self.done.put(None)
        return True
