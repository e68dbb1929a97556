"""Which settings hold for a command about a house, and where its games are."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import click

from yegg.engine import Refused
from yegg.table.admin.configuration import Held, Source, environment, file, held
from yegg.table.notifications.settings import checked
from yegg.table.settings import Mail, Telling

NAME = "yegg.toml"
SYSTEM = Path("/etc/yegg")
FILE = "sqlite:///"
PORTS = {"smtp": 587, "smtps": 465}


def configured(config: Path | None, said: Mapping[str, Any]) -> Held:
    """A file, then the environment, then what was said on the command line.  Raises Refused.

    ``said``: options of `yegg serve` by name; those that were not given are None, empty or False.
    """
    sources = [file(path) for path in [config or _usual()] if path]
    sources += [environment(os.environ), Source("the command line", _meant(said))]
    return held(sources)


def _usual() -> Path | None:
    """The file that is read where none is named: your own, or else that of the machine."""
    places = (Path(click.get_app_dir("yegg")), SYSTEM)
    return next((place / NAME for place in places if (place / NAME).is_file()), None)


def _meant(said: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that options of the command line stand for."""
    found = {
        name: said[name] for name in ("host", "port", "db", "pace") if said.get(name) is not None
    }
    if said.get("away") is not None:
        found["patience"] = 60 * said["away"]
    if said.get("allow"):
        found["hosts"] = list(said["allow"])
    if said.get("bots"):
        found["bots"] = [name.strip() for name in said["bots"].split(",")]
    turned = {"no_limits": "limits", "no_warm": "warm"}
    found |= {setting: False for option, setting in turned.items() if said.get(option)}
    if telling := notifications(said):
        found["telling"] = _set(asdict(telling))
    return found | ({"secure": True} if said.get("https") else {})


def _set(section: dict[str, Any]) -> dict[str, Any]:
    """A section without what is not set."""
    there = {name: value for name, value in section.items() if value is not None}
    return {n: _set(value) if isinstance(value, dict) else value for n, value in there.items()}


def where(holds: Held) -> str:
    """The address of the database.  Raises ClickException."""
    db = holds.settings.db if ("db",) in holds.said_by else ""
    if "://" in db:
        if db.startswith("postgres") and find_spec("psycopg") is None:
            raise click.ClickException(
                "PostgreSQL needs one more library: pip install 'yegg[postgres]'"
            )
        return db
    path = Path(db) if db else Path(click.get_app_dir("yegg")) / "table.db"
    return f"{FILE}{path}"


def there(db: str) -> None:
    """Check that there is a file of games.  Raises ClickException."""
    if db.startswith(FILE) and not Path(db.removeprefix(FILE)).is_file():
        raise click.ClickException(f"there is no house at {db.removeprefix(FILE)}")


def made_for(db: str) -> None:
    """Make the folder that a file of games lies in."""
    if db.startswith(FILE):
        Path(db.removeprefix(FILE)).parent.mkdir(parents=True, exist_ok=True)


# How people are told


def notifications(said: Mapping[str, Any]) -> Telling | None:
    """Who is told what by which means, as options say; None if nobody is.  Raises UsageError."""
    if not any(said.get(name) for name in ("mail", "push", "hooks", "letters")):
        return None
    mail = _mail(said["mail"], said["mail_from"] or "") if said["mail"] else None
    letters = _door(said["letters"]) if said["letters"] else None
    inside = tuple(said["inside"])
    how = Telling(said["address"] or "", mail, said["push"], said["hooks"], inside, letters)
    try:
        return checked(how)
    except Refused as error:
        raise click.UsageError(f"{error} (--address, --mail, --mail-from)") from None


def _mail(said: str, sender: str) -> Mail:
    where = urlsplit(said)
    try:
        port = where.port
    except ValueError:
        port = 0
    if where.scheme not in PORTS or not where.hostname or port == 0:
        raise click.UsageError("--mail is like smtp://user:password@mail.example:587, or smtps://…")
    here = where.hostname in ("localhost", "127.0.0.1", "::1")
    security: Literal["tls", "none", "starttls"] = "none" if here else "starttls"
    if where.scheme == "smtps":
        security = "tls"
    user, password = unquote(where.username or ""), unquote(where.password or "")
    return Mail(where.hostname, port or PORTS[where.scheme], sender, security, user, password)


def _door(said: str) -> tuple[str, int]:
    host, _, port = said.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError("--letters is like 127.0.0.1:2424")
    return host.strip("[]"), int(port)
