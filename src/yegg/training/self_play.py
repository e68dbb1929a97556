"""Play of a net against itself, or against a bot: batches of settings, and what was played."""

import random
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from yegg.observations.layout import Layout
from yegg.observations.setting import Setting
from yegg.players.policy_net.forward import forward
from yegg.players.policy_net.weights import PolicyWeights

from .device import Device
from .opponents import Opponents, ours
from .scope import Scope

TAIL = 32
"""Decisions of each game that wait for the next lesson."""
GROUPS = 16
"""Settings side by side; each has equally many games."""
DRAWN_ANEW = 4
"""Lessons until another one of the settings that are drawn is drawn anew."""
KEPT = (
    "states",
    "dice",
    "seeds",
    "numbers",
    "luck",
    "events",
    "decisions",
    "actor",
    "bits",
    "masks",
    "rows",
)
"""What a batch goes on from; the rest follows in its next step."""


class Played(NamedTuple):
    """T decisions of B games: of the lesson before the last `TAIL`, then new ones."""

    seen: Any
    """(T, B, C)"""
    legal: Any
    """(T, B, A)"""
    action: Any
    """(T, B), and so on: the net's action."""
    chance: Any
    """The log probability that it had."""
    value: Any
    """The reward that the seat expected."""
    actor: Any
    """The seat."""
    over: Any
    """Whether the game ended with it."""
    rewards: Any
    """(T, B, P)"""
    own: Any
    """(T, B): whether the net decides there, and no bot that thinks."""


class Taught(NamedTuple):
    """What teachers say of the same positions."""

    chances: Any
    """(T, B, A): probabilities."""
    worth: Any
    """(T, B): the reward that they expect."""


def buffer(xp: Any, steps: int, games: int, layout: Layout, players: int, observe: str) -> Played:
    """Room for so many decisions of so many games."""
    wide = (len(layout.columns),), (layout.actions,), (), (), (), (), (), (players,), ()
    kinds = observe, "?", "i4", "f4", "f4", "i4", "?", "f4", "?"
    rooms = (xp.zeros((steps, games, *w), kind) for w, kind in zip(wide, kinds, strict=True))
    return Played(*rooms)


class Group:
    """Games of one setting: some rows of what is played."""

    def __init__(
        self,
        device: Device,
        layout: Layout,
        setting: Setting,
        rows: slice,
        observe: str,
        opponents: Opponents,
    ) -> None:
        """Nothing is dealt yet; see `deal` and `restore`.  Raises Refused."""
        self.device, self.setting, self.rows, self.observe = device, setting, rows, observe
        self.opponents, self.thinkers = opponents, opponents.thinkers(setting)
        xp = device.xp
        columns, actions = layout.columns_of(setting), layout.actions_of(setting)
        own = np.full(layout.actions, -1, np.int32)
        own[actions] = np.arange(actions.size)
        self.own = xp.asarray(own)
        """The setting's own action for each of the net's."""
        self.columns, self.actions = _places(xp, columns), _places(xp, actions)
        self.constants = layout.constants_of(setting)
        self.wide = actions
        """The net's action for each of the setting's own, on the processor."""
        self.new = True
        """Whether what was played before is not of these games."""
        self.teacher: PolicyWeights | None = None

    def deal(self, seed: int) -> None:
        """Begin all games."""
        seats = self.opponents.seats()
        self._with(self.device.batch(self.setting, seats=seats, seed=seed, **self._wishes()))

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Go on where `kept` was.  Raises Refused for what cannot be."""
        seats, players = self.opponents.seats(), self.setting.players
        if seats is not None:
            mine = ours(arrays["numbers"], players)[:, None] == np.arange(players)
            arrays = arrays | {"mine": mine}
        self._with(self.device.batch.resumed(self.setting, arrays, seats=seats, **self._wishes()))
        self.new = False

    def _wishes(self) -> dict[str, Any]:
        return wishes(self.device, self.rows, self.observe) | self.opponents.wishes

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What `restore` goes on from: a copy."""
        arrays = self.batch.snapshot()
        return {name: arrays[name] for name in KEPT}

    def _with(self, batch: Any) -> None:
        self.batch = batch
        shared = self.device.shared
        self.observations = shared(batch.observations)
        self.masks, self.actor = shared(batch.masks), shared(batch.actor)
        self.rewards = shared(batch.rewards)
        self.terminated, self.truncated = shared(batch.terminated), shared(batch.truncated)

    def clear(self, played: Played) -> None:
        """Leave nothing of other settings in these rows; set what does not change in a game."""
        for room in (played.seen, played.legal, played.rewards):
            room[:, self.rows] = 0
        for column in self.constants:
            played.seen[:, self.rows, int(column)] = 1

    def show(self, played: Played, t: int) -> None:
        """Write down what the seats that are asked see, and may do."""
        played.seen[t, self.rows][:, self.columns] = self.observations
        played.legal[t, self.rows][:, self.actions] = self.masks
        played.actor[t, self.rows] = self.actor
        played.own[t, self.rows] = (
            ours(self.batch.numbers, self.setting.players) == self.actor if self.thinkers else True
        )

    def think(self, played: Played, t: int) -> None:
        """Have a bot that thinks decide in its seats, in place of the net."""
        if self.thinkers:
            theirs = np.flatnonzero(~played.own[t, self.rows])
            found = self.thinkers.answers(self.batch, theirs)
            played.action[t, self.rows][theirs] = self.wide[found]

    def step(self, played: Played, t: int) -> None:
        """Carry out the actions, and write down what came of them."""
        self.batch.step(self.own[played.action[t, self.rows]])
        played.rewards[t, self.rows, : self.setting.players] = self.rewards
        played.over[t, self.rows] = self.terminated | self.truncated


