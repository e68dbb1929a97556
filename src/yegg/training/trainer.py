"""The learner of a game: it plays and learns by turns, until its course is over."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg import players as bots
from yegg.engine import Game, Refused
from yegg.engine.whole import whole
from yegg.envs import steps
from yegg.observations.layout import layout
from yegg.observations.setting import Setting
from yegg.players.policy_net import weights
from yegg.players.policy_net.weights import PolicyWeights

from .adam import Adam
from .advantages import advantages
from .device import Device
from .duel import duel
from .net import flattened, initial_weights, shaped
from .ppo import Decisions, Examples, Loss, imitation, loss
from .scope import Scope
from .self_play import TAIL, SelfPlay

BOTS = "uniform", "greedy"
"""Whom the net meets, to tell how well it plays."""
RARE = 0.02
"""What is added to a column's deviation."""
MOST_GAMES = 2**17


@dataclass(frozen=True)
class TrainingPlan:
    """The parameters of a training; all of them go into the weights' file."""

    minutes: float | None = None
    """How long it lasts, with all that is played to tell how well the net plays …"""
    decisions: int | None = None
    """… or how many decisions are played; then a seed gives one net."""
    units: int = 256
    seed: int = 1
    players: int | None = None
    """None: all numbers of players."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Those of all games; where there are none, options are drawn in those not ``published``."""
    published: float = 0.5
    """The share of games as published."""
    teachers: tuple[str, ...] = ()
    """Files of nets that are listened to at first."""
    teaching: float = 0.3
    """The share of the course in which they are; 1: to the end."""
    begin_with: str | None = None
    """The file of the net to begin with."""
    against: str | None = None
    """The bot that has all seats but one of each game; None: the net has all of them."""
    games: int = 256
    """How many are played side by side."""
    steps: int = 128
    """Decisions of each game to a lesson, at least `TAIL`."""
    epochs: int = 2
    """How often a lesson's decisions are learned from."""
    step: int = 2048
    """Decisions to a step of the optimizer."""
    rate: float = 0.001
    """Adam's; it falls to `LAST_RATE` of it."""
    lam: float = 0.9
    """GAE's lambda: 0 believes the values, 1 how games end."""
    open_at_first: float = 0.01
    """What a unit of entropy is worth in the beginning …"""
    open_at_last: float = 0.001
    """… and in the end."""

    def check(self) -> None:
        """Raises Refused for what cannot be."""
        whole(self.units, "how many units", 1, weights.MOST_UNITS)
        whole(self.games, "how many games", 1, MOST_GAMES)
        whole(self.steps, "how many decisions of a lesson", TAIL, 10**4)
        whole(self.step, "how many decisions of a step", 1)
        whole(self.epochs, "how many epochs", 1, 100)
        if self.decisions is not None:
            whole(self.decisions, "how many decisions", 1)
        elif not (self.minutes and self.minutes > 0):
            raise Refused("a training lasts some minutes, or some decisions")
        if self.against is not None:
            bots.find(self.against)
        if not 0 <= self.published <= 1:
            raise Refused(f"the share of games as published is from 0 to 1, not {self.published}")
        if not 0 <= self.teaching <= 1:
            raise Refused(f"the share that teachers are listened to is 0 to 1, not {self.teaching}")


LAST_RATE = 0.02


