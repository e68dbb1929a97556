"""Magnate, a game of city building, by Cristyn Magnus."""

from collections.abc import Mapping

from yegg.engine import Game


def objection(players: int, options: Mapping[str, str]) -> str | None:
    """MG-100: the automa takes the second seat, and only then can one play alone."""
    automa = options["automa"]
    if players == 1 and automa == "no":
        return "MG-100: one player needs the automa as opponent: automa=easy or automa=hard"
    if players == 2 and automa != "no":
        return f"MG-100: automa={automa} is a game for 1 player: the automa has the other side"
    return None


GAME = Game(
    package=__name__,
    title="Magnate",
    blurb="Build up the Grand Duke's duchy, district by district, before the tax falls due.",
    players=range(1, 3),
    usual=2,
    minutes=30,
    pace=(9.4, 3.1),
    version=2,
    objection=objection,
    unplayed=("Automa",),
)
