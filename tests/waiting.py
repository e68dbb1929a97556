"""Waiting for what a test looks at, and never for a time: no other test file sleeps."""

import time


def until(look, wanted=bool, seconds=30):
    """Wait until something is so; what was found."""
    end = time.monotonic() + seconds
    while not wanted(found := look()):
        if time.monotonic() > end:
            raise AssertionError(found)
        time.sleep(0.02)
    return found


def never(look, seconds):
    """Look for so long that something is not so, where a fault would show by then."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert not (found := look()), found
        time.sleep(0.02)


def takes(seconds):
    """Be slow, as somebody whom the test plays: a bot that thinks, a client on a slow line."""
    time.sleep(seconds)
