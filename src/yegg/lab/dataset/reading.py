"""Games of a dataset as matches again."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from yegg.engine import Match, Refused, notation
from yegg.engine.game import find
from yegg.engine.whole import whole


def match_of(
    row: Mapping[str, Any], event: int | None = None, *, cards: Path | str | None = None
) -> Match:
    """The game of a row of ``games.parquet``, or as it stood after its first ``event`` events.

    So the ``event`` of a row of decisions leads to that decision.  The record is checked line by
    line.  ``cards`` is the file of the deck that it names, if it names one.  Raises BadRecord if
    the record is wrong; Refused if the game has fewer events, or the row holds no record.
    """
    if "record" not in row:
        raise Refused(f"a row of games.parquet has a record; this one has {', '.join(row)}")
    name, deck = f"game {row.get('game', '')}".strip(), None if cards is None else Path(cards)
    match = notation.read(BytesIO(str(row["record"]).encode()), name, find, cards=deck)
    if event is not None:
        match.back(whole(event, "how many events", 0, len(match.history)))
    return match
