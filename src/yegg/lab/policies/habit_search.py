"""Habit search: learns a habit by which somebody who plays like a player beats that player.

It learns one habit after the other.  All that may come next play the same deals, and the better
half goes on; the last one is taken up only if it wins clearly more on deals that nobody has met.
What it wins in the end is measured over other dice, by an ordinary experiment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.lab.batch import Matchup, won_on
from yegg.lab.cells import seatings
from yegg.lab.executors.ordered import in_order
from yegg.lab.experiment.schema import Experiment, parsed
from yegg.lab.file_schema import as_toml
from yegg.lab.simulation import AT_ONCE, run
from yegg.lab.tuning.halving import Tried, halve, order
from yegg.stats.intervals import Apart, as_value, difference
from yegg.stats.p_values import Floats

from .exploitability import Opponent
from .habit_schema import AVOID, PREFER, HabitTable, habit_of
from .habits import Habit, Words, words

NAME = "counter"
STEPS = 4  # habits at most
LISTED = 150  # texts at most that are tried one by one; of more, only first words are
FEWEST = 40  # deals that decide whether a habit is taken up
FRESH = 2_000_000  # added to the seed for what is measured in the end

Bound = tuple[tuple[str, int], ...]
"""Words and their ranks, in the order in which they were learned."""

Play = Callable[[Sequence[Bound], range], Sequence[Floats]]
"""What several counters win of some deals, deal by deal: the share of one seat."""


@dataclass(frozen=True)
class Contest(Opponent):
    """The player to beat by a habit, and the game, players and options."""

    @property
    def texts(self) -> Words:
        """The texts of choices that players can be asked to make, as records have them."""
        return words(self.game, self.players, tuple(sorted(self.options.items())))

    @property
    def arranged(self) -> list[tuple[int, ...]]:
        """The counter on each seat in turn."""
        return seatings([NAME, *[self.bot] * (self.players - 1)])

    def setting(self, bound: Bound) -> Matchup:
        """Somebody who is bound to words, among players who are not."""
        return Matchup(
            self.game,
            self.players,
            self.options,
            [self.bot] * self.players,
            self.seed,
            habits=[self.habit(bound), *[None] * (self.players - 1)] if bound else (),
            arranged=self.arranged,
            course=True,
        )

    def habit(self, bound: Bound) -> Habit:
        """Words as a habit.  Raises Refused where they mean something else in other positions."""
        return habit_of(HabitTable(**self.entry(bound)), {"": self.texts})

    def entry(self, bound: Bound) -> dict[str, Any]:
        """A habit as an entry of a file."""
        return {"name": NAME, "like": self.bot, **kinds(bound)}

    def patterns(self) -> list[str]:
        """Candidate patterns of a habit: first words of choices, and their whole texts if few."""
        texts = sorted({text for some in self.texts.values() for text in some})
        verbs = [verb if verb in texts else f"{verb} *" for verb in {t.split()[0] for t in texts}]
        whole = texts if len(texts) <= LISTED else []
        return [one for one in dict.fromkeys([*sorted(verbs), *whole]) if self._is_plain(one)]

    def _is_plain(self, pattern: str) -> bool:
        try:
            self.habit(((pattern, PREFER),))
        except Refused:
            return False
        return True


def kinds(bound: Bound) -> dict[str, list[str]]:
    """Words by what is done with them, as a file has them; a key is there only if it is used."""
    by = {"prefer": PREFER, "avoid": AVOID}
    words = {key: [word for word, way in bound if way == rank] for key, rank in by.items()}
    return {key: some for key, some in words.items() if some}


@dataclass(frozen=True)
class Step:
    """A habit that was learned, or that came last and did not win clearly more."""

    word: str
    rank: int
    gain: Apart
    """What it adds to the share of the win, on deals that decided nothing else."""
    taken: bool


@dataclass
class Learned:
    """The result of a search: the habit that was learned, step by step."""

    bound: Bound = ()
    steps: list[Step] = field(default_factory=list)
    games: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The result for `--json`."""
        steps = [
            {"words": s.word, "prefer": s.rank == PREFER, "taken": s.taken, **as_value(s.gain)}
            for s in self.steps
        ]
        return {"prefer": [], "avoid": [], **kinds(self.bound), "steps": steps}


