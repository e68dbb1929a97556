"""By what players judge positions: by the policy net of a game, or by its lore."""

from collections.abc import Iterable, Mapping
from typing import Literal

from yegg.engine import Game
from yegg.text.phrases import listing

from . import find, from_outside
from .policy_net import policy_function

Judge = Literal["policy", "lore"]
"""The policy net, where it covers these players and options, or lore."""


def judge_of(game: Game, name: str, players: int, options: Mapping[str, str]) -> Judge | None:
    """By what a player judges such games; None if it judges by nothing of ours.  Raises Refused."""
    if from_outside(name) or getattr(find(name), "BLIND", False):
        return None
    return by_net_or_lore(game, players, options) if learned(name) else "lore"


def by_net_or_lore(game: Game, players: int, options: Mapping[str, str]) -> Judge:
    """By what the coach judges positions of such games."""
    return "policy" if policy_function.covered(game, players, options) else "lore"


def learned(name: str) -> bool:
    """Whether a player goes by what a game has learned, where it can."""
    return not from_outside(name) and bool(getattr(find(name), "LEARNED", False))


def judges(
    game: Game,
    names: Mapping[str, str] | Iterable[str],
    players: int,
    options: Mapping[str, str],
) -> dict[str, Judge | None]:
    """By what each player judges; of a mapping by the bots that its names play like."""
    bots = names if isinstance(names, Mapping) else {name: name for name in names}
    return {name: judge_of(game, bot, players, options) for name, bot in bots.items()}


def fallbacks(game: Game, names: Iterable[str]) -> list[str]:
    """A sentence about players who do without a net since a game's file cannot be used; or none.

    It is told once wherever such players have played.
    """
    mine = [name for name in dict.fromkeys(names) if learned(name)]
    why = policy_function.learned(game).lacking
    if not mine or not why:
        return []
    return [f"{listing(mine)} {'play' if len(mine) > 1 else 'plays'} without the policy net: {why}"]
