"""How a table server is run."""

from dataclasses import dataclass

from .tables.presence import PATIENCE


@dataclass(frozen=True)
class Settings:
    """What `yegg serve` may be told."""

    host: str = "127.0.0.1"
    port: int = 8000
    db: str = "sqlite:///yegg.db"
    hosts: tuple[str, ...] = ()
    """Names beside localhost and addresses under which it may be reached."""
    limits: bool = True
    """Whether one address may only do so much a second."""
    pace: float = 0.6
    """Seconds that a bot takes at least when somebody watches."""
    patience: float = PATIENCE
    """Seconds after which somebody who keeps the others waiting and is not there is away."""
    warm: bool = True
    """Whether all games are compiled at start, so that nobody waits later."""
    secure: bool = False
    """Whether it is reached over https only (behind a proxy)."""
