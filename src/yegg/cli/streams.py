"""The standard streams of a command, also where one is closed, full, or read by nobody any more."""

import errno
import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

# What stands for a closed stream: an input at its end, an output that refuses, one that is lost.
# Otherwise the next file that is opened would get its number, and what is printed.
INSTEAD = {"stdin": os.O_RDONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}


class ReaderGoneError(Exception):
    """Whoever read the output has stopped, as `head` does."""


class Output(FileIO):
    """Standard output or the error output; what cannot be written is said once, or never.

    After that all goes nowhere, so that nothing more is said of it when the program ends.
    """

    lost = False

    def __init__(self, handle: int, *, counts: bool) -> None:
        """``counts``: whether it is an error that something cannot be written."""
        super().__init__(handle, "w", closefd=False)
        self.counts = counts

    def write(self, data: Any) -> int:
        """As for a file.  Raises OSError that names the output, or ReaderGoneError."""
        try:
            return super().write(data) if not self.lost else memoryview(data).nbytes
        except OSError as error:
            self.lost = True
            if not self.counts:
                return memoryview(data).nbytes
            if isinstance(error, BrokenPipeError):
                raise ReaderGoneError from None
            why = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise OSError(error.errno, why, "the output cannot be written") from None


def attach() -> None:
    """Let all three streams be there, and say it in a sentence if the output cannot be written.

    What an encoding lacks is replaced: some terminals cannot show every character, and people
    type what is none.  Streams that somebody else has put there stay.
    """
    for name, flags in INSTEAD.items():
        stream, handle = getattr(sys, name), -1
        if stream is None:
            handle = os.open(os.devnull, flags)
            os.set_inheritable(handle, True)  # noqa: FBT003
        elif stream is getattr(sys, f"__{name}__") and name != "stdin":
            handle = stream.fileno()
        if handle >= 0:
            setattr(sys, name, _text(name, stream, handle))
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _text(name: str, before: Any, handle: int) -> TextIOWrapper:
    """A stream over a handle, with the encoding of the one before, if there was one."""
    if name == "stdin":
        return open(handle, encoding="utf-8")
    lines = before is None or before.line_buffering or before.write_through
    raw = Output(handle, counts=name == "stdout")
    encoding = before.encoding if before else "utf-8"
    return TextIOWrapper(BufferedWriter(raw), encoding, "replace", line_buffering=lines)
