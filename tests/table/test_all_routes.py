"""Every address: HEAD, methods that are not taken, and no database on the event loop."""

import asyncio
import re
from collections import defaultdict

import pytest
import sqlalchemy as sa

from yegg.table.storage.store import Store

from .devices import Device
from .people import SS, TWO

FIT = {"name": SS, "sheet": "aid", "mark": "1.x", "at": "0", "events": "0", "path": "base.css"}
FIT |= {"day": "2026-11-22", "evening": "x" * 22, "link": "x" * 22}
DIFFERENT = {"content-length", "set-cookie", "date"}  # each answer has a ticket or a key of its own
NOWHERE = "x" * 22


def routes(client, method, key):
    """Every address that takes this method, with an example in place of what varies."""
    for route in client.app.routes:
        if method in getattr(route, "methods", ()):
            numbered = route.path.startswith(("/learn", "/puzzles"))
            there = {**FIT, "key": "1" if numbered else key}
            path = re.sub(r"{(\w+):\w+}", lambda found, there=there: there[found[1]], route.path)
            if not path.endswith("/events"):
                yield path


@pytest.mark.wide
def test_every_page_that_takes_get_takes_head(client):
    ann = Device(client)
    paths = list(routes(client, "GET", ann.open()))
    assert len(paths) > 30
    for path in paths:
        whole, head = ann.get(path), ann.ask("HEAD", path)
        assert (head.status_code, head.content) == (whole.status_code, b""), path
        kept = [
            {name: value for name, value in answer.headers.items() if name not in DIFFERENT}
            for answer in (whole, head)
        ]
        assert kept[0] == kept[1], path
    assert client.head("/open").status_code == 405
    assert client.head("/nowhere").status_code == 404


def test_whatever_refuses_a_method_says_which_it_takes(client):
    takes = defaultdict(set)
    for route in client.app.routes:
        path = re.sub(r"{\w+:\w+}", "1", route.path.replace("{key:str}", NOWHERE))
        takes[path] |= set(getattr(route, "methods", ()))
    assert len(takes) > 60
    for path, methods in takes.items():
        allowed = methods | ({"HEAD"} if "GET" in methods else set())
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - allowed:
            answer = client.request(method, path)
            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["allow"].split(", ")) == allowed, (method, path)


@pytest.mark.wide
def test_head_has_no_body_on_the_wire_and_ends_also_where_news_is_streamed(served):
    key = served.client.post("/api/games", json=TWO).json()["id"]
    for path in ("/", f"/t/{key}", f"/api/games/{key}/events", "/live", "/ready"):
        answer = served.client.head(path)
        assert (answer.status_code, answer.content) == (200, b""), path
    stream = served.client.head(f"/api/games/{key}/events")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert served.client.get(f"/api/games/{key}").json()["guests"] == 0


# The database is read beside the event loop


@pytest.fixture
def on_the_loop(fresh):
    """The statements that an event loop has waited for."""
    waited = []

    def note(_connection, _cursor, statement, *_):
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return
        waited.append(statement)

    store = fresh.app.state.registry.store
    for engine in {store.engine, store.database.reading}:
        sa.event.listen(engine, "before_cursor_execute", note)
    return waited


@pytest.mark.wide
@pytest.mark.parametrize("there", [True, False])
def test_nothing_is_read_on_the_event_loop(client, on_the_loop, there):
    ann = Device(client)
    key = ann.open() if there else NOWHERE
    tables = client.app.state.registry.tables
    asked = [("GET", path) for path in routes(client, "GET", key)]
    forms = sorted(routes(client, "POST", key), key=lambda path: "forget" in path)
    asked += [("POST", path) for path in forms]
    asked += [("GET", f"/t/{key}{after}") for after in (".", "/whatever", "?at=soon", "/at/x")]
    asked += [("GET", f"/api/games/{key}{after}") for after in ("/whatever", "/events?after=x")]
    assert len(asked) > 60
    head = {"X-CSRF-Token": ann.csrf()}
    for method, path in asked:
        tables.clear()
        ann.ask(method, path, headers=head)
        assert on_the_loop == [], (method, path)


@pytest.fixture
def reading(monkeypatch):
    """Let the database find nothing so many times, and then be gone; what was read."""

    def breaks(times):
        read = []

        def whole(self, key):
            if len(read) == times:
                raise sa.exc.OperationalError("SELECT", {}, OSError("the database has gone away"))
            read.append(key)

        monkeypatch.setattr(Store, "whole", whole)
        monkeypatch.setattr(Store, "read", whole)
        return read

    return breaks


@pytest.mark.parametrize(
    "path",
    ["/api/games/{}", "/api/games/{}/record", "/t/{}", "/t/{}/at/3", "/t/{}.", "/t/{}/whatever"],
)
def test_a_table_that_is_not_there_is_read_once(client, reading, path):
    read = reading(1)
    answer = client.get(path.format(NOWHERE))
    assert answer.status_code == 404
    assert "no such table" in answer.text
    assert read == [NOWHERE]


def test_a_database_that_goes_away_is_no_error_of_ours(fresh, client, reading):
    key = Device(client).open()
    client.app.state.registry.tables.clear()
    reading(0)
    for path in (f"/api/games/{key}", f"/t/{key}"):
        assert client.get(path).status_code == 503
    assert client.get(f"/t/{key}/whatever").status_code == 404
