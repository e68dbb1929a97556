"""A folder of puzzles that grows: what was found is on disk at once, and mining goes on later."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import msgspec

from yegg.engine import Refused
from yegg.files import write_atomic
from yegg.lessons.puzzle import outlined

from .mining import Seam

KEPT = "mined.json"
"""The file that says how far mining has come."""


@dataclass(frozen=True)
class Mined:
    """How far the mining of a game has come."""

    game: str
    seed: int
    gap: float
    """How much of the win a choice must cost."""
    games: int = 0
    """So many games were looked through, all but the one that was interrupted."""
    puzzles: int = 0
    """So many puzzles they had."""
    seconds: float = 0.0
    """So long it took: of the processor, on one core."""

    @property
    def an_hour(self) -> float:
        """How many puzzles an hour of one core brings."""
        return 3600 * self.puzzles / self.seconds if self.seconds else 0.0


def opened(folder: Path, seam: Seam) -> Mined:
    """How far the mining in a folder has come; it is made if need be.

    Raises Refused where something else was mined there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path, fresh = folder / KEPT, Mined(seam.game.name, seam.seed, seam.gap)
    if not path.exists():
        if next(folder.glob("*.puzzle"), None):
            raise Refused(f"{folder} has puzzles, but no {KEPT}: give another folder")
        return fresh
    found = msgspec.json.decode(path.read_bytes(), type=Mined)
    if (found.game, found.seed, found.gap) != (fresh.game, fresh.seed, fresh.gap):
        what = f"{found.game} with --seed {found.seed} and --gap {100 * found.gap:g}"
        raise Refused(f"{folder} was mined of {what}: go on with these, or give another folder")
    for number in range(1, found.puzzles + 1):
        puzzle = outlined(file(folder, number))
        seam.seen.add(puzzle.decision.known_to(puzzle.seat).tobytes())
    return found


def file(folder: Path, number: int) -> Path:
    """Where a puzzle lies."""
    return folder / f"{number:04}.puzzle"


def mine(
    folder: Path, seam: Seam, wanted: int, progress: Callable[[int], None] = lambda _: None
) -> Mined:
    """Go on until there are so many puzzles in a folder; each is written when it is found.

    ``progress`` is told how many there are.  Raises Refused as `opened` does.
    """
    mined = opened(folder, seam)
    there = mined.puzzles
    while there < wanted:
        write_atomic(folder / KEPT, msgspec.json.encode(asdict(mined)))
        begun, there = time.process_time(), mined.puzzles
        for found in seam.dig(mined.games):
            there += 1
            write_atomic(file(folder, there), found.text.encode())
            progress(there)
            if there == wanted:
                return replace(mined, puzzles=there)  # what is left of this game is looked at later
        spent = mined.seconds + time.process_time() - begun
        mined = replace(mined, games=mined.games + 1, puzzles=there, seconds=spent)
    write_atomic(folder / KEPT, msgspec.json.encode(asdict(mined)))
    return mined
