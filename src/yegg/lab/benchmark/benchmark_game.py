"""One game of the benchmark: as a bot plays it, and as a record says that it was played."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Lock

import msgspec
import numpy as np

from yegg.coach.advice import in_rollouts, think
from yegg.engine import Failed, Match, Refused, notation
from yegg.lab.batch import MAX_EVENTS
from yegg.lab.executors.ordered import in_order
from yegg.players import CHAT, Bot
from yegg.players.thinking.plan import Plan
from yegg.players.usage import Usage, usage
from yegg.text.untrusted import quoted

from .protocol import COMPARED, SEARCHED, Task

DIGITS = 6  # of a share of the win


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that was played: a line of the file of games."""

    round: int
    game: str
    against: str
    record: str
    """The record, up to where the bot made no choice if it forfeited the game."""
    share: float
    """The bot's share of the win; 0 of a game that it forfeited, or that did not end."""
    decisions: int
    """Its decisions among two choices and more."""
    costs: list[float]
    """What each judged decision gave away, as a share of the win.

    It is below 0 where the coach found the bot's choice better than what it had taken for the best.
    """
    forfeit: str = ""
    """Why the bot made no choice."""
    unfinished: bool = False
    seconds: float = 0.0
    """All its decisions together."""
    slowest: float = 0.0
    """Seconds of its slowest decision."""
    usage: Usage = msgspec.field(default_factory=Usage)
    """Of a language model: its answers, illegal ones, tokens."""

    @property
    def task(self) -> Task:
        """Which game of the protocol it is."""
        return Task(self.round, self.game, self.against)


class BenchmarkGame:
    """A game with the bot's choices, its real decisions counted, and some of them judged."""

    def __init__(self, task: Task, choose: Callable[[Match], int]) -> None:
        """``choose`` makes the bot's choices, also where only one is possible."""
        self.task, self.choose = task, choose
        self.match = Match(task.rules, task.players, seed=task.seed)
        self.decisions = 0
        self.costs: list[float] = []

    def run(self) -> None:
        """Play to the end.  What ``choose`` raises leaves the game where it stands."""
        task, match = self.task, self.match
        others = [Bot(task.against, task.seed + seat, clock=False) for seat in range(task.players)]
        while not match.over and len(match.history) < MAX_EVENTS:
            if match.actor == task.seat:
                choice = self._own()
            else:
                choice = others[match.actor].choose(match.view())
            match.play(choice)

    def _own(self) -> int:
        real = len(self.match.choices) > 1
        choice = self.choose(self.match)
        if real:
            if self.task.judged(self.decisions):
                seed = self.task.seed + len(self.match.history)
                self.costs.append(round(given_away(self.match, choice, seed), DIGITS))
            self.decisions += 1
        return choice

    @property
    def share(self) -> float:
        """The bot's share of the win; 0 of a game that is not over."""
        if not self.match.over:
            return 0.0
        first = [side for side, place in enumerate(self.match.places) if place == 1]
        return 1 / len(first) if self.task.seat in first else 0.0


def given_away(match: Match, choice: int, seed: int) -> float:
    """How much of the win a choice gives away at the decision at hand, by the coach's value.

    The coach names the best choice by some futures, and what it wins more is measured in others:
    what was chosen for its luck in the first ones has no luck in these, so that noise is counted
    on neither side.
    """
    found = think(match, Plan(iterations=SEARCHED), seed)
    best = match.choices[int(np.argmax(found.shares))]
    if best == choice:
        return 0.0
    pair = in_rollouts(match, [best, choice], Plan(iterations=2 * COMPARED), seed + 1)
    return float(pair.values[0] - pair.values[1])


def play(task: Task, bot: str) -> Played:
    """Let a bot play a game of the protocol.

    Raises Refused where the server of a language model gave no answer in the whole game: then it
    is not there, and no game is lost by that.
    """
    player = Bot(bot, task.seed + task.seat, clock=False)
    spent: list[float] = []

    def choose(match: Match) -> int:
        view, begun = match.view(), time.perf_counter()
        try:
            return player.choose(view)
        finally:
            if len(view.choices) > 1:
                spent.append(time.perf_counter() - begun)

    course, before, forfeit = BenchmarkGame(task, choose), usage(bot), ""
    try:
        course.run()
    except Failed as failure:
        forfeit = failure.why
    used = usage(bot).less(before)
    if used.failures and not used.answers:
        raise Refused(f"{bot} {forfeit}. What was played is kept; the same command goes on")
    return Played(
        *task,
        notation.write(course.match),
        course.share,
        course.decisions,
        course.costs,
        forfeit,
        not (course.match.over or forfeit),
        sum(spent),
        max(spent, default=0.0),
        used,
    )


def each(
    todo: Sequence[Task],
    bot: str,
    keep: Callable[[Played], object],
    threads: int | None = None,
) -> Iterator[Played]:
    """Play games of the protocol; each is handed to ``keep`` as soon as it has ended.

    A language model plays one after the other: what a game has cost is told from what the model
    had cost before.  ``threads`` is by default one for each core.
    """
    one_at_a_time = Lock()

    def work(task: Task) -> Played:
        played = play(task, bot)
        with one_at_a_time:
            keep(played)
        return played

    if bot.startswith(f"{CHAT}:"):
        yield from map(work, todo)
        return
    for _, played in in_order(work, todo, threads):
        yield played


class Stopped(Exception):
    """The record of a forfeited game ends here."""


class Differs(Exception):
    """What is wrong with a game, in a sentence."""


def replayed(played: Played) -> BenchmarkGame:
    """Play a game again with the bot's choices of its record, and all else by the protocol.

    Raises Differs if the record is not that of this game.
    """
    lines = played.record.partition("\n\n")[2].splitlines()

    def choose(match: Match) -> int:
        at = len(match.history)
        if at == len(lines) and played.forfeit:
            raise Stopped
        who, _, text = (lines[at] if at < len(lines) else "").partition(" ")
        if text in match.texts and who == str(match.actor + 1):
            return match.texts[text]
        raise Differs(_difference(played.record, notation.write(match)))

    course = BenchmarkGame(played.task, choose)
    with suppress(Stopped):
        course.run()
    again = notation.write(course.match)
    if again != played.record:
        raise Differs(_difference(played.record, again))
    return course


def _difference(record: str, again: str) -> str:
    """Where a record and what the protocol makes of it part."""
    told, made = record.splitlines(), again.splitlines()
    body = made.index("")
    if "" not in told:
        return "its record has no head and no events"
    told, made = told[told.index("") + 1 :], made[body + 1 :]
    for number, (one, other) in enumerate(zip(told, made, strict=False), 1):
        if one != other:
            by = f"by the protocol it is {quoted(other)}"
            return f"event {number} of its record is {quoted(one)}; {by}"
    if len(told) != len(made):
        number = min(len(told), len(made)) + 1
        more = len(told) >= number
        which = f"is {quoted(told[number - 1])}, which cannot be" if more else "is missing"
        return f"event {number} of its record {which}"
    return "the head of its record is another one"
