"""Dice that fall one after another, told in one sentence."""

from collections.abc import Sequence

from yegg.engine.secrecy import Heard
from yegg.text.phrases import several


def together(events: Sequence[Heard]) -> list[Heard]:
    """Events of which dice that fall one after another are one.

    >>> die = Heard(-1, "roll 3", "A die shows 3.", die="3")
    >>> other = die._replace(die="1", then="Ben collects a sun.")
    >>> together([Heard(0, "go", "Ann goes."), die, other])[-1].prose
    'The dice show 3 and 1. Ben collects a sun.'
    """
    lines: list[Heard] = []
    faces: list[str] = []
    for event in events:
        faces = [*faces, event.die] if event.die else []
        if len(faces) > 1:
            shown = f"The dice show {several(faces)}."
            lines[-1] = event._replace(prose=" ".join(filter(None, [shown, event.then])))
        else:
            lines.append(event)
        if event.then or event.news:
            faces = []
    return lines
