"""Waiting for what a test looks at, and never for a time."""

import time


def until(look, wanted=bool, seconds=30):
    """Wait until something is so; what was found."""
    end = time.monotonic() + seconds
    while not wanted(found := look()):
        if time.monotonic() > end:
            raise AssertionError(found)
        time.sleep(0.02)
    return found
