"""What choices come to is written once, whatever becomes of PostgreSQL's connections."""

import pytest
import sqlalchemy as sa
from litestar.testing import TestClient

from yegg.table.app import application
from yegg.table.settings import Settings
from yegg.table.storage.postgres import Postgres

from .conftest import Player
from .test_processes import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def client(shared):
    settings = Settings(db=shared, limits=False, pace=0.0, hosts=("here.local",), warm=False)
    with TestClient(application(settings), base_url="http://here.local") as client:
        yield client


def test_a_choice_that_was_kept_though_nobody_heard_so_is_made_once(client, monkeypatch):
    """The connection breaks after the commit, before its answer."""
    players = [Player(client, seed=seed) for seed in (0, 1)]
    players[0].open("second-story", ["me", "open"])
    assert players[1].join(players[0].key).status_code == 200
    actor = next(player for player in players if player.table["choices"])
    table = actor.table
    put = Postgres.put

    def breaking(self, *what):
        put(self, *what)
        monkeypatch.undo()
        lost = ConnectionError("the answer was lost")
        raise sa.exc.OperationalError("COMMIT", None, lost, connection_invalidated=True)

    monkeypatch.setattr(Postgres, "put", breaking)
    text = table["choices"][0]["text"]
    answer = actor.choose(text, table["number"])  # a second attempt may have been made already
    assert answer.status_code in (409, 503)
    here = client.app.state.registry.tables[actor.key]
    wait_until(lambda: here.now.seen[-1] > table["number"], 5)  # as of somebody else's
    assert actor.choose(text, table["number"]).status_code == 409
    assert actor.table["happened"].count({"seat": table["seat"], "text": text}) == 1


def test_a_connection_that_the_database_has_ended_is_not_written_to(client):
    players = [Player(client, seed=seed) for seed in (0, 1)]
    players[0].open("second-story", ["me", "open"])
    assert players[1].join(players[0].key).status_code == 200
    assert any(player.act() for player in players)
    database = client.app.state.registry.store.database
    before = database.pen.connection.info.backend_pid
    with database.engine.connect() as other:
        other.execute(sa.text(f"SELECT pg_terminate_backend({before}, 5000)"))
    actor = next(player for player in players if player.table["choices"])
    table = actor.table
    assert actor.choose(table["choices"][0]["text"], table["number"]).status_code == 200
    assert database.pen.connection.info.backend_pid != before


def test_a_number_that_is_taken_breaks_no_connection(client):
    ann = Player(client, seed=0)
    ann.open("second-story", ["me", "open"])
    store = client.app.state.registry.store
    game = client.app.state.registry.tables[ann.key].id
    first = game, 1, 0, 0, 0, None
    for _ in range(2):
        with pytest.raises(sa.exc.IntegrityError):
            store.database.put([first], [], [])
    assert not store.database.pen.connection.closed
    assert len(store.events(game)) == 1
    store.database.put([(game, 2, 1, -1, 0, None)], [(game, 2, True, [[1, 2, 0, None]], 7)], [])
    row = store.read(ann.key)
    assert (row.to_act, row.bots_turn, row.waits, row.due) == (2, True, [[1, 2, 0, None]], 7)
