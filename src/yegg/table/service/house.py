"""What all tables of a server share: the disk, the bots, and how long is waited for somebody."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from yegg.table.settings import Settings
from yegg.table.storage.store import Store

from .bots import Bots, DrivesBots


@dataclass(frozen=True)
class House:
    """What a table is given of the server that it stands in."""

    store: Store
    thinkers: Bots
    driver: Callable[[Any], DrivesBots]
    """Makes what lets the bots of a table play."""
    secret_of_deals: bytes = field(repr=False)
    """From which the keys of the deals of each day follow; it never leaves the server."""
    drives: Callable[[int], bool] = lambda _: True
    """Whether this process lets the bots of a game play."""
    pace: float = 0.0
    """Seconds that a bot takes at least where people only watch."""
    patience: float = Settings.patience
    """After so many seconds without a sign, a player counts as away in their turn."""
