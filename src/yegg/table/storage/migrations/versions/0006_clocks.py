"""Clocks: their terms, for whom a game waits and until when, and when the house was closed."""

import sqlalchemy as sa
from alembic import op

revision = "0006_clocks"
down_revision = "0005_processes"


def upgrade() -> None:
    """No game so far has a clock; for whom it waits is known again at its next event."""
    op.create_table(
        "closed",
        sa.Column("since", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.add_column("house", sa.Column("open_at", sa.BigInteger))
    op.add_column("games", sa.Column("clock", sa.JSON))
    op.add_column("games", sa.Column("waits", sa.JSON))
    op.add_column("games", sa.Column("due", sa.BigInteger))
    due = sa.text("due IS NOT NULL")
    op.create_index("games_by_due", "games", ["due"], postgresql_where=due, sqlite_where=due)


def downgrade() -> None:
    """No clocks again."""
    op.drop_index("games_by_due", "games")
    with op.batch_alter_table("games") as batch:
        for column in "due", "waits", "clock":
            batch.drop_column(column)
    with op.batch_alter_table("house") as batch:
        batch.drop_column("open_at")
    op.drop_table("closed")
