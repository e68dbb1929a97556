"""The score of a bot: shares of wins against each level, and chance given away."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from yegg.players.usage import Usage
from yegg.stats.intervals import Figure, as_value, average, mean_of_independent, share
from yegg.text.phrases import listing

from .benchmark_game import Played
from .protocol import OPPONENTS, TABLES, tasks


def scored(played: Sequence[Played]) -> dict[str, Any]:
    """All figures of the games, by game and in all, each with its 95 % interval.

    Wins are told as a share, and in all as wins for each win of a fair share: 1 is as many as
    the opponents have themselves in such seats.
    """
    by_game = {game: [one for one in played if one.game == game] for game in TABLES}
    won = {
        (game, level): share([one.share for one in some], len(some))
        for game in TABLES
        for level in OPPONENTS
        for some in [[one for one in by_game[game] if one.against == level]]
    }
    gave = {
        game: average([cost for one in some for cost in one.costs])
        for game, some in by_game.items()
    }
    relative = {
        level: mean_of_independent([_times(won[game, level], TABLES[game]) for game in TABLES])
        for level in OPPONENTS
    }
    return {
        "complete": {one.task for one in played} == set(tasks()),
        "games_played": len(played),
        "games": {
            game: {
                "players": players,
                "fair_share": 1 / players,
                "games": len(by_game[game]),
                "share_of_wins": {level: as_value(won[game, level]) for level in OPPONENTS},
                "given_away": as_value(gave[game]),
                **_counted(by_game[game]),
            }
            for game, players in TABLES.items()
        },
        "all": {
            "wins_per_fair_win": {level: as_value(figure) for level, figure in relative.items()},
            "score": as_value(mean_of_independent(list(relative.values()))),
            "given_away": as_value(mean_of_independent(list(gave.values()))),
            **_counted(played),
        },
        "levels": placed(relative),
        "usage": _usage(played),
    }


def _times(figure: Figure, times: float) -> Figure:
    return Figure(figure.value * times, figure.low * times, figure.high * times)


def placed(relative: dict[str, Figure]) -> dict[str, list[str]]:
    """The levels that the bot is stronger than, like, and weaker than, at 95 % each."""
    known = {level: one for level, one in relative.items() if not math.isnan(one.value)}
    return {
        "stronger_than": [level for level, one in known.items() if one.low > 1],
        "like": [level for level, one in known.items() if one.low <= 1 <= one.high],
        "weaker_than": [level for level, one in known.items() if one.high < 1],
    }


def verdict(levels: dict[str, list[str]]) -> str:
    """Where on the scale of levels the bot stands, in a sentence.

    >>> verdict({"stronger_than": ["uniform"], "like": ["easy"], "weaker_than": ["medium"]})
    'It plays like easy.'
    >>> verdict({"stronger_than": ["uniform"], "like": [], "weaker_than": ["easy", "medium"]})
    'It is stronger than uniform, and weaker than easy and medium.'
    """
    if len(levels["like"]) == len(OPPONENTS):
        return "So few games do not tell it from any level."
    if levels["like"]:
        return f"It plays like {listing(levels['like'], 'or')}."
    told = [
        f"{word} than {listing(levels[f'{word}_than'])}"
        for word in ("stronger", "weaker")
        if levels[f"{word}_than"]
    ]
    return f"It is {', and '.join(told)}." if told else "It has played too little to be compared."


def _counted(played: Sequence[Played]) -> dict[str, Any]:
    decisions = sum(one.decisions for one in played)
    return {
        "decisions": decisions,
        "judged": sum(len(one.costs) for one in played),
        "forfeits": sum(bool(one.forfeit) for one in played),
        "forfeited_because": dict(Counter(one.forfeit for one in played if one.forfeit)),
        "unfinished": sum(one.unfinished for one in played),
        "seconds_per_decision": sum(one.seconds for one in played) / max(decisions, 1),
        "slowest_decision": max((one.slowest for one in played), default=0.0),
    }


def _usage(played: Sequence[Played]) -> dict[str, float]:
    total: Counter[str] = Counter(dict.fromkeys(asdict(Usage()), 0))
    for one in played:
        total.update(asdict(one.usage))
    return dict(total)
