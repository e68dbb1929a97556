"""Which settings hold for a command about a house, and where its games are."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from yegg.table.admin.configuration import Held, Source, environment, file, held

from .notification_options import settings_of

NAME = "yegg.toml"
SYSTEM = Path("/etc/yegg")
FILE = "sqlite:///"


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
    for option, setting in {"allow": "hosts", "metrics_from": "metrics_from"}.items():
        if said.get(option):
            found[setting] = list(said[option])
    if said.get("bots"):
        found["bots"] = [name.strip() for name in said["bots"].split(",")]
    turned = {"no_limits": "limits", "no_warm": "warm"}
    found |= {setting: False for option, setting in turned.items() if said.get(option)}
    if telling := settings_of(said):
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
