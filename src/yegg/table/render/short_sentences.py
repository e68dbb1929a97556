"""Sentences in few words: dice that are rolled together."""

import re
from collections.abc import Sequence

from yegg.engine import CHANCE
from yegg.engine.promised import kind_said
from yegg.engine.secrecy import Heard
from yegg.text.phrases import several

DIE = re.compile(r"A die shows ([^.]+)\.(.*)", re.DOTALL)


def dice(said: Sequence[Heard]) -> list[Heard]:
    """Events of which dice that fall one after another are one.

    >>> die, other = Heard(-1, "roll 3", "A die shows 3."), "A die shows 1. Ben collects a sun."
    >>> dice([Heard(0, "go", "Ann goes."), die, Heard(-1, "roll 1", other)])[-1].prose
    'The dice show 3 and 1. Ben collects a sun.'
    """
    told: list[Heard] = []
    faces: list[str] = []
    for one in said:
        rolled = one.actor == CHANCE and kind_said(one.text) == "roll"
        found = DIE.fullmatch(one.prose) if rolled else None
        if not found:
            faces = []
            told.append(one)
            continue
        face, more = found.groups()
        faces.append(face)
        if len(faces) > 1:
            told[-1] = one._replace(prose=f"The dice show {several(faces)}.{more}")
        else:
            told.append(one)
        if more or one.news:
            faces = []
    return told
