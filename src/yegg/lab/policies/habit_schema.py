"""Habits in the laboratory's files, checked against what players can be asked to choose."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from yegg import players as bots
from yegg.engine import Refused
from yegg.text.phrases import listing

from .habits import Habit, Words, fitting, matching, planned, together

PREFER, AVOID = 1, -1


class HabitTable(msgspec.Struct, frozen=True, rename={"numbers": "with"}):
    """An entry of ``[[habit]]``, as it is written."""

    name: str
    like: str = "medium"
    prefer: list[str] = []
    avoid: list[str] = []
    plan: str | None = None
    numbers: dict[str, Any] = {}


def habit_of(table: HabitTable, texts: Mapping[str, Words], folder: Path | None = None) -> Habit:
    """A habit; ``texts`` can be chosen, by deck; plans lie in ``folder``.  Raises Refused."""
    name, like = table.name, table.like
    if not name or bots.known(name):
        raise Refused(f'habit: name = {name!r} is no name of its own, such as "thief"')
    where = f"habit {name!r}"
    bots.find(like)
    if bots.thinks(like):
        quick = listing([one for one in bots.names() if not bots.thinks(one)], "or")
        raise Refused(f"{where}: {like} thinks ahead; a habit goes with one of {quick}")
    ways = (("prefer", PREFER, table.prefer), ("avoid", AVOID, table.avoid))
    ranks: dict[str, dict[int, int]] = {cards: {} for cards in texts}
    for key, rank, patterns in ways:
        for pattern in patterns:
            matching(pattern, together(texts.values()), f"{where}: {key}")
            for cards, said in texts.items():
                ranks[cards] |= dict.fromkeys(_whole(pattern, said, f"{where}: {key}"), rank)
    if not any(patterns for _, _, patterns in ways) and table.plan is None:
        raise Refused(f'{where} says nothing: give it prefer = ["…"], avoid = ["…"] or a plan')
    plan, numbers = planned(table.plan, table.numbers, folder, where) if table.plan else (None, ())
    decks = tuple((cards, tuple(sorted(some.items()))) for cards, some in ranks.items())
    return Habit(name, like, decks[0][1], plan, numbers, decks if len(decks) > 1 else ())


def _whole(pattern: str, said: Words, where: str) -> frozenset[int]:
    """The choices of one deck that fit.  Raises Refused where a number also means another."""
    fit = fitting(pattern, said)
    for choice in sorted(fit):
        other = [text for text in sorted(said[choice]) if not fnmatchcase(text, pattern)]
        if other:
            raise Refused(
                f"{where}: in another position the choice {pattern!r} is {other[0]!r}, so words "
                "alone do not tell it; write a plan"
            )
    return fit
