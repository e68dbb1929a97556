"""Whatever is read from the database is read beside the event loop, and a table only once."""

import asyncio
import re

import pytest
import sqlalchemy as sa

pytest.importorskip("litestar", reason="the table needs yegg[table]")

from yegg.table.storage.store import Store

from .devices import Device
from .test_head import looked_at
from .timed import SS

NOWHERE = "x" * 22


@pytest.fixture
def on_the_loop(client):
    """The statements that an event loop has waited for."""
    waited = []

    def note(_connection, _cursor, statement, *_):
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        waited.append(statement)

    store = client.app.state.registry.store
    for engine in {store.engine, store.database.reading}:
        sa.event.listen(engine, "before_cursor_execute", note)
    return waited


def forms(client, key):
    """Every address that takes POST, with an example in place of what varies."""
    for route in client.app.routes:
        if "POST" in getattr(route, "methods", ()):
            yield re.sub(
                r"{(\w+):\w+}", lambda found: key if found[1] == "key" else "1", route.path
            )


@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_read_on_the_event_loop(client, on_the_loop, there):
    ann = Device(client)
    key = ann.open() if there else NOWHERE
    tables = client.app.state.registry.tables
    asked = [("GET", path) for path in looked_at(client, key) if not path.endswith("/events")]
    asked += [("POST", path) for path in sorted(forms(client, key), key=lambda p: "forget" in p)]
    asked += [("GET", f"/t/{key}{after}") for after in (".", "/whatever", "?at=soon", "/at/x")]
    asked += [("GET", f"/api/games/{key}{after}") for after in ("/whatever", "/events?after=x")]
    assert len(asked) > 60
    head = {"X-CSRF-Token": ann.csrf()}
    for method, path in asked:
        tables.clear()
        ann.ask(method, path, headers=head)
        assert on_the_loop == [], (method, path)


@pytest.mark.parametrize(
    "path",
    ["/api/games/{}", "/api/games/{}/record", "/t/{}", "/t/{}/at/3", "/t/{}.", "/t/{}/whatever"],
)
def test_a_table_that_is_not_there_is_read_once(client, monkeypatch, path):
    read = []

    def whole(self, key):
        if read:
            raise sa.exc.OperationalError("SELECT", {}, OSError("the database has gone away"))
        read.append(key)

    monkeypatch.setattr(Store, "whole", whole)
    monkeypatch.setattr(Store, "read", whole)
    answer = client.get(path.format(NOWHERE))
    assert answer.status_code == 404
    assert "no such table" in answer.text
    assert read == [NOWHERE]


def test_a_database_that_goes_away_is_no_error_of_ours(client, monkeypatch):
    key = Device(client).open()
    client.app.state.registry.tables.clear()

    def whole(*_):
        raise sa.exc.OperationalError("SELECT", {}, OSError("the database has gone away"))

    monkeypatch.setattr(Store, "whole", whole)
    monkeypatch.setattr(Store, "read", whole)
    for path in (f"/api/games/{key}", f"/t/{key}"):
        assert client.get(path).status_code == 503
    assert client.get(f"/t/{key}/whatever").status_code == 404
    assert SS not in client.app.state.registry.tables
