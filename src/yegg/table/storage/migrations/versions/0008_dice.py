"""Dice that are promised: a seed for each table opened from now on."""

import sqlalchemy as sa
from alembic import op

revision = "0008_dice"
down_revision = "0007_people"


def upgrade() -> None:
    """Tables that are open already have no seed, and go on with dice that nobody promised."""
    op.create_table(
        "dice",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("promise", sa.String(64), nullable=False, unique=True),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("early", sa.Boolean, nullable=False),
    )
    op.add_column("house", sa.Column("dice", sa.String(64)))


def downgrade() -> None:
    """Forget the seeds: nobody can check the dice of these games any more."""
    with op.batch_alter_table("house") as batch:
        batch.drop_column("dice")
    op.drop_table("dice")
