"""Many games side by side: NumPy arrays in, NumPy arrays out, written in place."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from yegg import players as bots
from yegg.engine import Ints, Match, Refused, States, notation
from yegg.engine.compiler import toolchain
from yegg.engine.dice import seeds as generators
from yegg.engine.game import MOST_GAMES
from yegg.engine.whole import whole, wholes
from yegg.observations.encoder import WHOLE, Encoder
from yegg.observations.setting import Setting

from . import foreign, steps

MODES = {
    "next-step": steps.NEXT_STEP,
    "same-step": steps.SAME_STEP,
    "disabled": steps.DISABLED,
}
"""When a game that is over is dealt again."""
IN_TURN = "in-turn"
"""The agent sits one seat on in every game."""
Seats = int | Literal["in-turn"] | NDArray[Any] | None
UNDECIDED = "no agent decides anything before games are truncated"
STREAM = 2**63  # seeds of what is sampled: apart from those of games
MOST_EVENTS = 20_000


@dataclass(frozen=True)
class Wishes:
    """How a batch is played, and what it is to tell; see `Batch`."""

    games: int = 1024
    threads: int = 1
    bot: str = "uniform"
    observe: Literal["float32", "int8"] | None = "float32"
    masks: Literal["bytes", "bits"] = "bytes"
    sample: bool = True
    record: bool = False
    autoreset: Literal["next-step", "same-step", "disabled"] = "same-step"
    max_decisions: int | None = None
    max_events: int = MOST_EVENTS
    layout: Literal["rows", "columns"] = "rows"

    def check(self) -> None:
        """Raises Refused if one of these cannot be."""
        whole(self.games, "how many games", 1, MOST_GAMES)
        for name in ("max_decisions", "max_events"):
            if (most := getattr(self, name)) is not None:
                whole(most, name, 1, 2**31 - 1)
        whole(self.threads, "how many threads", 1, self.games)
        if self.observe is not None and self.observe not in WHOLE:
            raise Refused(f"observe can be float32, int8 or None, not {self.observe!r}")
        if self.layout not in {"rows", "columns"}:
            raise Refused(f"layout can be rows or columns, not {self.layout!r}")
        if self.masks not in {"bytes", "bits"}:
            raise Refused(f"masks can be bytes or bits, not {self.masks!r}")
        if self.autoreset not in MODES:
            raise Refused(f"autoreset can be {', '.join(MODES)}, not {self.autoreset!r}")
        if min(self.max_events, self.max_decisions or 1) < 1:
            raise Refused("a game has at least one event and one decision")
        if bots.thinks(self.bot):
            raise Refused(
                f"{self.bot} thinks between its decisions; the bots of an environment look at "
                "most one choice ahead: easy, medium, greedy, uniform"
            )


class Batch:
    """Games whose agents are asked one after the other.  B games, P players, A actions, C columns.

    Every array stays the same memory, and is written by `reset` and `step`:

    * ``actor`` (B,) int32: the seat that is asked; once a game is over, the one asked last
    * ``masks`` (B, A) int8: 1 for each legal action; nothing once a game is over
    * ``bits`` (B, words) uint64: the same, the first action the lowest bit of the first word;
      they are also ``masks`` where these are to be bits
    * ``observations`` (B, C): what the actor may know; float32, or int8 before division by the
      columns' ``high`` and at most 127; None if not asked for
    * ``rewards`` (B, P) float32 of the last step: at the end 1 for the only winner, and all sides
      together 0; before the end 0
    * ``terminated``, ``truncated`` (B,) bool; ``illegal`` (B,): lost by an action not legal
    * ``sampled`` (B,) int32: a legal action, all equally likely
    * ``final_observations`` (B, C): with "same-step", of games that ended in the last step

    The i-th game after ``reset(seed)`` is the first one of a simulation with seed ``seed + i``,
    and what follows in its place are the next ones: chance is that of `yegg.Match`.
    """

    def __init__(
        self, setting: Setting, *, seats: Seats = None, seed: int = 0, **wishes: Any
    ) -> None:
        """Deal all games.  ``wishes`` are those of `Wishes`.  Raises Refused.

        ``seats`` says where agents sit, by default everywhere: a seat in all games; "in-turn", the
        next seat in every game; seats by game, shape (B,); or truth values, shape (B, P).  In the
        others sits ``bot``, whose decisions are made inside.
        """
        self.setting = setting
        self.wishes = Wishes(**wishes)
        self.wishes.check()
        if why := bots.objection(setting.game, self.wishes.bot, setting.players, setting.options):
            raise Refused(why)
        self._fit()
        self._arrays: dict[str, Any] = arrays_of(setting, self.wishes, seats)
        self._ready()
        self.reset(seed)

    def _fit(self) -> None:
        """Refuse what cannot be played here."""
        if self.wishes.layout != "rows":
            raise Refused('only a batch on a card can be laid out in columns: device="cuda"')

    def _ready(self) -> None:
        """Name the arrays, and get what writes them."""
        told, wishes = self._told, self.wishes
        self.states: States = told("states")
        self.actor: Ints = told("actor")
        self.masks: NDArray[Any] = told("masks" if wishes.masks == "bytes" else "bits")
        self.rewards: NDArray[np.float32] = told("rewards")
        self.terminated: NDArray[np.bool_] = told("terminated")
        self.truncated: NDArray[np.bool_] = told("truncated")
        self.illegal: NDArray[np.bool_] = told("illegal")
        self.sampled: Ints = told("sampled")
        self.observations: NDArray[Any] | None = told("rows") if wishes.observe else None
        self.final_observations: NDArray[Any] | None = told("final") if wishes.observe else None
        self.events: Ints = told("events")
        self.numbers: NDArray[np.uint64] = told("numbers")
        """(B,): how many games of its seed each place has begun."""
        self.dice: NDArray[np.uint64] = told("dice")
        """(B, 1 + P, 1): the generators of chance and of each seat."""
        self.bits: NDArray[np.uint64] = told("bits")
        self._start()

    def _told(self, name: str) -> Any:
        """An array as callers get it."""
        return self._arrays[name]

    def _start(self) -> None:
        """Get the kernels and the threads."""
        arrays, wishes = self._arrays, self.wishes
        self.engine = bots.engine(self.setting.game, wishes.bot)
        edges = np.linspace(0, wishes.games, wishes.threads + 1).astype(int).tolist()
        self._slices = [slice(*edge) for edge in pairwise(edges)]
        self._slots = [self._part(part) for part in self._slices]
        step = self.engine.kernel(steps.step_many)
        self._step = toolchain().direct(step, self._slots[0], arrays["given"], steps.BEGIN, 1)
        self._encoders = [self._encoders_of(part) for part in self._slices]
        self._threads = ThreadPoolExecutor(wishes.threads - 1) if wishes.threads > 1 else None

    def _part(self, part: slice) -> steps.Slots:
        """The games of one thread."""
        return self._slots_of({name: array[part] for name, array in self._arrays.items()})

    def _slots_of(self, own: dict[str, Any]) -> steps.Slots:
        """The games of these arrays."""
        setting, wishes = self.setting, self.wishes
        return steps.Slots(
            **{name: own[name] for name in steps.Slots._fields if name in own and name != "moves"},
            dealt=setting.dealt.copy(),
            views=np.zeros(1 + bots.room(wishes.bot), setting.dealt.dtype),
            blind=int(wishes.bot == "uniform"),
            moves=int(self._arrays["moves"][0]),
            choices=setting.choices,
            actions=setting.actions,
            most_events=wishes.max_events,
            most_decisions=wishes.max_decisions or wishes.max_events,
            out=np.zeros(setting.game.choices, np.int32),
        )

    def _encoders_of(self, part: slice) -> list[tuple[Encoder, Ints, NDArray[Any]]]:
        """What one thread writes observations with, of which seats and where to."""
        own = {name: array[part] for name, array in self._arrays.items()}
        which = ("states", "actor", "rows"), ("ended", "last", "final")
        return [
            (Encoder(self.setting, own[states], self.wishes.observe), own[seats], own[rows])
            for states, seats, rows in which
            if self.wishes.observe and own[seats].size
        ]

    def __reduce__(self) -> Any:
        return _again, (type(self), self.setting, self.wishes, self._arrays)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Copies of all arrays on the processor, by their names in `steps.Slots`: see `resumed`."""
        return {name: array.copy() for name, array in self._arrays.items()}

    @classmethod
    def resumed(
        cls,
        setting: Setting,
        arrays: dict[str, NDArray[Any]],
        *,
        seats: Seats = None,
        **wishes: Any,
    ) -> Self:
        """A batch whose agents have these seats, with some arrays of a `snapshot`.

        What these lack is as in a batch that begins.  Raises Refused if it cannot be one.
        """
        made = Wishes(**wishes)
        made.check()
        return cls.from_arrays(setting, made, arrays_of(setting, made, seats) | arrays)

    @classmethod
    def from_arrays(cls, setting: Setting, wishes: Wishes, arrays: dict[str, NDArray[Any]]) -> Self:
        """A batch with these arrays.  Raises Refused if there is none with such arrays."""
        batch = object.__new__(cls)
        batch.setting, batch.wishes, batch._arrays = setting, wishes, arrays
        batch._fit()
        foreign.check(setting, arrays, arrays_of(setting, wishes, None), wishes.max_events)
        batch._ready()
        return batch

    def _everywhere(self, work: Callable[[int], None]) -> None:
        """Do something in the games of each thread; the first are this one's."""
        if self._threads is None:
            work(0)
            return
        others = [self._threads.submit(work, i) for i in range(1, len(self._slices))]
        work(0)
        for other in others:
            other.result()

    def reset(self, seed: int | None = None, which: ArrayLike | None = None) -> None:
        """Begin anew, all games or those marked in ``which`` (B,).

        With a seed their games are the first ones of the seeds ``seed`` + 0, 1, …; without one
        they go on to the next games of their seeds.  Raises Refused if a game is truncated before
        its first decision.
        """
        arrays, many = self._arrays, self.wishes.games
        marked = np.ones(many, np.bool_) if which is None else np.asarray(which, np.bool_)
        if seed is not None:
            seeds, luck = seeded(seed, many)
            arrays["seeds"][marked] = seeds[marked]
            arrays["numbers"][marked] = 0
            arrays["luck"][marked] = luck[marked]
        self._move(marked, steps.BEGIN)
        if self.truncated[marked].any():
            raise Refused(UNDECIDED)

    def step(self, actions: ArrayLike | None = None) -> None:
        """Carry out an action in each game, (B,); by default those ``sampled``.

        One that is not legal loses the game.  Where a game was over before: see `Wishes.autoreset`.
        """
        if actions is None:
            self.play_at_random(1)
            return
        self._move(actions, MODES[self.wishes.autoreset])

    def _move(self, actions: ArrayLike, mode: int) -> None:
        """What `steps.step_many` does with an action in each game."""
        given: Ints = self._arrays["given"]
        if mode != steps.BEGIN and getattr(actions, "dtype", None) != given.dtype:
            actions = wholes(actions, "an action", self.setting.choices.shape[1] - 1)
        given[:] = actions
        self._play([given[part] for part in self._slices], mode, 1)

    def _play(self, actions: list[Ints], mode: int, rounds: int) -> None:
        """What `steps.step_many` does, in each thread; then write the observations."""

        def act(i: int) -> None:
            self._step(self._slots[i], actions[i], mode, rounds)
            for encoder, seats, rows in self._encoders[i]:
                encoder.write(seats, rows)

        self._everywhere(act)

    def play_at_random(self, rounds: int) -> None:
        """So many steps with the actions ``sampled``, drawn inside."""
        if not self.wishes.sample:
            raise Refused("this batch samples no actions: make it with sample=True")
        rounds = whole(rounds, "how many steps", 0, 2**31 - 1)
        self._play([slots.sampled for slots in self._slots], MODES[self.wishes.autoreset], rounds)

    def match(self, game: int = 0) -> Match:
        """A game as a match, with its history; chance does not act in it by itself.

        Raises Refused if the batch keeps no record.
        """
        if not self.wishes.record:
            raise Refused("this batch keeps no records: make it with record=True")
        setting, game = self.setting, whole(game, "a game", 0, self.wishes.games - 1)
        match = Match(setting.game, setting.players, setting.options)
        match.follow(self._history(game))
        return match

    def _history(self, game: int) -> list[int]:
        """The choices of a game so far, chance's included."""
        history: list[int] = self._arrays["log"][game, : self.events[game]].tolist()
        return history

    def record(self, game: int = 0, seat: int | None = None) -> str:
        """A game as a record: whole, or as a seat may know it.  Raises Refused as `match` does."""
        return notation.write(self.match(game), seat=seat)


