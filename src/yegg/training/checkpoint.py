"""The file by which a training that was stopped or killed goes on: ``FILE.part``.

It has the net, the optimizer, and the games as they stood `TAIL` decisions before; the tail is
played again from its actions.  It may come from anywhere, as the files of `players.weights`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from yegg.engine import Game, Refused
from yegg.engine.whole import whole
from yegg.envs.batches import Wishes, arrays_of
from yegg.observations.layout import keywords
from yegg.observations.setting import Setting, setting
from yegg.players.policy_net.weights import identity
from yegg.players.weights import read, write

from .device import Device
from .self_play import GROUPS, KEPT, TAIL, Played
from .trainer import Training, TrainingPlan

KIND = "training"
LARGEST = 1 << 30  # bytes of an array
Arrays = dict[str, NDArray[Any]]


def keep(training: Training, path: Path, batches: Sequence[Arrays]) -> None:
    """Write down how far a training has come; ``batches`` are what `Training.advance` kept."""
    host, play = training.device.host, training.play
    about = identity(training.game, training.course.units) | {
        "kind": KIND,
        "device": training.device.name,
        "opponent": play.opponents.net(training.game),
        "course": asdict(training.course),
        "lesson": training.lesson,
        "decisions": training.decisions,
        "spent": training.spent,
        "steps": training.adam.steps,
        "entropy": training.now_open,
        "curve": training.curve,
        "settings": [[one.setting.players, one.setting.options] for one in play.groups],
    }
    arrays = {
        "flat": training.flat,
        "means": training.adam.means,
        "squares": training.adam.squares,
        "mean": training.mean,
        "scale": training.scale,
        "action": play.played.action[-TAIL:],
        "chance": play.played.chance[-TAIL:],
        "value": play.played.value[-TAIL:],
    }
    kept = {name: host(array) for name, array in arrays.items()}
    kept |= {f"games{i}": packed(batch) for i, batch in enumerate(batches)}
    write(path, about, **kept)


def resumed(game: Game, path: Path, device: Device) -> Training:
    """Go on where `keep` left off.  Raises Refused for what is no training of this game."""
    about, arrays = read(path, largest=LARGEST, most=GROUPS + 16)
    if about.get("kind") != KIND:
        raise Refused(f"{path} holds no training to go on with")
    wanted = identity(game, 0)
    if any(about.get(name) != wanted[name] for name in ("game", "version", "columns")):
        raise Refused(f"{path}: the rules or columns of {game.title} have changed; begin anew")
    if about.get("device") != device.name:
        raise Refused(f"{path} was begun with --device {about.get('device')}; go on with that")
    try:
        return _resumed(game, about, arrays, device)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise Refused(f"{path} holds no training to go on with: {error}") from None


def _resumed(game: Game, about: Mapping[str, Any], arrays: Arrays, device: Device) -> Training:
    """The training.  Raises what `resumed` tells as Refused."""
    known = {one.name for one in fields(TrainingPlan)}
    told = {name: value for name, value in about["course"].items() if name in known}
    course = TrainingPlan(**told | {"teachers": tuple(told["teachers"])})
    course.check()
    tail = {name: _tail(arrays, name, course.games) for name in ("action", "chance", "value")}
    training = Training(game, course, device)
    if training.play.opponents.net(game) != about["opponent"]:
        raise Refused(f"{course.against} plays by another net than it did; begin anew")
    own = {"flat": training.flat, "mean": training.mean, "scale": training.scale}
    own |= {"means": training.adam.means, "squares": training.adam.squares}
    for name, there in own.items():
        found = arrays[name]
        if found.shape != there.shape or found.dtype != np.float32 or not np.isfinite(found).all():
            raise ValueError(f"{name} is not as it was")
        there[...] = device.xp.asarray(found)
    training.lesson = whole(about["lesson"], "a lesson", 0)
    training.decisions = whole(about["decisions"], "how many decisions", 0)
    training.adam.steps = whole(about["steps"], "how many steps", 0)
    training.spent, training.entropy = float(about["spent"]), float(about["entropy"])
    training.curve = list(about["curve"])
    _replay(training, about["settings"], arrays, tail)
    return training


def _tail(arrays: Arrays, name: str, games: int) -> NDArray[Any]:
    """An array of the last decisions.  Raises ValueError."""
    found, kind = arrays[name], np.int32 if name == "action" else np.float32
    if found.shape != (TAIL, games) or found.dtype != kind or not np.isfinite(found).all():
        raise ValueError(f"{name} is not as it was")
    return found


def _replay(training: Training, told: Any, arrays: Arrays, tail: Arrays) -> None:
    """Have the games stand where they stood.  Raises ValueError, and its kind Refused."""
    game, play = training.game, training.play
    if len(told) != min(GROUPS, play.games):
        raise ValueError("there are not as many settings as there were")
    if ((tail["action"] < 0) | (tail["action"] >= training.layout.actions)).any():
        raise ValueError("an action is none")
    settings = [setting(game, n, **keywords(options)) for n, options in told]
    empty = dict.fromkeys(Played._fields)
    batches = []
    for i, (one, wishes) in enumerate(zip(settings, play.wishes(), strict=True)):
        batches.append(unpacked(arrays[f"games{i}"], one, wishes))
    play.replay(settings, batches, Played(**empty | tail))


def packed(batch: Arrays) -> NDArray[np.uint8]:
    """The arrays of a batch as bytes, one after the other."""
    parts = [np.ascontiguousarray(batch[name]).view(np.uint8).reshape(-1) for name in KEPT]
    return np.concatenate(parts)


def unpacked(raw: NDArray[Any], one: Setting, wishes: Mapping[str, Any]) -> Arrays:
    """The arrays of `packed`, of a batch of this setting.  Raises ValueError."""
    fresh = arrays_of(one, Wishes(**wishes), None)
    sizes = [fresh[name].nbytes for name in KEPT]
    if raw.dtype != np.uint8 or raw.shape != (sum(sizes),):
        raise ValueError("its games are not as they were")
    return dict(_cut(raw, fresh))


def _cut(raw: NDArray[np.uint8], fresh: Arrays) -> Iterator[tuple[str, NDArray[Any]]]:
    at = 0
    for name in KEPT:
        like = fresh[name]
        end = at + like.nbytes
        yield name, raw[at:end].copy().view(like.dtype).reshape(like.shape)
        at = end
