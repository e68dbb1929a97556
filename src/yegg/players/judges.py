"""By what players judge positions: by the policy net of a game, or by its lore."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from yegg.engine import Game
from yegg.text.json_writer import as_json
from yegg.text.phrases import counted, listing

from . import find, from_outside
from .policy_net import policy_function
from .policy_net.weights import owner, path_of

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


def evenly(games: Sequence[Game], names: Iterable[str]) -> tuple[list[Game], str]:
    """Games as they can be compared, each judged by the like; and by what, in a sentence.

    They keep their policy nets where these are the same one, or learned by the same course.
    Otherwise lore judges all of them, which each has.  "" where no player judges by a net.
    """
    if len(games) == 1:
        return list(games), ""
    who = listing([name for name in dict.fromkeys(names) if learned(name)])
    if not who:
        return list(games), ""
    titles = listing([game.title for game in games])
    found = [policy_function.learned(game) for game in games]
    if not any(one.parts for one in found):
        return list(games), f"{who}: lore judges {titles}, each by its own; none has a policy net."
    if all(one.parts for one in found):
        if len({path_of(game) for game in games}) == 1:
            learner = owner(games[0], found[0].about) or games[0]
            return list(games), (
                f"{who}: the same policy net judges {titles}, since their columns are the same. It "
                f"learned by the rules of {learner.title}."
            )
        if len({_course(one.about) for one in found}) == 1:
            return list(games), (
                f"{who}: {titles} are judged each by its own policy net; these were trained alike "
                f"({_length(found[0].about)} each)."
            )
        why = "their policy nets were not trained alike"
    else:
        lacking = [g.title for g, one in zip(games, found, strict=True) if not one.parts]
        why = f"there is no policy net for the columns of {listing(lacking)}"
    return [replace(game, by_lore=True) for game in games], (
        f"{who}: lore judges {titles}, each by its own, since {why}."
    )


def _course(about: Mapping[str, Any]) -> str:
    """How a net learned, without how far it came in its minutes."""
    told = {key: value for key, value in about.get("course", {}).items() if key != "learned_from"}
    return as_json([told, about["units"], about.get("joined")], sort=True)


def _length(about: Mapping[str, Any]) -> str:
    told, units = about["course"], counted(about["units"], "unit")
    if told["decisions"]:
        return f"{told['decisions']:,} decisions, {units}"
    minutes = f"{told['minutes']:g} minute{'' if told['minutes'] == 1 else 's'}"
    return f"{minutes}, {units}"


def fallbacks(game: Game, names: Iterable[str]) -> list[str]:
    """A sentence about players who do without a net since a game's file cannot be used; or none.

    It is told once wherever such players have played.
    """
    mine = [name for name in dict.fromkeys(names) if learned(name)]
    why = policy_function.learned(game).lacking
    if not mine or not why:
        return []
    return [f"{listing(mine)} {'play' if len(mine) > 1 else 'plays'} without the policy net: {why}"]
