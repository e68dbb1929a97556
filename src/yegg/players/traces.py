"""Where the code of a player was, as Python tells it, without the lines of yegg."""

import traceback
from pathlib import Path
from types import FrameType

import yegg

HERE = str(Path(yegg.__file__).parent)
MOST = 20  # lines of code, the last ones


def of_error(error: BaseException) -> str:
    """The traceback of an error that a player raised."""
    told = traceback.TracebackException.from_exception(error)
    _shorten(told)
    return "".join(told.format()).rstrip()


def of_stack(frame: FrameType) -> str:
    """Where a player is that has not answered yet."""
    lines = traceback.StackSummary.from_list(_own(list(traceback.extract_stack(frame))))
    return "".join(["It was here (most recent call last):\n", *lines.format()]).rstrip()


def _shorten(told: traceback.TracebackException | None) -> None:
    while told is not None:
        told.stack = traceback.StackSummary.from_list(_own(list(told.stack)))
        _shorten(told.__cause__)
        told = told.__context__


def _own(frames: list[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    """The player's own lines, which follow the first of yegg; all of a player that yegg brings."""
    asked = next((i for i, one in enumerate(frames) if _ours(one)), 0)
    return ([one for one in frames[asked:] if not _ours(one)] or frames[asked:])[-MOST:]


def _ours(frame: traceback.FrameSummary) -> bool:
    return frame.filename.startswith(HERE)
