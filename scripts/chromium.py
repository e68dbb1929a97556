"""The browser that tests and pictures use, wherever it lies.

The headless shell is Chromium without a window: the same pages for less than half the time.
"""

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
MISSING = "no chromium here: scripts/install-chromium gets it"


def program() -> str | None:
    """The path of the browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)