def wishes(device: Device, rows: slice, observe: str) -> dict[str, Any]:
    """How a group's batch is made."""
    games = rows.stop - rows.start
    return {"games": games, "observe": observe, "sample": False, "layout": device.layout}


def _places(xp: Any, places: NDArray[np.int64]) -> Any:
    """Places in a row, as a slice if they follow one another."""
    first, end = int(places[0]), int(places[-1]) + 1
    return slice(first, end) if (np.diff(places) == 1).all() else xp.asarray(places)


class SelfPlay:
    """The games that a net learns from, and what was played of them lately."""

    def __init__(
        self, device: Device, layout: Layout, scope: Scope, games: int, steps: int, seed: int
    ) -> None:
        """Nothing is dealt yet."""
        self.device, self.layout, self.scope = device, layout, scope
        self.opponents = scope.opponents
        self.games, self.seed = games, seed
        self.observe = "int8" if layout.game.part("columns") else "float32"
        xp, players = device.xp, max(layout.settings)
        self.played = buffer(xp, TAIL + steps, games, layout, players, self.observe)
        self.taught: Taught | None = None
        self.teachers: list[tuple[Any, PolicyWeights]] = []
        self.groups: list[Group] = []

    def deal(self) -> None:
        """Draw the settings, and deal all games."""
        rows = self.rows()
        settings = self.scope.settings(len(rows), self._dice(0))
        for i, (one, its) in enumerate(zip(settings, rows, strict=True)):
            self._add(one, its, i).deal(self._deal_seed(0, i))

    def rows(self) -> list[slice]:
        """Each group's rows."""
        edges = np.linspace(0, self.games, min(GROUPS, self.games) + 1).astype(int).tolist()
        return [slice(first, end) for first, end in pairwise(edges)]

    def wishes(self) -> list[dict[str, Any]]:
        """How each group's batch is made."""
        return [wishes(self.device, rows, self.observe) for rows in self.rows()]

    def _add(self, one: Setting, rows: slice, at: int) -> Group:
        """Put games of a setting in place of others, or beside them."""
        group = Group(self.device, self.layout, one, rows, self.observe, self.opponents)
        group.clear(self.played)
        fits = (net for covers, net in self.teachers if covers(one))
        group.teacher = next(fits, None)
        self.groups[at : at + 1] = [group]
        return group

    def _dice(self, lesson: int) -> random.Random:
        return random.Random(f"{self.seed} {lesson} {self.layout.game.name}")  # noqa: S311

    def _deal_seed(self, lesson: int, group: int) -> int:
        return random.Random(f"{self.seed} {lesson} {group}").getrandbits(62)  # noqa: S311

    def redraw(self, lesson: int) -> None:
        """Every now and then, play another setting in place of one that was drawn."""
        usual = round(len(self.groups) * self.scope.published)
        drawn = len(self.groups) - usual
        if drawn and lesson and lesson % DRAWN_ANEW == 0:
            at = usual + lesson // DRAWN_ANEW % drawn
            one = self.scope.draw(self._dice(lesson))
            self._add(one, self.groups[at].rows, at).deal(self._deal_seed(lesson, at))

    def play(
        self, net: PolicyWeights, luck: Any, *, keep: bool = False
    ) -> list[dict[str, NDArray[Any]]] | None:
        """So many decisions, after the tail of those before: the net decides for its seats.

        ``luck`` (steps, B): even numbers from 0 to below 1, by which actions are drawn.  With
        ``keep`` it returns what the batches go on from before the new tail: see `replay`.
        """
        for room in (*self.played, *(self.taught or ())):
            room[:TAIL] = room[-TAIL:].copy()
        for group in self.groups:
            if group.thinkers:
                group.thinkers.forget()  # so that a training goes on as if it had not stopped
        kept = self.device.each(lambda part: self._part(part, net, luck, keep=keep), self._parts())
        return [one for part in kept for one in part] if keep else None

    def _parts(self) -> list[list[Group]]:
        """The groups that are played by one thread."""
        edges = np.linspace(0, len(self.groups), self.device.parts + 1).astype(int).tolist()
        return [self.groups[first:end] for first, end in pairwise(edges) if end > first]

    def _part(
        self, groups: list[Group], net: PolicyWeights, luck: Any, *, keep: bool
    ) -> list[dict[str, NDArray[Any]]]:
        """The same in some groups, whose rows follow one another."""
        played, kept = self.played, []
        rows = slice(groups[0].rows.start, groups[-1].rows.stop)
        end = len(played.seen)
        for t in range(TAIL, end):
            if keep and t == end - TAIL:
                kept = [group.snapshot() for group in groups]
            for group in groups:
                group.show(played, t)
            self._decide(net, t, rows, luck[t - TAIL, rows])
            for group in groups:
                self._ask_teacher(group, t)
                group.think(played, t)
                group.step(played, t)
        return kept

    def _decide(self, net: PolicyWeights, t: int, rows: slice, luck: Any) -> None:
        """Draw an action in each of these games."""
        xp, played = self.device.xp, self.played
        logits, values, _ = forward(xp, net, played.seen[t, rows], played.legal[t, rows])
        up_to = xp.exp(logits).cumsum(1)
        actions = (up_to < (1 - luck[:, None]) * up_to[:, -1:]).sum(1)
        played.action[t, rows] = actions
        played.value[t, rows] = values
        played.chance[t, rows] = logits[xp.arange(len(actions)), actions]

    def _ask_teacher(self, group: Group, t: int) -> None:
        if self.taught and group.teacher:
            where = t, group.rows
            seen, legal = self.played.seen[where], self.played.legal[where]
            xp = self.device.xp
            logits, values, _ = forward(xp, group.teacher, seen, legal)
            self.taught.chances[where], self.taught.worth[where] = xp.exp(logits), values

    def known(self, known: Any) -> Any:
        """Of decisions whose outcome is known, (T, B), those to learn from.

        All of the last steps wait for the next lesson, also those whose outcome is known: who
        fails waits longest for another decision, so that mostly successes are known by now.
        """
        known &= self.played.own
        known[-TAIL:] = False
        for group in self.groups:
            if group.new:
                known[:TAIL, group.rows] = False
                group.new = False
        return known

    def teach(self, teachers: list[tuple[Any, PolicyWeights]]) -> None:
        """From now on, note what teachers say: each a test of settings, and a net."""
        xp, (steps, games, _) = self.device.xp, self.played.seen.shape
        self.teachers = teachers
        chances = xp.zeros((steps, games, self.layout.actions), np.float16)
        self.taught = Taught(chances, xp.zeros((steps, games), np.float32))

    def has_teacher(self) -> Any:
        """(B,): whether there is a teacher for each game's setting."""
        found = self.device.xp.zeros(self.games, bool)
        for group in self.groups:
            found[group.rows] = group.teacher is not None
        return found

    def replay(
        self, settings: list[Setting], batches: list[dict[str, NDArray[Any]]], tail: Played
    ) -> None:
        """Play the tail again, from what `play` has kept.  Raises Refused for what cannot be.

        ``tail``: the actions, chances and values of the last steps, (TAIL, B); the rest is not
        looked at.
        """
        xp, played, end = self.device.xp, self.played, len(self.played.seen)
        for name in ("action", "chance", "value"):
            getattr(played, name)[-TAIL:] = xp.asarray(getattr(tail, name))
        for i, (one, rows) in enumerate(zip(settings, self.rows(), strict=True)):
            group = self._add(one, rows, i)
            group.restore(batches[i])
            for t in range(end - TAIL, end):
                group.show(played, t)
                group.step(played, t)
