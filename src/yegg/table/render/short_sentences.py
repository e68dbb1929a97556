"""Sentences in few words: dice that are rolled together."""

import re
from collections.abc import Sequence

from yegg.text.phrases import several

DIE = re.compile(r"A die shows ([^.]+)\.(.*)", re.DOTALL)


def dice(said: Sequence[str]) -> list[str]:
    """Sentences in which dice that fall one after another are told at once.

    >>> dice(["Ann is quick.", "A die shows 3.", "A die shows 1. Ben collects a sun."])
    ['Ann is quick.', 'The dice show 3 and 1. Ben collects a sun.']
    """
    told: list[str] = []
    faces: list[str] = []
    for line in said:
        found = DIE.fullmatch(line)
        if not found:
            faces = []
            told.append(line)
            continue
        face, more = found.groups()
        faces.append(face)
        if len(faces) > 1:
            told[-1] = f"The dice show {several(faces)}.{more}"
        else:
            told.append(line)
        if more:
            faces = []
    return told
