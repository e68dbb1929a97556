"""People: their devices, how they are told, and what they were told."""

import sqlalchemy as sa
from alembic import op

revision = "0007_people"
down_revision = "0006_clocks"


def upgrade() -> None:
    """Everybody so far has one device, and nobody is told anything."""
    op.create_table(
        "keys",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(64), nullable=False, index=True),
        sa.Column("device", sa.String(60), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
    )
    op.create_table(
        "codes",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False, index=True),
        sa.Column("game", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
    )
    op.create_table(
        "contacts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.String(1000), nullable=False),
        sa.Column("more", sa.JSON, nullable=False),
        sa.Column("hours", sa.JSON, nullable=False),
        sa.Column("zone", sa.String(60), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("pending", sa.JSON),
        sa.Column("tries", sa.SmallInteger, nullable=False),
        sa.Column("next", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("person", "kind", "address"),
        sqlite_autoincrement=True,
    )
    op.create_index("contacts_of_address", "contacts", ["address"])
    op.create_table(
        "told",
        sa.Column("contact", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("called", sa.Integer, nullable=False),
    )
    op.create_table(
        "seen",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
    )
    op.create_table(
        "letters",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Forget it all again."""
    for table in "letters", "seen", "told", "contacts", "codes", "keys":
        op.drop_table(table)
