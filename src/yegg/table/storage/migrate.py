"""Brings a database up to what this version expects, at every start."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config


def migrate(engine: sa.Engine) -> None:
    """Run the migrations that the database has not seen; all or nothing."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")
