"""Many games side by side on a graphics card: `Batch`, with all its arrays there."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from yegg.engine import Refused
from yegg.engine import cuda as card
from yegg.engine.whole import NotWhole, wholes
from yegg.observations.encode import Look
from yegg.observations.encoder import Encoder, words
from yegg.observations.setting import Setting
from yegg.players import uniform

from . import steps
from .batches import UNDECIDED, Batch, Seats, arrays_of, seeded


class CudaBatch(Batch):
    """A `Batch` whose arrays are on the card, each a `CudaArray`.

    With the layout "columns" the games of one column of ``observations`` lie side by side, which is
    faster; shapes are the same.

    Work is queued on ``stream``.  Nothing waits for it but ``copy_to_host`` of an array, DLPack,
    records, pickling, and actions that come from the processor; ``reset`` does not refuse what
    only the card knows.
    """

    stream: Any = 0

    def __init__(
        self,
        setting: Setting,
        *,
        seats: Seats = None,
        seed: int = 0,
        stream: Any = None,
        **wishes: Any,
    ) -> None:
        """As `Batch`; ``stream`` as `yegg.engine.cuda.stream_of` takes it.

        Raises Refused also if the card cannot play so, or has not the memory.
        """
        card.numba_cuda()
        self.stream = card.stream_of(stream)
        super().__init__(setting, seats=seats, seed=seed, **wishes)
        if self._arrays["truncated"].copy_to_host().any():
            raise Refused(UNDECIDED)

    def _fit(self) -> None:
        """Refuse what the card cannot play, and more games than it has room for."""
        card.numba_cuda()
        wishes, setting = self.wishes, self.setting
        if wishes.bot != "uniform":
            raise Refused(f"{wishes.bot} does not play on a card; of the bots uniform does")
        if wishes.threads != 1:
            raise Refused("threads are the processor's; on a card each game has its own")
        arrays = arrays_of(setting, replace(wishes, games=1), None)
        each = sum(array.nbytes for array in arrays.values())
        each += setting.dealt.nbytes * setting.game.secret
        each += setting.extra.itemsize * bool(setting.counts)
        room = card.room(each)
        if wishes.games > room:
            raise Refused(
                f"{wishes.games:,} games need {wishes.games * each / 1e9:.1f} GB of the card's "
                f"memory; {room:,} would fit"
            )

    def _ready(self) -> None:
        """Bring the arrays to the card, and get what writes them."""
        arrays = self._arrays
        if self.wishes.layout == "columns":
            arrays |= {name: np.asfortranarray(arrays[name]) for name in ("rows", "final")}
        self._arrays = {
            name: array if name == "moves" else self._lifted(array)
            for name, array in arrays.items()
        }
        super()._ready()

    def _lifted(self, thing: Any) -> Any:
        return card.lifted(thing, self.stream)

    def _told(self, name: str) -> Any:
        return card.CudaArray(self._arrays[name])

    def _start(self) -> None:
        """Get the kernels, compiled for these arrays."""
        from . import cuda_kernels as kernels

        setting, arrays = self.setting, self._arrays
        slots = self._lifted(self._slots_of(arrays))
        self._slots = [slots]
        self.engine = setting.game.engine(uniform, how="cuda")
        self._take = self.engine.kernel(kernels.take)
        self._reseed = self.engine.kernel(kernels.reseed)
        self._step = self.engine.direct(
            kernels.stepping(setting.game.choices), slots, arrays["given"], steps.BEGIN, 1
        )
        parts = (setting.counts,) if setting.counts else ()
        looks = setting.game.engine(*parts, how="cuda")
        which = ("states", "actor", "rows"), ("ended", "last", "final")
        self._looks = []
        for states, seats, rows in which:
            if self.wishes.observe and arrays[seats].size:
                given = arrays[states], arrays[seats], arrays[rows]
                look = self._look(arrays[states])
                kernel = looks.direct(kernels.look_games, look, *given)
                self._looks.append((kernel, look, *given))

    def _look(self, states: Any) -> Look:
        """What is needed to see games: each has a place of its own to hide or count in."""
        setting, many = self.setting, self.wishes.games
        look = Encoder(setting, setting.dealt, self.wishes.observe or "float32").look
        seen = np.zeros(many if setting.game.secret else 1, states.dtype)
        extra = np.zeros(many if setting.counts else 1, setting.extra)
        seen, extra = self._lifted(seen), self._lifted(extra)
        made: Look = self._lifted(
            look._replace(
                words=words(states),
                seen=seen,
                seen_words=words(seen),
                extra=extra,
                extra_words=words(extra) if setting.counts else look.extra_words,
            )
        )
        return made

    def __reduce__(self) -> Any:
        make, (kind, setting, wishes, _) = super().__reduce__()
        return make, (kind, setting, wishes, self.snapshot())

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """As `Batch.snapshot`, once all work is done that is queued."""
        card.numba_cuda().synchronize()
        return {
            name: np.ascontiguousarray(array.copy_to_host() if name != "moves" else array)
            for name, array in self._arrays.items()
        }

    def reset(self, seed: int | None = None, which: ArrayLike | None = None) -> None:
        """Begin anew, as `Batch` does; ``which`` may be on the card."""
        many = self.wishes.games
        marked = self._actions(np.ones(many, np.int32) if which is None else which)
        if seed is not None:
            arrays = self._arrays
            own, luck = map(self._lifted, seeded(seed, many))
            old = arrays["seeds"], arrays["numbers"], arrays["luck"]
            self._launch(self._reseed, marked, own, luck, *old)
        self._play([marked], steps.BEGIN, 1)

    def _move(self, actions: ArrayLike, mode: int) -> None:
        self._play([self._actions(actions)], mode, 1)

    def _actions(self, given: ArrayLike) -> Any:
        """Actions on the card; such as are there already, and of the same type, are not copied."""
        there, actions = card.array_of(given), self._arrays["given"]
        most = self.setting.choices.shape[1] - 1
        if there is None:
            many = np.asarray(given)
            many = (
                many.astype(np.int32) if many.dtype == np.bool_ else wholes(many, "an action", most)
            )
            actions.copy_to_device(
                np.array(np.broadcast_to(many, actions.shape)), stream=self.stream
            )
        elif there.shape != actions.shape or there.dtype.kind not in "iub":
            raise NotWhole(f"an action is a whole number, one for each of {actions.size} games")
        elif there.dtype == actions.dtype and there.is_c_contiguous():
            return there
        else:
            self._launch(self._take, there, most, actions)
        return actions

    def _play(self, actions: list[Any], mode: int, rounds: int) -> None:
        """What `steps.step_many` does; then write the observations."""
        self._launch(self._step, self._slots[0], actions[0], mode, rounds)
        for kernel, *given in self._looks:
            self._launch(kernel, *given)

    def _launch(self, kernel: Any, *given: Any) -> None:
        card.launch(kernel, self.wishes.games, self.stream, *given)

    def _history(self, game: int) -> list[int]:
        card.numba_cuda().synchronize()
        events = int(self._arrays["events"].copy_to_host()[game])
        history: list[int] = self._arrays["log"][game].copy_to_host()[:events].tolist()
        return history

    def synchronize(self) -> None:
        """Wait for all work that is queued."""
        card.numba_cuda().synchronize()