def arrays_of(setting: Setting, wishes: Wishes, seats: Seats) -> dict[str, NDArray[Any]]:
    """The arrays of all games, by what `steps.Slots` calls them, and three more."""
    many, players, actions = wishes.games, setting.players, setting.choices.shape[1]
    columns = len(setting.columns) if wishes.observe else 0
    final = many if wishes.observe and wishes.autoreset == "same-step" else 0
    sampled = many if wishes.sample else 0
    kind = np.dtype(wishes.observe or "int8")
    return {
        "states": np.repeat(setting.dealt, many),
        "dice": np.zeros((many, 1 + players, 1), np.uint64),
        "seeds": np.zeros(many, np.uint64),
        "numbers": np.zeros(many, np.uint64),
        "luck": np.zeros((many, 1), np.uint64),
        "mine": seated(seats, many, players),
        "moves": np.array([isinstance(seats, str)]),
        "events": np.zeros(many, np.int32),
        "decisions": np.zeros(many, np.int32),
        "log": np.zeros((many, wishes.max_events if wishes.record else 0), np.int16),
        "actor": np.zeros(many, np.int32),
        "bits": np.zeros((many, -(-actions // steps.WORD)), np.uint64),
        "masks": np.zeros((many, actions if wishes.masks == "bytes" else 0), np.int8),
        "sampled": np.zeros(sampled, np.int32),
        "rewards": np.zeros((many, players), np.float32),
        "terminated": np.zeros(many, np.bool_),
        "truncated": np.zeros(many, np.bool_),
        "illegal": np.zeros(many, np.bool_),
        "ended": np.repeat(setting.dealt, final),
        "last": np.zeros(final, np.int32),
        "rows": np.zeros((many, columns), kind),
        "final": np.zeros((final, columns), kind),
        "given": np.zeros(many, np.int32),
    }


def seeded(seed: int, many: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The games' seeds, (B,), and the generators of what is sampled in them, (B, 1)."""
    seed = whole(seed, "a seed")
    seeds = (seed % 2**64 + np.arange(many, dtype=np.uint64)).astype(np.uint64)
    return seeds, generators(seed + STREAM, 0, many, 1)[:, 0]


def seated(seats: Seats, games: int, players: int) -> NDArray[np.bool_]:
    """Which seats are agents', (games, players).  Raises Refused."""
    if seats is None:
        return np.ones((games, players), np.bool_)
    if isinstance(seats, str):
        if seats != IN_TURN:
            raise Refused(f"seats can be {IN_TURN!r} or numbers, not {seats!r}")
        return np.zeros((games, players), np.bool_)
    given = np.asarray(seats)
    if given.ndim and given.dtype == np.bool_:
        mine = np.array(np.broadcast_to(given, (games, players)))
    else:
        given = wholes(seats, "a seat", players - 1)
        if given.size == 0 or given.min() < 0 or given.max() >= players:
            raise Refused(f"seats are 0 to {players - 1}, not {seats}")
        mine = np.broadcast_to(given, games)[:, None] == np.arange(players)
    if not mine.any(1).all():
        raise Refused("an agent has at least one seat in every game")
    return mine


def _again(
    kind: type[Batch], setting: Setting, wishes: Wishes, arrays: dict[str, NDArray[Any]]
) -> Batch:
    """A batch that was pickled.  Raises Refused if it cannot be one."""
    wishes.check()
    return kind.from_arrays(setting, wishes, arrays)
