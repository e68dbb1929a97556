"""Mining puzzles: decisions that players got wrong, as two judges that differ agree.

Games of `medium` and `easy` are played.  A decision is kept where a quick look of the coach, then
much deeper ones, see that the choice made cost much, and where the best choice also wins more than
the next one when both are played on to the end by `greedy`, which goes by lore and not by the net.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.coach.advice import Thought, in_rollouts, thought
from yegg.coach.reasons import speaks_for
from yegg.engine import Game, Ints, Match, kernels, notation
from yegg.engine.dice import seeds
from yegg.engine.record import NOBODY
from yegg.lessons.puzzle import COSTLY, DIGITS, Worth, at_once, written
from yegg.players import Bot
from yegg.players.thinking.knowledge import known_to_all
from yegg.players.thinking.plan import Evaluation, Plan
from yegg.stats.intervals import Z, brackets, proportion

from .batch import Games, Matchup
from .simulation import finish

LINEUP = ("medium", "easy")
"""Who plays: each has every other seat."""
NEWCOMER, ASKED = "easy", 4
"""Who is asked at each decision what they would choose, and how many of them."""
SECOND_JUDGE = "greedy"
OPEN = 0.1, 0.9
"""What the best choice wins where nothing is decided yet."""
QUICK, DEEP = 64, 1000
"""Futures of each choice, in the quick look and in each deeper one."""
LOOKS = 3
PLAYED = 600
"""Games that the second judge plays after each of the two best choices."""
A_PHASE = 3
"""At most so many puzzles are of the same third of one game."""
PHASES = 3
TRIES = 20
"""Tries of players who draw their choices."""
FINDERS = ("easy", "medium", "search:1000")
NAMES = ("Morgan", "Siveny", "Quill", "Nessa", "Otto", "Tamsin", "Ravel", "Isolde")


@dataclass(frozen=True)
class Look:
    """What the coach sees at a decision: by choice its value, and the interval of that."""

    values: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @property
    def best(self) -> int:
        """The index of the choice of the greatest value."""
        return int(np.argmax(self.values))

    def alike(self, best: int) -> NDArray[np.bool_]:
        """Which intervals overlap with that of ``best``; its own does."""
        alike: NDArray[np.bool_] = self.high >= self.low[best]
        return alike


def together(found: Sequence[Evaluation]) -> Look:
    """One look of several evaluations of the same choices, made under different seeds.

    Its figures are rounded as a puzzle's file tells them: so what overlaps there does so here.
    """
    values = np.clip(np.mean([one.values for one in found], axis=0), 0, 1)
    sample = np.sum([one.sample for one in found], axis=0)
    figures = [proportion(v * n, n) for v, n in zip(values, np.round(sample), strict=True)]
    ends = [(figure.low, figure.high) for figure in figures]
    return Look(values, *np.round(np.array(ends).T, DIGITS))


class Found(NamedTuple):
    """A puzzle that was found."""

    game: int
    """In which game, from 0."""
    event: int
    """After how many events."""
    text: str
    """Its file."""


class Seam:
    """The games of a seed, one after another, and the puzzles in them."""

    def __init__(self, game: Game, seed: int, gap: float = COSTLY) -> None:
        """``gap``: how much of the win a choice must cost."""
        self.game, self.seed, self.gap = game, seed, gap
        self.players = game.usual
        self.seen: set[bytes] = set()
        """What players knew in the puzzles so far: nothing is asked twice."""
        self.passed: Counter[str] = Counter()
        """How many decisions passed each test."""

    def played(self, number: int) -> Match:
        """The game of this number, to its end."""
        dealt = int(seeds(self.seed, number, 1, 1)[0, 0, 0] >> np.uint64(1))
        match = Match(self.game, self.players, names=NAMES[: self.players], seed=dealt)
        seated = [
            Bot(LINEUP[(number + seat) % len(LINEUP)], dealt + seat + 1)
            for seat in range(self.players)
        ]
        while not match.over:
            match.play(seated[match.actor].choose(match.view()))
        return match

    def dig(self, number: int) -> Iterator[Found]:
        """The puzzles of a game."""
        match = self.played(number)
        events = len(match.history)
        taken: Counter[int] = Counter()
        last = last_known(match) if self.game.secret else b""
        for event, before in enumerate(notation.steps(match)):
            if event == events or not before.decides(match.history[event]):
                continue
            if (last and public(before) != last) or at_once(before):
                continue
            phase = PHASES * event // events
            if taken[phase] < A_PHASE and (text := self.puzzle(before, match, number)):
                taken[phase] += 1
                yield Found(number, event, text)

    def puzzle(self, before: Match, match: Match, number: int) -> str | None:
        """The puzzle at a decision of a game; None if it is none."""
        event = len(before.history)
        known = before.known_to(before.actor).tobytes()
        how = thought(before)
        self.passed["decisions"] += 1
        if known in self.seen:
            return None
        chosen = self.costly(before, match.history[event], how, event)
        if chosen is None:
            return None
        self.passed["quick look"] += 1
        looks: list[Evaluation] = []
        while len(looks) < LOOKS:
            looks.append(self.look(before, DEEP, how, event, 1 + len(looks)))
            if not self.apart(looks[-1], chosen):
                return None
        look = together(looks)
        if not self.sure(look, chosen):
            return None
        self.passed["deep looks"] += 1
        best, alike = look.best, look.alike(look.best)
        after = int(np.argmax(np.where(alike, -1, look.values)))
        more = self.second_judge(before, before.choices[best], before.choices[after], event)
        if more is None or more[1] <= 0:
            return None
        self.passed["second judge"] += 1
        self.seen.add(known)
        return self.said(before, look, looks, chosen, more, number)

    def look(self, before: Match, futures: int, how: Thought, event: int, n: int = 0) -> Evaluation:
        """The coach's look at a decision, in so many futures of each choice."""
        plan = Plan(iterations=futures * len(before.choices))
        dice = int(seeds(self.seed, event, 1, LOOKS + 1)[0, n, 0] >> np.uint64(1))
        return in_rollouts(before, before.choices, plan, dice, how)

    def costly(self, before: Match, played: int, how: Thought, event: int) -> int | None:
        """The index of the costliest choice that somebody makes here, if a quick look sees one.

        That is who decided in the game, or a newcomer who is asked as well.  None where nobody's
        choice costs much, or where the game is decided.
        """
        values = self.look(before, QUICK, how, event).values
        best = float(values.max())
        if not OPEN[0] <= best <= OPEN[1]:
            return None
        view, at = before.view(), {choice: j for j, choice in enumerate(before.choices)}
        made = {at[played]} | {at[Bot(NEWCOMER, n).choose(view)] for n in range(ASKED)}
        worst = min(made, key=lambda j: values[j])
        return worst if best - values[worst] > self.gap else None

    def apart(self, look: Evaluation, chosen: int) -> bool:
        """Whether a deeper look says that a choice cost something: no interval of it overlaps."""
        seen = together([look])
        return not seen.alike(seen.best)[chosen]

    def sure(self, look: Look, chosen: int) -> bool:
        """Whether the deeper looks see together that the choice cost much."""
        best = float(look.values.max())
        return OPEN[0] <= best <= OPEN[1] and best - look.values[chosen] > self.gap

    def second_judge(
        self, before: Match, best: int, after: int, event: int
    ) -> tuple[float, float, float] | None:
        """How much more of the win ``best`` brings than ``after``, and the interval of that.

        Both are played on to the end with the same dice and the same hidden things.  None if the
        choices are not possible where others act before the order is known.
        """
        seat, game = before.actor, self.game
        dice = seeds(self.seed, event, PLAYED, 1 + self.players)
        states = before.known_to(seat).repeat(PLAYED)
        if not settled(game, states, seat, dice):
            return None
        won = []
        for choice in best, after:
            then = states.copy()
            for g in range(PLAYED):
                game.engine().kernel(kernels.make)(then[g : g + 1], choice)
            won.append(played_on(game, before, then, dice.copy())[:, seat])
        more = won[0] - won[1]
        mean, error = float(more.mean()), float(more.std(ddof=1)) / np.sqrt(PLAYED)
        return mean, mean - Z * error, mean + Z * error

    def said(
        self,
        before: Match,
        look: Look,
        looks: Sequence[Evaluation],
        chosen: int,
        more: tuple[float, float, float],
        number: int,
    ) -> str:
        """The file of a puzzle."""
        best, alike = look.best, look.alike(look.best)
        texts = list(before.texts)
        order = np.argsort(-look.values, kind="stable")
        worths = [
            Worth(text, *(float(ends[j]) for ends in (look.values, look.low, look.high)))
            for j, text in enumerate(texts)
        ]
        also = [worths[j] for j in order if alike[j] and j != best]
        right = [worths[best], *also]
        worse = [j for j in order if not alike[j]]
        why = {texts[j]: speaks_for(self.game, looks[0].reckoned, best, j) or "" for j in worse}
        difficulty, found = self.difficulty(before, [one.text for one in right])
        judged = (
            f"{LOOKS} looks of {DEEP} futures; played on {PLAYED} times by {SECOND_JUDGE}: "
            f"{more[0]:.3f} {brackets(*more[1:], '.3f')} more than the next; found by {found}; "
            f"somebody chose {texts[chosen]}; seed {self.seed}, game {number}, "
            f"event {len(before.history)}; rules version {self.game.version}"
        )
        return written(before, difficulty, right, [worths[j] for j in worse], why, judged)

    def difficulty(self, before: Match, right: Sequence[str]) -> tuple[int, str]:
        """How hard a decision is, 1 to 5, and by whom: the first who finds a right choice.

        By chance that is more often than not; a player who draws must find it half of the time.
        """
        if 2 * len(right) > len(before.choices):
            return 1, "chance"
        view, known = before.view(), set(right)
        for level, name in enumerate(FINDERS, 2):
            tries = TRIES if name == "easy" or self.game.secret else 1
            found = sum(
                before.say(Bot(name, n, clock=False).choose(view)) in known for n in range(tries)
            )
            if 2 * found >= tries:
                return level, name
        return 2 + len(FINDERS), "none of them"


