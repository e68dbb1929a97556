"""Runs Alembic over the connection that `migrate` gives it."""

from alembic import context

from yegg.table.storage.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
