"""What players see, by OpenSpiel's observer interface: named tensors and strings."""

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from yegg.observations.setting import Setting

from .positions import EVERYTHING, SPECTATOR, Moment, Told
from .sheets import Sheets

OBSERVATION = pyspiel.IIGObservationType(perfect_recall=False)
Position = Moment | Sheets


class Observer:
    """Writes what a player may know; ``dict`` has the pieces of ``tensor`` by name, as views.

    * ``player`` (P,): who looks; all 0 if nothing private is shown, which is the same for all
    * ``step`` (1,): how many lines of sealed orders have been written at the same time
    * ``columns`` (C,): `Setting.columns` from the side of who looks (of the first seat, if nothing
      private is shown); of the private part alone, by how much it differs from the public one
    * ``events`` (R, 1 + bits), with perfect recall alone: of each event a 1, and the number
      1 + choice in binary, the lowest bit first; 0 where not all of it is known

    What is public is what a spectator knows.
    """

    def __init__(self, setting: Setting, recall: int, kind: pyspiel.IIGObservationType) -> None:
        """``recall``: how many events fit in; the last ones are kept."""
        self.setting, self.kind = setting, kind
        self.public = kind.public_info
        self.private = kind.private_info != pyspiel.PrivateInfoType.NONE
        self.everything = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        self.bits = int(setting.game.choices).bit_length()
        shapes: dict[str, tuple[int, ...]] = {
            "player": (setting.players,),
            "step": (1,),
            "columns": (len(setting.columns),),
        }
        if kind.perfect_recall:
            shapes["events"] = (recall, 1 + self.bits)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        first = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[first : first + size].reshape(shape)
            first += size

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player may know of a state to ``tensor``."""
        at = state.position
        self.tensor.fill(0)
        if self.private:
            self.dict["player"][player] = 1
        if self.public:
            self.dict["step"][0] = at.step
        self.dict["columns"][:] = self._columns(at, player)
        if self.kind.perfect_recall:
            self._write(self._told(at, player))

    def _viewer(self, player: int) -> int:
        return EVERYTHING if self.everything else player

    def _columns(self, at: Position, player: int) -> NDArray[np.float32]:
        if not self.private:
            return at.numbers(SPECTATOR, 0) if self.public else np.zeros(1, np.float32)
        mine = at.numbers(self._viewer(player), player)
        return mine if self.public else mine - at.numbers(SPECTATOR, player)

    def _told(self, at: Position, player: int) -> tuple[Told, ...]:
        """The events that this observer shows."""
        open_ = at.heard_by(SPECTATOR)
        if not self.private:
            return open_ if self.public else ()
        mine = at.heard_by(self._viewer(player))
        if self.public:
            return mine
        return tuple(told for i, told in enumerate(mine) if i >= len(open_) or told != open_[i])

    def _write(self, told: tuple[Told, ...]) -> None:
        events = self.dict["events"]
        codes = np.array([one.code for one in told], np.int64)[-len(events) :]
        events[: len(codes), 0] = 1
        events[: len(codes), 1:] = codes[:, None] >> np.arange(self.bits) & 1

    def string_from(self, state: Any, player: int) -> str:
        """The same in words; empty if there is nothing that this observer shows."""
        at = state.position
        if self.private and not self.public and not self.setting.game.secret:
            return ""  # nothing is hidden
        if not self.private and not self.public:
            return ""
        lines = [f"player {player}"] if self.private else []
        if self.public and at.step:
            lines.append(f"line {at.step + 1}")
        if self.kind.perfect_recall:
            lines += [told.line for told in self._told(at, player)]
            if at.moment.departed:
                viewer = self._viewer(player) if self.private else SPECTATOR
                lines.append(at.moment.known_to(viewer).tobytes().hex())
            return "\n".join(lines) or "dealt"
        numbers = self._columns(at, player)
        named = self.setting.columns
        lines += [f"{named[i]}={numbers[i]:g}" for i in np.flatnonzero(numbers)]
        return " ".join(lines)