def contest(
    game: Game, players: int, options: Mapping[str, str], against: str, seed: int
) -> Contest:
    """The player to beat, checked.  Raises Refused where words cannot bind the player."""
    game.setup(players, options)
    bots.find(against)
    if players < 2:
        raise Refused("a counter needs somebody to play against: two seats or more")
    if bots.thinks(against):
        raise Refused(f"{against} thinks ahead; players who answer at once can be bound to words")
    return Contest(game, players, options, against, seed)


def learn(
    patterns: Sequence[str],
    play: Play,
    games: int,
    each: int,
) -> Learned:
    """Learn by about so many games, ``each`` a deal."""
    learned, first, budget = Learned(), 0, games // STEPS

    def tried(some: Sequence[Bound], deals: range) -> list[Tried[Bound]]:
        learned.games += len(some) * len(deals) * each
        shares = play(some, deals)
        return [Tried(bound, -won.mean(), ()) for bound, won in zip(some, shares, strict=True)]

    while len(learned.steps) < STEPS:
        known = {word for word, _ in learned.bound}
        next_ones: list[Bound] = [
            (*learned.bound, (word, rank))
            for word in patterns
            if word not in known
            for rank in (PREFER, AVOID)
        ]
        if not next_ones:
            break
        rounds = list(halve(next_ones, tried, budget * 2 // 3, each, first))
        best, first = order(rounds)[0], rounds[-1].deals.stop
        deals = max(FEWEST, budget // 3 // (2 * each))
        more, before = play([best, learned.bound], range(first, first + deals))
        learned.games += 2 * deals * each
        first += deals
        gain = difference(more - before, percent=True)
        learned.steps.append(Step(*best[-1], gain, gain.low > 0))
        if gain.low <= 0:
            break
        learned.bound = best
    return learned


def by_playing(
    contest: Contest, threads: int | None, heard: Callable[[int], None] = lambda _: None
) -> Play:
    """Counters that really play; ``heard`` is told of each lot of games that were played."""
    each = len(contest.arranged)

    def play(every: Sequence[Bound], deals: range) -> list[Floats]:
        settings = [contest.setting(bound) for bound in every]
        size = max(1, AT_ONCE // each)
        jobs = [
            (setting, deals[at : at + size])
            for setting in settings
            for at in range(0, len(deals), size)
        ]
        won: list[list[Floats]] = [[] for _ in every]
        lots = -(-len(deals) // size)
        for at, (_, shares) in enumerate(in_order(_played, jobs, threads)):
            won[at // lots].append(shares)
            heard(len(shares) * each)
        return [np.concatenate(some) for some in won]

    return play


def _played(job: tuple[Matchup, range]) -> Floats:
    """What the counter wins of some deals: its mean share on all seats, deal by deal."""
    setting, deals = job
    each = len(setting.seatings)
    batch = run(setting, deals[0] * each, len(deals) * each)
    own = won_on(batch.seating == 0, batch.shares)
    shares: Floats = np.where(batch.over, own, 0.0).reshape(-1, each).mean(axis=1)
    return shares


def as_experiment(contest: Contest, bound: Bound, deals: int) -> Experiment:
    """The experiment that measures a learned habit, over dice that the search has not met."""
    game, against, count = contest.game, contest.bot, contest.players
    name = "these rules" if contest.options else "published"
    file: dict[str, Any] = {
        "question": f"Can {against} be countered?",
        "game": game.name,
        "seed": contest.seed + FRESH,
        "players": count,
        "bots": [[NAME, *[against] * (count - 1)]],
        "vary": {"rules": [{"name": name, **contest.options}]} if contest.options else {},
        "sample": {"deals": deals},
        "habit": [contest.entry(bound)],
        "claim": [{"share_of_counter": f"{name} > {1 / count:.6f}"}],
    }
    learned = f"{game.name} --bots {against} --seed {contest.seed}"
    return parsed(file, f"# Learned by: yegg lab counter {learned}\n{as_toml(file)}")
