"""The numbers of a state in a row: compiled code reads and writes them where the state lies."""

from .record import Ints, Record, numbers


def words(s: Record) -> Ints:
    """All numbers of a state, shape (words,), in the state's own memory."""
    return numbers(s)  # type: ignore[arg-type]  # a state is one of its type's `Fields`
