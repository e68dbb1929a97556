"""Brings a database up to what this version expects, at every start."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from .database import Database


def migrate(database: Database) -> None:
    """Run the migrations that the database has not seen; all or nothing, and one process alone."""
    config = _config()
    with database.engine.begin() as connection:
        database.lock(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")


def age(connection: sa.Connection) -> int | None:
    """How many migrations of this version a database has not seen; None: it is of another one."""
    known = [one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions()]
    seen = MigrationContext.configure(connection).get_current_revision()
    return known.index(seen) if seen in known else None


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config
