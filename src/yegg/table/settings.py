"""How a table server is run."""

from dataclasses import dataclass

from .tables.presence import PATIENCE


@dataclass(frozen=True)
class Settings:
    """The settings of `yegg serve`."""

    host: str = "127.0.0.1"
    port: int = 8000
    db: str = "sqlite:///yegg.db"
    hosts: tuple[str, ...] = ()
    """Host names that are allowed besides localhost and addresses."""
    limits: bool = True
    """Whether the requests of one address are limited."""
    pace: float = 0.6
    """A bot takes at least this many seconds when somebody watches."""
    patience: float = PATIENCE
    """A player whose turn it is counts as away after this many seconds without a sign."""
    warm: bool = True
    """Whether all games are compiled at start, so that nobody waits later."""
    secure: bool = False
    """Whether it is reached over https only (behind a proxy)."""
