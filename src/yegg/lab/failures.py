"""Where a player failed in a simulation: what it saw, where its code was, how to go back there."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Failure:
    """A player's first failure."""

    player: str
    why: str
    game: int
    """The game's number in the simulation, from 0."""
    seat: int
    """From 1."""
    event: int
    """How many events the game had."""
    view: str
    """The position as this seat saw it, as text."""
    trace: str
    """Python's traceback of the player's own code; "" if there is none."""
    record: str
    """The record of the game until then; "" where the choices were not kept."""

    def to_dict(self) -> dict[str, Any]:
        """For ``--json`` (docs/compare-bots.md)."""
        there = {"game": self.game, "seat": self.seat, "event": self.event}
        return {**there, "view": self.view, "traceback": self.trace}

    def as_text(self, file: Path | None = None) -> str:
        """Some lines about it; ``file`` is where its record is kept."""
        where = f"{self.player} {self.why}, in game {self.game} after event {self.event}."
        lines = [where, f"Seat {self.seat} saw:", _indented(self.view)]
        lines += [_indented(self.trace)] if self.trace else []
        if file:
            there = f"{shlex.quote(str(file))} --at {self.event} --bots {shlex.quote(self.player)}"
            lines += ["To go back there:", f"    yegg advise {there}"]
            lines += ["With --debug it opens Python's debugger there; so does your own command."]
        return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
