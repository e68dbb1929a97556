"""Verdicts on what somebody chooses in a puzzle."""

from dataclasses import dataclass

from .puzzle import Puzzle, Worth


@dataclass(frozen=True)
class Verdict:
    """What a choice in a puzzle was worth."""

    chosen: Worth
    best: Worth
    right: bool
    """Whether it is the best choice, or cannot be told apart from it."""
    beside: Worth
    """What is compared with the best: the choice made; for the best and its equals, the next."""
    why: str
    """What speaks for the best rather than for that, in the game's words; "" if nothing does."""

    @property
    def cost(self) -> float:
        """How much of the win ``beside`` brings less than the best."""
        return self.best.value - self.beside.value


def verdict(puzzle: Puzzle, text: str) -> Verdict | None:
    """The verdict on a choice; None if it is not possible."""
    chosen = puzzle.worths.get(text)
    if chosen is None:
        return None
    right = text in puzzle.right
    beside = puzzle.next if right else chosen
    return Verdict(chosen, puzzle.best, right, beside, puzzle.why.get(beside.text, ""))
