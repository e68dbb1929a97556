"""Settings of a server as commands read them, and the address of its database."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
from msgspec import inspect

from yegg import folders
from yegg.table.admin.configuration import (
    Held,
    Key,
    Source,
    bare,
    environment,
    fields,
    file,
    joined,
    merge,
)
from yegg.table.settings import Option, Settings
from yegg.table.storage.sqlite_file import PREFIX, address, path_of, served
from yegg.text.untrusted import quoted

from .numbers import Real, Whole
from .options import Command, flag, names_of, option, taking

NAME, DB = "yegg.toml", "table.db"
SYSTEM = Path("/etc/yegg")


def configured(config: Path | None, options: Mapping[str, Any]) -> Held:
    """A file, then the environment, then the options of the command line.  Raises Refused.

    ``options``: the values of `setting_options` by their names; what was not given is None or [].
    """
    places = [*filter(None, [folders.settings()]), SYSTEM]  # yours, or the machine's
    path = config or next(filter(Path.is_file, (place / NAME for place in places)), None)
    said = {
        one: key.option.setting(options[joined(one)])
        for one, key in fields(Settings)
        if key.option and options.get(joined(one)) not in (None, [])
    }
    sources = [file(path)] if path else []
    return merge([*sources, environment(os.environ), Source("the command line", said)])


def setting_options(command: Command) -> Command:
    """Give a command the options that stand for settings; each is named after its key."""
    there = [(path, key, key.option) for path, key in fields(Settings) if key.option]
    made = [_option(f"{how.names} {joined(path)}", key, how) for path, key, how in there]
    return taking(*made)(command)


def _option(names: str, key: Key, how: Option) -> Callable[[Command], Command]:
    """The option for a setting, of the setting's own type."""
    says = how.says or key.says
    match bare(key.kind):
        case inspect.BoolType():
            return flag(names, says, flag_value=not key.usual, default=None)
        case inspect.VarTupleType():
            return option(names, says, multiple=True, callback=_listed)
        case inspect.IntType(ge=least, le=most):
            return option(names, says, Whole(least, most))
        case inspect.FloatType(ge=int(least), le=int(most)):
            return option(names, says, Real(least // how.unit, most // how.unit))
    return option(names, says)


def _listed(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """A list, of an option that may be repeated or name several.  Raises UsageError."""
    return names_of(ctx, param, ",".join(values) if values else None)


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
