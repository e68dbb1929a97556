"""By what players judge positions: by the net that a game has learned, or by its lore."""

from collections.abc import Iterable, Mapping
from typing import Literal

from yegg.engine import Game
from yegg.text.phrases import listing

from . import find, from_outside
from .value_net.value_function import judge, lacking

Judge = Literal["net", "lore"]


def judge_of(game: Game, name: str) -> Judge | None:
    """By what a player judges; None if it judges by nothing of ours.  Raises Refused."""
    if from_outside(name) or getattr(find(name), "BLIND", False):
        return None
    return "net" if learned(name) and judge(game) else "lore"


def learned(name: str) -> bool:
    """Whether a player goes by what a game has learned, where it can."""
    return not from_outside(name) and bool(getattr(find(name), "LEARNED", False))


def judges(game: Game, names: Mapping[str, str] | Iterable[str]) -> dict[str, Judge | None]:
    """By what each player judges; of a mapping by the bots that its names play like."""
    bots = names if isinstance(names, Mapping) else {name: name for name in names}
    return {name: judge_of(game, bot) for name, bot in bots.items()}


def fallbacks(game: Game, names: Iterable[str]) -> list[str]:
    """A sentence about players that judge by lore since a game's weights cannot be used; or none.

    It is told once wherever such players have played.
    """
    why = lacking(game)
    mine = [name for name in dict.fromkeys(names) if learned(name)]
    if not why or not mine:
        return []
    return [f"{listing(mine)} {'judge' if len(mine) > 1 else 'judges'} by lore: {why}"]
