"""Where the dice of events come from that were played before a promise."""

import sqlalchemy as sa
from alembic import op

revision = "0011_origin_of_dice"
down_revision = "0010_seats"


def upgrade() -> None:
    """Of games so far nobody noted it."""
    op.add_column("dice", sa.Column("origin", sa.String(64)))


def downgrade() -> None:
    """Forget it again."""
    with op.batch_alter_table("dice") as batch:
        batch.drop_column("origin")
