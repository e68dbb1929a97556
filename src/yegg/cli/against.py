"""``yegg train --against BOT``: what it begins with, and what it tells in the end."""

from typing import TYPE_CHECKING, Any

import click

from .options import checked, enrolled

if TYPE_CHECKING:
    from yegg.engine import Game
    from yegg.training.trainer import Training

SMALL = {"games": 32, "steps": 64, "step": 512}
"""Of a lesson against a bot that thinks: see `Course`.  Larger ones would take too long."""
CAREFUL = {"rate": 0.0002, "steps": 256, "step": 8192}
"""For a net that plays well already: as fast as one that begins, it would forget that first."""


def one_bot(ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """A bot by its name, which may be ``module:Class``.  Raises Refused."""
    return enrolled([value])[0] if value and not ctx.resilient_parsing else None


def usual(game: "Game", *, against: str, **given: Any) -> dict[str, Any]:
    """What is learned against a bot, where ``given``, the options of the command, do not say.

    Raises UsageError and Refused.
    """
    from yegg.observations.layout import keywords
    from yegg.observations.setting import setting
    from yegg.training.opponents import Opponents

    opponents, options = Opponents(against), given["options"]
    wanted = given["players"], given["published"]
    players = game.usual_players(options) if wanted[0] is None else wanted[0]
    checked(game, players, options)
    begin_with = given["begin_with"]
    if not begin_with and not given["units"]:
        begin_with = opponents.known_net(setting(game, players, **keywords(options)))
    return {
        "players": players,
        "published": 1.0 if wanted[1] is None else wanted[1],
        "begin_with": begin_with,
        **(CAREFUL if begin_with else {}),
        **(SMALL if opponents.think else {}),
    }


def exploiter(training: "Training", games: int, seconds: float) -> dict[str, Any]:
    """How much of the win the net gets from the bot that it has learned against, as JSON.

    ``games``: in how many it is told; ``seconds``: how long it has learned.
    """
    bot, one = training.course.against, training.shown
    share, low, high = training.curve[-1][str(bot)]
    return {
        "against": bot,
        "players": one.players,
        "games": games,
        "share": share,
        "interval": [low, high],
        "even": 1 / one.sides,
        "decisions": training.decisions,
        "minutes": round(seconds / 60, 2),
    }


def beaten(told: dict[str, Any]) -> str:
    """What `exploiter` has found, in a sentence."""
    from yegg.stats.intervals import Figure

    low, high = told["interval"]
    share = Figure(told["share"], low, high, percent=True)
    return (
        f"In {told['games']:,} games against {told['against']} the learner wins {share}; even is "
        f"{told['even']:.1%}. It has learned from {told['decisions']:,} decisions of its own, in "
        f"{told['minutes']:.1f} minutes."
    )


def slow(training: "Training") -> str:
    """How slow a bot is that is asked one decision after the other, in a sentence; "" of others."""
    asked = [group.thinkers for group in training.play.groups if group.thinkers]
    choices, seconds = sum(one.choices for one in asked), sum(one.seconds for one in asked)
    if not choices or not training.spent:
        return ""
    return (
        f"{training.course.against} is asked one choice after the other, "
        f"{1000 * seconds / choices:.1f} ms each: the learner makes "
        f"{training.decisions / training.spent:,.0f} decisions a second"
    )
