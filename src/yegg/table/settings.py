"""Settings of a table server, the one place where each is named.

A field is a key of the configuration file, a variable of the environment and, if it says so, an
option of `yegg serve`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec import Meta

from yegg.engine import Refused

from .networks import networks

Port = Annotated[int, Meta(ge=1, le=65_535)]
Seconds = Annotated[float, Meta(ge=0, le=60_000_000)]
PORTS = {"smtp": 587, "smtps": 465}


class Option(NamedTuple):
    """The option of `yegg serve` that stands for a setting, or for several of a section."""

    names: str
    """As ``--port N``.  Where a setting is true or false, the option says what is not usual."""
    says: str = ""
    """Its help; else the docstring of the field."""
    unit: int = 1
    """A number of the option counts so many of the setting's."""
    read: Callable[[str], Any] | None = None
    """The setting of a text, or those of a section by name.  Raises Refused."""

    def setting(self, said: Any) -> Any:
        """The value of the setting for that of the option.  Raises Refused."""
        if self.read:
            return self.read(said)
        return said if self.unit == 1 else said * self.unit


def mail_server(address: str) -> dict[str, Any]:
    """The settings of `Mail` that an address says.  Raises Refused."""
    where = urlsplit(address)
    try:
        port = where.port
    except ValueError:
        port = 0
    if where.scheme not in PORTS or not where.hostname or port == 0:
        raise Refused("--mail is like smtp://user:password@mail.example:587, or smtps://…")
    here = where.hostname in ("localhost", "127.0.0.1", "::1")
    return {
        "host": where.hostname,
        "port": port or PORTS[where.scheme],
        "security": "tls" if where.scheme == "smtps" else "none" if here else "starttls",
        "user": unquote(where.username or ""),
        "password": unquote(where.password or ""),
    }


def host_and_port(address: str) -> tuple[str, int]:
    """Where something listens.  Raises Refused."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise Refused("--letters is like 127.0.0.1:2424")
    return host.strip("[]"), int(port)


@dataclass(frozen=True)
class Mail:
    """The mail server that takes letters from here."""

    host: str
    port: Port
    sender: Annotated[str, Option("--mail-from ADDRESS")]
    """Where letters come from."""
    security: Literal["starttls", "tls", "none"] = "starttls"
    """``starttls``, ``tls``, or ``none`` on the same machine."""
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class Notifications:
    """Settings of notifications; what is not set is not offered."""

    address: Annotated[str, Option("--address URL")]
    """Where people reach the server: https://games.example/, for links in letters."""
    mail: Annotated[Mail | None, Option("--mail URL", read=mail_server)] = None
    """A mail server: smtp://user:password@mail.example:587, smtps://…; tells by mail."""
    push: Annotated[bool, Option("--push")] = False
    """Tell browsers, by Web Push."""
    hooks: Annotated[bool, Option("--hooks")] = False
    """Tell programs, by webhooks."""
    inside: Annotated[tuple[str, ...], Option("--inside HOST")] = ()
    """A host, or HOST:PORT, that webhooks may reach although it is not on the open internet."""
    letters: Annotated[
        tuple[str, int] | None, Option("--letters HOST:PORT", read=host_and_port)
    ] = None
    """Take letters with orders at this host and port, by LMTP from your mail server."""


@dataclass(frozen=True)
class Settings:
    """The settings of `yegg serve`."""

    host: Annotated[str, Option("--host")] = "127.0.0.1"
    """Where to listen [127.0.0.1]; 0.0.0.0 lets friends in your network join."""
    port: Annotated[Port, Option("--port N")] = 8000
    """At which port [8000]."""
    db: Annotated[str, Option("--db FILE|URL")] = "sqlite:///yegg.db"
    """Where to keep games: by default a file in your data folder; postgresql://… for many."""
    hosts: Annotated[tuple[str, ...], Option("--allow NAME")] = ()
    """A further host name of the server."""
    metrics_from: Annotated[tuple[str, ...], Option("--metrics-from A")] = ("127.0.0.1", "::1")
    """Who may ask for /metrics, /health, /live and /ready: addresses, networks [this machine]."""
    limits: Annotated[bool, Option("--no-limits", "Do not limit requests (for measuring).")] = True
    """Whether the requests of one address are limited."""
    pace: Annotated[Seconds, Option("--pace S")] = 0.6
    """Seconds a bot takes at least where people only watch [0.6]."""
    patience: Annotated[Seconds, Option("--away MINUTES", unit=60)] = 180.0
    """A player whose turn it is counts as away after so long without a sign [3]."""
    warm: Annotated[bool, Option("--no-warm", "Compile a game when it is first played.")] = True
    """Whether all games are compiled at start, so that nobody waits later."""
    secure: Annotated[bool, Option("--https")] = False
    """A proxy in front serves https."""
    rules: str = ""
    """A folder with rules of earlier versions, as `yegg house rules` keeps them; empty: none."""
    bots: Annotated[tuple[str, ...], Option("--bots A,B,…")] = ()
    """Also offer bots of your own, as mybots:Bold."""
    telling: Notifications | None = None
    """How people are told that a table waits for them."""

    def __post_init__(self) -> None:
        """Raises Refused if nobody can come from where somebody may come from."""
        networks(self.metrics_from)
