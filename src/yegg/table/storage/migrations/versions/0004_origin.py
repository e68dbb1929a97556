"""Where the first events of a game were played, if somebody went on from there."""

import sqlalchemy as sa
from alembic import op

revision = "0004_origin"
down_revision = "0003_lobby"


def upgrade() -> None:
    """No game so far was begun in the middle."""
    op.add_column("games", sa.Column("origin", sa.String(120)))


def downgrade() -> None:
    """Forget it again."""
    with op.batch_alter_table("games") as batch:
        batch.drop_column("origin")
