"""Brings a database up to what this version expects, at every start."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from .database import Database


def migrate(database: Database) -> None:
    """Run the migrations that the database has not seen; all or nothing, and one process alone."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with database.engine.begin() as connection:
        database.lock(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")
