"""Settings of a table server; each field is a key of the configuration file, too."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from .networks import networks
from .service.presence import PATIENCE

Port = Annotated[int, Meta(ge=1, le=65_535)]
Seconds = Annotated[float, Meta(ge=0)]


@dataclass(frozen=True)
class Mail:
    """The mail server that takes letters from here."""

    host: str
    port: Port
    sender: str
    """The address that letters come from."""
    security: Literal["starttls", "tls", "none"] = "starttls"
    """``starttls``, ``tls``, or ``none`` on the same machine."""
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class Notifications:
    """Settings of notifications; what is not set is not offered."""

    address: str
    """Where people reach the server, as https://games.example/."""
    mail: Mail | None = None
    push: bool = False
    """Whether browsers are told, by their makers' push services."""
    hooks: bool = False
    """Whether webhooks are."""
    inside: tuple[str, ...] = ()
    """Hosts, or host:port, that may be asked although they are not on the open internet."""
    letters: tuple[str, int] | None = None
    """Where a mail server hands over letters with orders, by LMTP."""


@dataclass(frozen=True)
class Settings:
    """The settings of `yegg serve`."""

    host: str = "127.0.0.1"
    port: Port = 8000
    db: str = "sqlite:///yegg.db"
    hosts: tuple[str, ...] = ()
    """Host names that are allowed besides localhost and addresses."""
    metrics_from: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses and networks that may ask for /metrics, /health, /live and /ready, by no proxy."""
    limits: bool = True
    """Whether the requests of one address are limited."""
    pace: Seconds = 0.6
    """A bot takes at least this many seconds where people only watch."""
    patience: Seconds = PATIENCE
    """A player whose turn it is counts as away after this many seconds without a sign."""
    warm: bool = True
    """Whether all games are compiled at start, so that nobody waits later."""
    secure: bool = False
    """Whether it is reached over https only (behind a proxy)."""
    rules: str = ""
    """A folder with rules of earlier versions, as `yegg house rules` keeps them; empty: none."""
    bots: tuple[str, ...] = ()
    """Players of other packages that are offered too, as ``mybots:Bold``."""
    telling: Notifications | None = None
    """How people are told that a table waits for them."""

    def __post_init__(self) -> None:
        """Raises Refused if nobody can come from where somebody may come from."""
        networks(self.metrics_from)
