"""A finding in words: what it says, and the figures behind it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sentence:
    """Both are without a full stop; together they are one sentence."""

    says: str
    figures: str

    def __str__(self) -> str:
        return f"{self.says}: {self.figures}."
