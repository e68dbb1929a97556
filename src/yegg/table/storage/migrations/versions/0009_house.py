"""Guests: who blocks whom, and who is barred; and what was changed beside the servers."""

import sqlalchemy as sa
from alembic import op

revision = "0009_house"
down_revision = "0008_dice"


def upgrade() -> None:
    """Nobody minds anybody yet."""
    op.create_table(
        "blocks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("other", sa.String(64), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("person", "other"),
    )
    op.create_table(
        "barred",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("why", sa.String(200), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "touched",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Let everybody in."""
    for table in "touched", "barred", "blocks":
        op.drop_table(table)
