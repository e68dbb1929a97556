"""The games as environments for research: PettingZoo, Gymnasium, OpenSpiel, and a fast batch.

Nothing heavy is imported before an environment is made.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .baselines import Baseline
    from .batches import Batch
    from .pettingzoo import AEC, Observe, Parallel
    from .single import OnIllegal

__all__ = ["aec", "baseline", "batch", "parallel"]
LACKING = (
    '{} needs gymnasium and pettingzoo: install yegg with its extra `gym` (pip install "yegg[gym]")'
)


def _lacking(what: str) -> Exception:
    """What to raise where the libraries of the extra are missing."""
    from yegg.engine import Refused

    return Refused(LACKING.format(what))


def aec(
    game: str,
    players: int | None = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    on_illegal: "OnIllegal" = "refuse",
    observe: "Observe" = "dict",
    **options: Any,
) -> "AEC":
    """A PettingZoo environment whose agents act one after the other.

    Options of the game are keywords, and so is ``cards``, a deck of one's own; for the rest see
    `yegg.envs.pettingzoo.AEC`.  Raises Refused.
    """
    try:
        from .pettingzoo import AEC
    except ModuleNotFoundError:
        raise _lacking("aec") from None
    from yegg.observations.setting import setting

    return AEC(
        setting(game, players, **options),
        render_mode=render_mode,
        max_cycles=max_cycles,
        on_illegal=on_illegal,
        observe=observe,
    )


def parallel(
    game: str,
    players: int | None = None,
    *,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    on_illegal: "OnIllegal" = "refuse",
    observe: "Observe" = "dict",
    **options: Any,
) -> "Parallel":
    """A PettingZoo environment whose agents all act at once: Secrets.

    As `aec`; see `yegg.envs.pettingzoo.Parallel`.  Raises Refused, also if the game's players act
    one after the other.
    """
    try:
        from .pettingzoo import Parallel
    except ModuleNotFoundError:
        raise _lacking("parallel") from None
    from yegg.observations.setting import setting

    return Parallel(
        setting(game, players, **options),
        render_mode=render_mode,
        max_cycles=max_cycles,
        on_illegal=on_illegal,
        observe=observe,
    )


def batch(
    game: str,
    games: int = 1024,
    players: int | None = None,
    *,
    cards: Path | str | None = None,
    device: Literal["cpu", "cuda"] = "cpu",
    **more: Any,
) -> "Batch":
    """Many games side by side, see `yegg.envs.batches.Batch`.

    With ``device="cuda"`` they are on a graphics card, see `yegg.envs.cuda.CudaBatch`.  Options of
    the game are keywords, and so is what `Batch` takes.  Raises Refused.
    """
    from dataclasses import fields

    from yegg.engine import Refused, cuda
    from yegg.observations.setting import setting

    from .batches import Batch, Wishes

    known = {"seats", "seed", *(one.name for one in fields(Wishes))}
    made = Batch
    if device == "cuda":
        cuda.numba_cuda()
        from .cuda import CudaBatch

        made = CudaBatch
        known.add("stream")
    elif device != "cpu":
        raise Refused(f"device can be cpu or cuda, not {device!r}")
    wishes = {name: value for name, value in more.items() if name in known}
    options = {name: value for name, value in more.items() if name not in known}
    return made(setting(game, players, cards=cards, **options), games=games, **wishes)


def baseline(
    game: str,
    players: int | None = None,
    *,
    net: Path | str | None = None,
    cards: Path | str | None = None,
    **options: Any,
) -> "Baseline":
    """What a game's policy net, learned by ``yegg train``, plays and expects in a setting.

    Options of the game are keywords.  ``net`` is the file of a net, by default the game's own.
    Raises Refused where there is none, or none that has learned this setting.
    """
    from yegg.observations.setting import setting

    from .baselines import Baseline

    return Baseline(setting(game, players, cards=cards, **options), Path(net) if net else None)
