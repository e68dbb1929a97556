"""What the lobby shows of a game: who sits there and who is to act, so that no game is replayed."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003_lobby"
down_revision = "0002_words"

SIT, LEAVE, BACK, ORDER = -1, -2, -4, -100  # as the events of seats are numbered


def upgrade() -> None:
    """Find out who sits where; all games so far are of older rules, where nobody is to act."""
    op.add_column("games", sa.Column("people", sa.JSON))
    op.add_column("games", sa.Column("to_act", sa.Integer))
    here = op.get_bind()
    games = here.execute(sa.text("SELECT id, seats FROM games")).all()
    for game, seats in games:
        people = json.dumps(_people(here, game, seats))
        here.execute(
            sa.text("UPDATE games SET people = :people, to_act = 0 WHERE id = :game"),
            {"people": people, "game": game},
        )


def _people(here: sa.Connection, game: int, seats: int) -> list[list[str | None]]:
    """Name, person and bot by seat, as the events of the seats leave them."""
    found: list[list[str | None]] = [[f"Seat {i + 1}", None, None] for i in range(seats)]
    happened = sa.text(
        "SELECT e.actor, e.choice, s.name, s.person, s.bot FROM events e"
        " LEFT JOIN sittings s ON s.game = e.game AND s.number = e.number"
        " WHERE e.game = :game AND e.choice < 0 AND e.choice > :order ORDER BY e.number"
    )
    for actor, choice, name, person, bot in here.execute(happened, {"game": game, "order": ORDER}):
        if choice == SIT:
            found[actor] = [name, person, bot]
        elif choice == LEAVE:
            found[actor] = [f"Seat {actor + 1}", None, None]
        elif choice == BACK:
            found[actor][2] = None
        elif bot is not None:
            found[actor][2] = bot
    return found


def downgrade() -> None:
    """Forget it again."""
    with op.batch_alter_table("games") as batch:
        batch.drop_column("to_act")
        batch.drop_column("people")
