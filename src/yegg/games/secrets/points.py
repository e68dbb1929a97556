"""SE-30: how a player spreads the 45 points, as people write it.

``A 9, B 0, C 4 …`` or ``9 on A`` or, as in the published examples, all numbers in
their order: ``(0, 0, 0, 0, 0, 9, 9, 9, 9, 9)``.  A secret that is not named gets
nothing, provided that the others make up all 45 points.
"""

import re

from .state import POINTS, State
from .story import secret_name

LETTER_FIRST = re.compile(
    r"\b([A-Z])\b[ \t]*(?:[:=]|->|is|gets|has|with)?[ \t]*(-?\d+(?:[.,]\d+(?=\s|$))?)(?!\d)",
    re.IGNORECASE,
)
NUMBER_FIRST = re.compile(
    r"(-?\d+)(?:[ \t]*points?)?[ \t]+(?:on|to|for|in|at)[ \t]+(?:secret[ \t]+)?([A-Z])\b",
    re.IGNORECASE,
)
LIST = re.compile(r"\d+(?:[ \t]*[,;/ \t][ \t]*\d+)+")


def read(text: str, s: State) -> tuple[list[int], list[str]]:
    """The points of every secret in order, or all that is wrong with them."""
    pairs = [(letter.upper(), number) for letter, number in LETTER_FIRST.findall(text)]
    backward = [(letter.upper(), number) for number, letter in NUMBER_FIRST.findall(text)]
    if len(backward) >= len(pairs) > 0:
        pairs = []
    if not pairs and not backward:
        return _listed(text, s)
    return _lettered(pairs or backward, s)


def _listed(text: str, s: State) -> tuple[list[int], list[str]]:
    """All numbers in their order, on one line."""
    lists = [[int(n[:6]) for n in re.findall(r"\d+", found)] for found in LIST.findall(text)]
    fitting = [numbers for numbers in lists if len(numbers) == s.secrets]
    if len(fitting) == 1:
        return _checked(fitting[0])
    last = secret_name(s, s.secrets - 1)
    if len(fitting) > 1:
        return [], [f"two lists of {s.secrets} numbers: which is it?"]
    if lists:
        n = len(max(lists, key=len))
        return [], [f"{n} numbers, but there are {s.secrets} secrets, A to {last} (SE-30)"]
    return [], [f"no points are found here; write them like: A 9, B 0 … {last} 4"]


def _lettered(pairs: list[tuple[str, str]], s: State) -> tuple[list[int], list[str]]:
    """A letter with each number."""
    names = [secret_name(s, secret) for secret in range(s.secrets)]
    points = dict.fromkeys(names, 0)
    seen: set[str] = set()
    faults = []
    for letter, number in pairs:
        if letter not in points:
            faults.append(f"“{letter} {number}”: secrets are A to {names[-1]} (SE-30)")
        elif letter in seen:
            faults.append(f"“{letter} {number}”: {letter} has its points already")
        elif not number.isdecimal() or len(number) > 6:
            faults.append(f"“{letter} {number}”: whole numbers of zero or more only (SE-30)")
        else:
            points[letter] = int(number)
        seen.add(letter)
    if faults:
        return [], faults
    return _checked(list(points.values()))


def _checked(points: list[int]) -> tuple[list[int], list[str]]:
    if sum(points) != POINTS:
        return [], [f"they are {sum(points)} points together, not {POINTS} (SE-30)"]
    return points, []
