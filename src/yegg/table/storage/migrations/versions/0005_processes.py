"""Several processes: who is alive, and where a bot is to act, for whoever takes a game over."""

import sqlalchemy as sa
from alembic import op

revision = "0005_processes"
down_revision = "0004_origin"


def upgrade() -> None:
    """In games so far nobody knows where a bot is to act: it goes on when somebody comes."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.add_column("games", sa.Column("bots_turn", sa.Boolean))
    turn = sa.text("bots_turn")
    op.create_index("games_of_bots", "games", ["id"], postgresql_where=turn, sqlite_where=turn)
    if op.get_context().dialect.name == "postgresql":  # SQLite does not mind longer ones
        op.alter_column("sittings", "bot", type_=sa.String(100))
        op.alter_column("events", "words", type_=sa.Text())


def downgrade() -> None:
    """One process again."""
    op.drop_index("games_of_bots", "games")
    with op.batch_alter_table("games") as batch:
        batch.drop_column("bots_turn")
    op.drop_table("processes")
