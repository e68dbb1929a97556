"""What people may be called, as the API's description says it; `actions.fit` says it in words."""

import re
from itertools import groupby
from typing import Annotated

from msgspec import Meta

TITLE = "Name"
Name = Annotated[str, Meta(min_length=1, max_length=40, title=TITLE)]
EVERY = range(0x110000)


def pattern() -> str:
    """A regular expression for exactly those names that `engine.match.check_names` takes.

    It names the signs one by one, since another program may know another Unicode than this Python.
    """
    runs = []
    for known, run in groupby(EVERY, lambda at: chr(at).isprintable() and chr(at) != ","):
        if known:
            first, *_, last = (*run,) * 2
            runs.append(f"{_sign(first)}-{_sign(last)}")
    return f"^(?=.*[^ ])[{''.join(runs)}]+$"


def _sign(at: int) -> str:
    return re.sub(r"([\\\]\[^&~-])", r"\\\1", chr(at))
