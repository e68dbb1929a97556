"""What a device is called: by its owner, or by what its browser says of itself."""

BROWSERS = {
    "Edg/": "Edge",
    "EdgA/": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Windows": "Windows",
    "CrOS": "a Chromebook",
    "Macintosh": "a Mac",
    "Linux": "Linux",
}
LONGEST = 40


def guess(agent: str) -> str:
    """What a browser calls itself, in words.

    >>> guess("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    """
    browser = next((name for mark, name in BROWSERS.items() if mark in agent), "A browser")
    system = next((f" on {name}" for mark, name in SYSTEMS.items() if mark in agent), "")
    return f"{browser}{system}"


def fit(typed: str, agent: str) -> str:
    """The name that somebody has typed for a device, or a guess."""
    said = "".join(c if c.isprintable() else " " for c in typed)
    return " ".join(said.split())[:LONGEST].rstrip() or guess(agent)