class Training:
    """A training: the net as far as it has learned, the optimizer, and the games being played.

    Each lesson has dice of its own, so that it makes no difference where one was interrupted.
    """

    def __init__(self, game: Game, course: TrainingPlan, device: Device) -> None:
        """Make the net; nothing is dealt yet.  Raises Refused for what does not go together."""
        course.check()
        self.game, self.course, self.device = game, course, device
        self.layout = layout(game)
        settings = course.players, course.options, course.published
        self.scope = Scope(game, *settings, course.against)
        if self.scope.opponents.think and device.name == "cuda":
            raise Refused(f"{course.against} does not play on a card; leave --device cuda out")
        self.lesson, self.decisions, self.spent = 0, 0, 0.0
        """Lessons, decisions of which is learned, and seconds, so far."""
        self.entropy = 0.0
        self.curve: list[dict[str, Any]] = []
        """How well the net played on the way; shares with their intervals."""
        xp, dice = device.xp, np.random.default_rng([course.seed, 0])
        self.shapes = weights.shapes(game, course.units)
        self.flat = xp.asarray(initial_weights(self.shapes, dice))
        self.adam = Adam(xp, self.flat)
        self.mean, self.scale = xp.zeros(self.columns, "f4"), xp.ones(self.columns, "f4")
        args = course.games, course.steps, course.seed
        self.play = SelfPlay(device, self.layout, self.scope, *args)
        self._listen()

    @property
    def columns(self) -> int:
        """How many the net sees."""
        return len(self.layout.columns)

    @property
    def net(self) -> PolicyWeights:
        """The net as it is now; mean and scale are of the columns as they are played."""
        return shaped(self.flat, self.shapes, self.mean, self.scale)

    @property
    def share(self) -> float:
        """How much of the course is over, from 0 to 1."""
        course = self.course
        if course.decisions is not None:
            return min(1.0, self.decisions / course.decisions)
        return min(1.0, self.spent / 60 / (course.minutes or 1))

    def _listen(self) -> None:
        """Have teachers beside the games, if there are any."""
        teachers = []
        for name in self.course.teachers:
            about, net = weights.load(self.game, Path(name))
            teachers.append((_test(about), self._as_played(net)))
        if teachers:
            self.play.teach(teachers)

    @property
    def _high(self) -> NDArray[np.float32]:
        """What a column as played is multiplied by, to be as in float32 observations."""
        whole = self.play.observe == "int8"
        return self.layout.scale[:-1] if whole else np.ones(self.columns, np.float32)

    def _as_played(self, net: PolicyWeights) -> PolicyWeights:
        """A net of a file for the columns as they are played, where it learns."""
        high = self._high
        given = net._replace(mean=net.mean / high, scale=net.scale * high)
        return PolicyWeights(*map(self.device.xp.asarray, given))

    def in_file(self) -> PolicyWeights:
        """The net as NumPy's arrays, for columns as they are in float32 observations."""
        net = PolicyWeights(*map(self.device.host, self.net))
        return net._replace(mean=net.mean * self._high, scale=net.scale / self._high)

    def begin(self) -> None:
        """Deal all games, and get used to how the columns are spread in them.  Raises Refused."""
        course = self.course
        if course.begin_with:
            net = weights.load(self.game, Path(course.begin_with))[1]
            if net.b1.size != course.units:
                raise Refused(
                    f"{course.begin_with} has {net.b1.size} units in a layer, not {course.units}"
                )
            self.flat[...] = self.device.xp.asarray(flattened(net))
            as_played = self._as_played(net)
            self.mean, self.scale = as_played.mean, as_played.scale
        self.play.deal()
        self.play.play(self.net, self._luck(0))
        if not course.begin_with:
            self._get_used_to()
        for group in self.play.groups:
            group.new = True

    def _get_used_to(self) -> None:
        """Set mean and scale by what was played; how many play, and options, stay 0 and 1."""
        xp, seen = self.device.xp, self.play.played.seen[-self.course.steps :]
        total, squares = xp.zeros(self.columns), xp.zeros(self.columns)
        for some in seen:
            now = some.astype("f8")
            total += now.sum(0)
            squares += (now * now).sum(0)
        many = seen.shape[0] * seen.shape[1]
        high, mean = xp.asarray(self._high), total / many
        spread = xp.sqrt(xp.maximum(squares / many - mean * mean, 0))
        own = len(self.layout.widest.columns)
        self.mean[:own] = mean[:own]
        self.scale[:own] = (high / (spread * high + RARE))[:own]

    def cold(self) -> bool:
        """Whether anything has yet to be compiled."""
        return any(self._cold(bot) for bot in self.meets)

    def _cold(self, bot: str) -> bool:
        if bots.thinks(bot):
            return bots.cold(self.game, bot)
        return bots.engine(self.game, bot).cold(steps.step_many)

    def warm(self) -> None:
        """Compile what plays against bots, or load it, before the clock starts."""
        for bot in self.meets:
            if bots.thinks(bot):
                bots.Bot(bot).warm(self.game)
            duel(self.in_file(), self.shown, bot, 4, self.device.each)

    def _luck(self, lesson: int) -> Any:
        dice = np.random.default_rng([self.course.seed, 1, lesson])
        return self.device.xp.asarray(dice.random((self.course.steps, self.course.games), "f4"))

    def advance(self, *, keep: bool = False) -> list[dict[str, NDArray[Any]]] | None:
        """Play a lesson's decisions, and learn from them; see `SelfPlay.play` for ``keep``."""
        begun, play, course = time.perf_counter(), self.play, self.course
        if play.taught and self.share >= course.teaching:
            play.teachers, play.taught = [], None
        self.lesson += 1
        play.redraw(self.lesson)
        kept = play.play(self.net, self._luck(self.lesson), keep=keep)
        self._learn()
        self.decisions += int(play.played.own[-course.steps :].sum())
        self.spent += time.perf_counter() - begun
        return kept

    def _learn(self) -> None:
        """A lesson: each known decision several times; first the examples of teachers."""
        xp, course, play = self.device.xp, self.course, self.play
        dice = np.random.default_rng([course.seed, 2, self.lesson])
        played, share = play.played, self.share
        first = course.teaching if course.teachers and course.teaching < 1 else 0.0
        to_come = max(0.0, (share - first) / (1 - first))
        rate = course.rate * max(LAST_RATE, 1 - to_come)
        openness = course.open_at_first + (course.open_at_last - course.open_at_first) * to_come
        told = played.value, played.actor, played.over, played.rewards
        better, known = advantages(xp, *told, course.lam)
        known = play.known(known)
        target = better + played.value
        net = self.net
        if play.taught:
            with_teacher = xp.zeros_like(known)
            with_teacher[-course.steps :] = play.has_teacher()
            known &= ~play.has_teacher()
            examples = Examples(*map(_flat, (played.seen, played.legal, *play.taught)))
            self._epochs(
                xp.flatnonzero(with_teacher),
                dice,
                rate,
                lambda part: imitation(
                    xp, net, self.shapes, Examples(*(column[part] for column in examples))
                ),
            )
        which = xp.flatnonzero(known)
        if not which.size:
            return
        sure = better.reshape(-1)[which]
        better = (better - sure.mean()) / (sure.std() + 1e-8)
        columns = played.seen, played.legal, played.action, played.chance, better, target
        flat = Decisions(*map(_flat, columns))
        self._epochs(
            which,
            dice,
            rate,
            lambda part: loss(
                xp, net, self.shapes, Decisions(*(column[part] for column in flat)), openness
            ),
        )

    def _epochs(self, which: Any, dice: np.random.Generator, rate: float, by: Any) -> None:
        """Steps of the optimizer, over these decisions in random orders."""
        xp, course, device = self.device.xp, self.course, self.device
        for _ in range(course.epochs):
            mixed = which[xp.asarray(dice.permutation(len(which)))]
            for part in _split(mixed, max(1, round(len(which) / course.step))):
                found: Sequence[Loss] = device.each(by, _split(part, device.slices))
                slope = found[0].slope
                for other in found[1:]:
                    slope += other.slope
                slope /= len(found)
                self.adam.step(self.flat, slope, rate)
                self.entropy = found[0].entropy

    def meet(self, games: int) -> dict[str, Any]:
        """How often the net wins against bots, in the setting `shown`; a point of the curve."""
        begun, net, one = time.perf_counter(), self.in_file(), self.shown
        point: dict[str, Any] = {"decisions": self.decisions, "entropy": round(self.now_open, 3)}
        for bot in self.meets:
            figure = duel(net, one, bot, games, self.device.each)
            point[bot] = [round(x, 4) for x in (figure.value, figure.low, figure.high)]
        self.curve.append(point)
        self.spent += time.perf_counter() - begun
        return point

    @property
    def meets(self) -> tuple[str, ...]:
        """Whom the net meets."""
        return met(self.course.against)

    @property
    def now_open(self) -> float:
        """The mean entropy of the policy in the last decisions learned from."""
        return float(self.entropy)

    @property
    def shown(self) -> Setting:
        """The setting in which the net meets bots."""
        return self.scope.shown

    def about(self) -> dict[str, Any]:
        """What the file of the net says of it."""
        course = replace(
            self.course,
            options=dict(self.course.options),
            teachers=tuple(Path(name).name for name in self.course.teachers),
            begin_with=Path(self.course.begin_with).name if self.course.begin_with else None,
        )
        return {
            **weights.identity(self.game, self.course.units),
            "covers": self.scope.covers(),
            "course": asdict(course) | {"learned_from": self.decisions},
            "shown": [self.shown.players, self.shown.options],
            "curve": self.curve,
        }

    def finish(self, path: Path) -> dict[str, Any]:
        """Write the net for players; return what its file says."""
        about = self.about()
        weights.save(path, about, self.in_file())
        return about


def met(against: str | None) -> tuple[str, ...]:
    """Whom a net meets that learns against this bot, or against itself."""
    return (against,) if against else BOTS


def _test(about: Mapping[str, Any]) -> Any:
    """Whether a teacher has learned a setting."""
    return lambda one: weights.covers(about, one.players, one.options)


def _flat(column: Any) -> Any:
    """Decisions in a row, (T * B, …)."""
    return column.reshape(-1, *column.shape[2:])


def _split(many: Any, parts: int) -> list[Any]:
    """Parts about as long, as `numpy.array_split`; none of them empty."""
    ends = [len(many) * i // parts for i in range(parts + 1)]
    return [many[a:b] for a, b in pairwise(ends) if b > a]
