"""A bot put on a seat by whoever has the eleventh seat or a later one has numbers of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0010_seats"
down_revision = "0009_house"

PUT = (
    "UPDATE events SET choice = choice + :by WHERE choice BETWEEN :least AND :most AND EXISTS"
    " (SELECT 1 FROM sittings WHERE sittings.game = events.game"
    " AND sittings.number = events.number AND sittings.bot IS NOT NULL)"
)


def upgrade() -> None:
    """Their numbers were those of time that is given, at which no bot sits down."""
    op.get_bind().execute(sa.text(PUT), {"by": -30, "least": -35, "most": -30})


def downgrade() -> None:
    """The same numbers again."""
    op.get_bind().execute(sa.text(PUT), {"by": 30, "least": -65, "most": -60})