def public(match: Match) -> bytes:
    """What everybody knows."""
    return known_to_all(match.game, match.known_to(match.actor))


def last_known(match: Match) -> bytes:
    """What everybody knew at the last decision of a game that is over.

    Where orders are secret only the last ones are asked for.  What an earlier one is worth depends
    on what others make of it later, so that no single order is right.
    """
    before = match.again()
    decisions = [
        event
        for event, then in enumerate(notation.steps(match))
        if event < len(match.history) and then.decides(match.history[event])
    ]
    before.follow(match.history[: decisions[-1]])
    return public(before)


def settled(game: Game, states: NDArray[np.void], seat: int, dice: NDArray[np.uint64]) -> bool:
    """Deal what a seat cannot know, and let others give their orders, until the seat is to act.

    Returns whether it then is, everywhere.
    """
    engine = bots.engine(game, SECOND_JUDGE)
    settle, make = engine.kernel(kernels.settle), engine.kernel(kernels.make)
    decide, options_of = engine.kernel(kernels.decide), engine.kernel(kernels.options_of)
    veil = engine.kernel(kernels.veil)
    who, room = np.zeros(2, np.int32), np.zeros(1 + bots.room(SECOND_JUDGE), game.state.dtype)
    out: Ints = np.zeros(game.choices, np.int32)
    for g in range(len(states)):
        state = states[g : g + 1]
        while (actor := settle(state, dice[g, 0], out)) not in (seat, NOBODY):
            many = options_of(state, out, who)
            room[0] = state[0]
            veil(room[:1], actor)
            make(state, decide(room, actor, many, dice[g, 1 + actor], out))
        if actor == NOBODY:
            return False
    return True


def played_on(
    game: Game, before: Match, states: NDArray[np.void], dice: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """(games, sides): the shares of the win after games were played on by the second judge."""
    seats, many = before.players, len(states)
    setting = Matchup(game, seats, before.options, [SECOND_JUDGE] * seats, 0)
    return finish(Games.at(states, setting, setting.seated(0, many), dice)).shares
