"""The games as environments for research: PettingZoo, Gymnasium, OpenSpiel, and a fast batch.

Nothing heavy is imported before an environment is made.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .batches import Batch

__all__ = ["batch"]


def batch(
    game: str,
    games: int = 1024,
    players: int | None = None,
    *,
    cards: Path | str | None = None,
    **more: Any,
) -> "Batch":
    """Many games side by side, see `yegg.envs.batches.Batch`.

    Options of the game are keywords, and so is what `Batch` takes.  Raises Refused.
    """
    from dataclasses import fields

    from .batches import Batch, Wishes
    from .setting import setting

    known = {"seats", "seed", *(one.name for one in fields(Wishes))}
    wishes = {name: value for name, value in more.items() if name in known}
    options = {name: value for name, value in more.items() if name not in known}
    return Batch(setting(game, players, cards=cards, **options), games=games, **wishes)
