"""Players with a memory in simulations: one instance for each seat of each game."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from yegg import players as bots
from yegg.engine import Failed, Ints, Match, States, View, kernels, notation
from yegg.engine.contest import Tracks, enact
from yegg.engine.dice import roll
from yegg.engine.record import copied
from yegg.players.outside import Outsider, PlayerThread

from .batch import Games, called
from .failures import Failure


class Watch:
    """The time that players take over their choices among several."""

    def __init__(self) -> None:
        """Nobody has chosen yet."""
        self.thought = defaultdict[tuple[int, str], Counter[str]](Counter)
        """By game and player, of those with a memory: how many choices took how many seconds.

        The seconds have two digits.
        """
        self.spent = defaultdict[str, float](float)
        """By player: the seconds of all calls in which those without a memory chose."""


class Decision(NamedTuple):
    """A decision that a player with a memory is to make."""

    game: int
    thinker: bots.Thinker
    view: States
    seat: int
    choices: list[int]


class Thinkers:
    """The players with a memory in a batch of games."""

    def __init__(self, games: Games, watch: Watch | None = None) -> None:
        """A seat's generator is also the seed of its player."""
        self.games, self.watch = games, watch
        game, self.lineup = games.setting.game, games.setting.lineup
        self.minds = {
            (g, seat): bots.thinker(game, name, int(games.dice[g, 1 + seat, 0]), clock=False)
            for who, name in enumerate(self.lineup)
            if bots.thinks(name)
            for g, seat in np.argwhere(games.seating == who).tolist()
        }
        self.each = {g: _one(games, g) for g in sorted({g for g, _ in self.minds})}
        """By game with such a player: its state, and what `enact` counts of it."""
        self.thread = PlayerThread(games.setting.seconds)
        self.made = bots.engine(game, "uniform")
        self.out = np.zeros(game.choices, np.int32)
        self.failed = np.zeros(games.seating.shape, np.int32)
        self.failures: dict[str, Failure] = {}
        self.gave_up: set[int] = set()
        """Games that ended because a player failed."""

    def act(self) -> None:
        """Make one decision for each player with a memory whose turn it is."""
        if not self.minds:
            return
        who, most = np.zeros(1, np.int32), self.games.setting.max_events
        states, counted = next(iter(self.each.values()))
        options_of = self.made.direct(kernels.options_of, states, self.out, who)
        veil = self.made.direct(kernels.veil, copied(states), 0)
        play = self.made.direct(enact, states, 0, *counted, self.out)
        asked = []
        for g, (states, _) in self.each.items():
            if g in self.gave_up:
                continue
            k = options_of(states, self.out, who)
            seat = int(who[0])
            if (g, seat) not in self.minds or self.games.events[g] >= most:
                continue
            view = copied(states)
            veil(view, seat)
            asked.append(Decision(g, self.minds[g, seat], view, seat, self.out[:k].tolist()))
        for one, told in self.answers(asked):
            choice = self.choice(one, *told)
            if choice is None:
                self.gave_up.add(one.game)
            else:
                states, counted = self.each[one.game]
                play(states, choice, *counted, self.out)

    def answers(
        self, asked: list[Decision]
    ) -> Iterator[tuple[Decision, tuple[int | Failed, float]]]:
        """What players choose, or why they fail, and the seconds that it took."""
        outside, questions = [], []
        for one in asked:
            thinker, view, seat, choices = one[1:]
            if isinstance(thinker, Outsider):
                outside.append(one)
                questions.append((thinker, view, seat, choices))
                continue
            begun = time.perf_counter()
            answer: int | Failed
            try:
                answer = thinker.choose(view, seat, choices)
            except Failed as failure:
                answer = failure
            yield one, (answer, time.perf_counter() - begun)
        yield from zip(outside, self.thread.ask(questions), strict=True)

    def choice(self, asked: Decision, answer: int | Failed, seconds: float) -> int | None:
        """What a player chose; if it failed, a choice drawn by lot, or None to give up."""
        game, seat, choices = asked.game, asked.seat, asked.choices
        if isinstance(answer, Failed):
            self.note(asked, answer)
            self.failed[game, seat] += 1
            if self.games.setting.forfeit:
                return None
            with np.errstate(over="ignore"):  # the generator's sums overflow on purpose
                return choices[roll(self.games.dice[game, 1 + seat], len(choices))]
        if self.watch and len(choices) > 1:
            name = self.lineup[self.games.seating[game, seat]]
            self.watch.thought[game, name][f"{seconds:.1e}"] += 1
        return answer

    def note(self, asked: Decision, failed: Failed) -> None:
        """Keep a player's first failure.  Raises it where somebody wants to debug."""
        game, _, _, seat, choices = asked
        if failed.player not in self.failures:
            view = copied(self.each[game][0])  # the player may have changed its own
            self.made.kernel(kernels.veil)(view, seat)
            rules = self.games.setting.game
            there = failure(self.games, game, View(rules, view, seat, choices, "plain"), failed)
            self.failures[failed.player] = there
            if self.games.setting.debug:
                failed.add_note(there.as_text())
                raise failed


def failure(games: Games, g: int, view: View, error: Failed) -> Failure:
    """Where a player failed in row ``g`` of some games, whose seat has this view."""
    setting, event = games.setting, int(games.events[g])
    names, played = called(setting, games.seating[g]), games.log[g, :event].tolist()
    record = ""
    if len(played) == event:
        rules = setting.game, setting.players, setting.options
        match = Match(*rules, names=names, how="plain")
        match.follow(played)
        record = notation.write(match)
    return Failure(
        error.player,
        error.why,
        games.first + g,
        view.seat + 1,
        event,
        view.scene(names),
        error.trace,
        record,
    )


def _one(games: Games, g: int) -> tuple[States, tuple[Ints, Ints, Ints, Tracks]]:
    """The arrays of one game alone."""
    here = slice(g, g + 1)
    course = Tracks(*(counted[here] for counted in games.course))
    return games.states[here], (games.events[here], games.log[here], games.counts[here], course)
