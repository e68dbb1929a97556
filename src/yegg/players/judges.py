"""By what players judge positions: by a net that a game has learned, or by its lore."""

from collections.abc import Iterable, Mapping
from typing import Literal

from yegg.engine import Game
from yegg.text.phrases import listing

from . import find, from_outside
from .policy_net import policy_function
from .value_net.value_function import judge, lacking

Judge = Literal["policy", "net", "lore"]
"""The policy net of these players and options, the value net, or lore."""


def judge_of(game: Game, name: str, players: int, options: Mapping[str, str]) -> Judge | None:
    """By what a player judges such games; None if it judges by nothing of ours.  Raises Refused."""
    if from_outside(name) or getattr(find(name), "BLIND", False):
        return None
    if not learned(name):
        return "lore"
    if policy_function.covered(game, players, options):
        return "policy"
    return "net" if judge(game) else "lore"


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
    """Sentences about players who do without a net since a game's weights cannot be used; or none.

    They are told once wherever such players have played.
    """
    mine = [name for name in dict.fromkeys(names) if learned(name)]
    if not mine:
        return []
    who, several = listing(mine), len(mine) > 1
    said = []
    if why := policy_function.learned(game).lacking:
        said.append(f"{who} {'play' if several else 'plays'} without the policy net: {why}")
    if why := lacking(game):
        said.append(f"{who} {'judge' if several else 'judges'} by lore: {why}")
    return said
