"""What later rules cannot find out: each event's words, and how a game ended."""

import sqlalchemy as sa
from alembic import op

revision = "0002_words"
down_revision = "0001"


def upgrade() -> None:
    """Room for the words and the result; what is older has none."""
    op.add_column("events", sa.Column("words", sa.String(200)))
    op.add_column("games", sa.Column("result", sa.JSON))


def downgrade() -> None:
    """Forget them."""
    for table, column in (("games", "result"), ("events", "words")):
        with op.batch_alter_table(table) as batch:
            batch.drop_column(column)
