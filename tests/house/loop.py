"""An event loop whose time is virtual: nobody waits, and everything that waits is drawn.

Time jumps to the next timer when nothing is ready.  What a thread would do is done in the loop:
chance says when, and when its result arrives.  Callbacks that are ready run in the order that
asyncio promises.
"""

import asyncio
import random
import selectors

LONGEST = 0.005  # seconds until a thread begins, and again until its result is there


class Stands(RuntimeError):
    """Nothing is ready, and nobody waits for a time: it stands still for ever."""


class _Waiting(selectors.SelectSelector):
    """Nothing comes from outside; whoever waits, waits for a time."""

    now = 0.0

    def select(self, timeout=None):
        if timeout is None:
            raise Stands("nothing is ready, and no timer runs")
        self.now += max(0.0, timeout)
        return []


class Loop(asyncio.SelectorEventLoop):
    """Virtual time, in seconds from 0; ``chance`` draws how long each thread takes."""

    def __init__(self):
        self.waiting = _Waiting()
        super().__init__(self.waiting)
        self.chance = random.Random(0)

    def time(self):
        return self.waiting.now

    def leap(self, seconds):
        """Let time go by at once: timers that were due meanwhile are late."""
        self.waiting.now += seconds

    async def goes_by(self, seconds):
        """Wait in virtual time."""
        over = self.create_future()
        self.call_later(seconds, over.set_result, None)
        await over

    def soon(self, do, *what):
        """Do something after a time that chance says."""
        return self.call_later(self.chance.uniform(0, LONGEST), do, *what)

    def call_soon_threadsafe(self, callback, *args, context=None):
        return self.call_soon(callback, *args, context=context)

    def run_in_executor(self, executor, func, *args):
        """What a thread would do; whoever does not wait any more gets no result."""
        done = self.create_future()
        self.soon(self._work, done, func, args)
        return done

    def _work(self, done, func, args):
        if done.cancelled():
            return
        try:
            result, error = func(*args), None
        except Exception as why:  # noqa: BLE001  whoever waits is told
            result, error = None, why
        self.soon(_arrive, done, result, error)


def _arrive(done, result, error):
    if done.cancelled():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)
