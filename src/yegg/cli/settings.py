"""Settings of a server as commands read them, and the address of its database."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import click

from yegg import folders
from yegg.engine import Refused
from yegg.table.admin.configuration import Held, Source, environment, file, held
from yegg.table.settings import Mail, Notifications
from yegg.table.storage.sqlite_file import PREFIX, address, path_of, served
from yegg.text.untrusted import quoted

NAME, DB = "yegg.toml", "table.db"
SYSTEM = Path("/etc/yegg")
SAME = ("host", "port", "db", "pace")  # options that are settings as they are
OTHERS: tuple[tuple[str, str, Callable[[Any], Any]], ...] = (
    ("away", "patience", lambda minutes: 60 * minutes),
    ("allow", "hosts", list),
    ("metrics_from", "metrics_from", list),
    ("bots", "bots", list),
    ("no_limits", "limits", lambda _: False),
    ("no_warm", "warm", lambda _: False),
    ("https", "secure", lambda _: True),
)  # an option, the setting that it stands for, and the setting's value
PORTS = {"smtp": 587, "smtps": 465}


def configured(config: Path | None, options: Mapping[str, Any]) -> Held:
    """A file, then the environment, then the options of the command line.  Raises Refused.

    ``options``: those of `yegg serve` by name; what was not given is None, empty or False.
    """
    places = [*filter(None, [folders.settings()]), SYSTEM]  # yours, or the machine's
    path = config or next(filter(Path.is_file, (place / NAME for place in places)), None)
    sources = [file(path)] if path else []
    sources += [environment(os.environ), Source("the command line", _from_options(options))]
    return held(sources)


def _from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that options of the command line stand for."""
    given = {name: value for name, value in options.items() if value is not None}
    settings: dict[str, Any] = {name: given[name] for name in SAME if name in given}
    for option, setting, meaning in OTHERS:
        if given.get(option, False) is not False and given[option] not in ((), [], ""):
            settings[setting] = meaning(given[option])
    if telling := notifications(options):
        settings["telling"] = _set(asdict(telling))
    return settings


def _set(section: dict[str, Any]) -> dict[str, Any]:
    """A section without what is not set."""
    return {
        name: _set(value) if isinstance(value, dict) else value
        for name, value in section.items()
        if value is not None
    }


def where(holds: Held) -> str:
    """The address of the database.  Raises ClickException."""
    db = holds.settings.db if ("db",) in holds.said_by else ""
    if "://" in db:
        if db.startswith("postgres") and find_spec("psycopg") is None:
            raise click.ClickException(
                "PostgreSQL needs one more library: pip install 'yegg[postgres]'"
            )
        if not db.startswith(("postgres", PREFIX)):
            raise click.ClickException(f"{quoted(db)} is neither a file nor postgresql://…")
        return db
    return address(Path(db) if db else usual_db())


def usual_db() -> Path:
    """The usual file of games: in the data folder, or as 1.0 made it, beside the settings.

    Raises ClickException for whoever has no home.
    """
    places = [place / DB for place in (folders.data(), folders.settings()) if place]
    if not places:
        raise click.ClickException(
            f"{folders.HOMELESS}, so say where the games are kept: --db FILE"
        )
    return next(filter(Path.is_file, places), places[0])


def there(db: str) -> None:
    """Check that the file of games exists.  Raises ClickException."""
    path = path_of(db)
    if path and not path.exists():
        raise click.ClickException(f"there is no house at {path}")


@contextmanager
def serving(holds: Held) -> Iterator[None]:
    """Be the only server of the games, if they are in a file; only yegg's own folder is made.

    Raises Refused.
    """
    path = path_of(where(holds))
    if path and ("db",) not in holds.said_by:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = f"no games can be kept at {path} ({(error.strerror or str(error)).lower()})"
            raise click.ClickException(f"{why}; say where instead: --db FILE") from None
    with served(path) if path else nullcontext():
        yield


@contextmanager
def usable(db: str) -> Iterator[None]:
    """Use a database.  Raises ClickException where it does not answer, or is damaged."""
    from sqlalchemy.exc import DBAPIError

    from yegg.table.storage.store import Unread

    try:
        yield
    except Unread as error:
        raise click.ClickException(f"the database does not answer: {error}") from None
    except (DBAPIError, UnicodeDecodeError) as error:  # the text of an error may be damaged too
        why = error.orig if isinstance(error, DBAPIError) else "it is damaged"
        raise click.ClickException(
            f"{path_of(db) or 'the database'} cannot be used: {why}"
        ) from None


# How people are told


def notifications(options: Mapping[str, Any]) -> Notifications | None:
    """Who is told what by which means, as options say; None if nobody is.  Raises UsageError."""
    if not any(options.get(name) for name in ("mail", "push", "hooks", "letters")):
        return None
    from yegg.table.notifications.notifier import checked

    mail = _mail(options["mail"], options["mail_from"] or "") if options["mail"] else None
    letters = _host_and_port(options["letters"]) if options["letters"] else None
    inside = tuple(options["inside"])
    how = Notifications(
        options["address"] or "", mail, options["push"], options["hooks"], inside, letters
    )
    try:
        return checked(how)
    except Refused as error:
        raise click.UsageError(f"{error} (--address, --mail, --mail-from)") from None


def _mail(address: str, sender: str) -> Mail:
    where = urlsplit(address)
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


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise click.UsageError("--letters is like 127.0.0.1:2424")
    return host.strip("[]"), int(port)
