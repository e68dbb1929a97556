"""HEAD: whoever only asks whether a page is there gets what GET says, without its body."""

import re
from collections import defaultdict

import httpx
import pytest

pytest.importorskip("litestar", reason="the table needs yegg[table]")

from .devices import Device
from .serving import Served
from .timed import SS

FIT = {"name": SS, "sheet": "aid", "mark": "1.x", "at": "0", "events": "0", "path": "base.css"}
DIFFERENT = {"content-length", "set-cookie", "date"}  # each answer has a ticket or a key of its own


def looked_at(client, key):
    """Every address that takes GET, with an example in place of what varies."""
    for route in client.app.routes:
        if "GET" in getattr(route, "methods", ()):
            there = {**FIT, "key": "1" if route.path.startswith("/learn") else key}
            yield re.sub(r"{(\w+):\w+}", lambda found, there=there: there[found[1]], route.path)


def test_every_page_that_takes_get_takes_head(client):
    ann = Device(client)
    key = ann.open()
    paths = [path for path in looked_at(client, key) if not path.endswith("/events")]
    assert len(paths) > 30
    for path in paths:
        whole, head = ann.get(path), ann.ask("HEAD", path)
        assert head.status_code == whole.status_code, path
        assert head.content == b"", path
        kept = [
            {name: value for name, value in answer.headers.items() if name not in DIFFERENT}
            for answer in (whole, head)
        ]
        assert kept[0] == kept[1], path


def test_what_only_takes_forms_refuses_head(client):
    assert client.head("/open").status_code == 405
    assert client.head("/nowhere").status_code == 404


def test_whatever_refuses_a_method_says_which_it_takes(client):
    takes = defaultdict(set)
    for route in client.app.routes:
        path = re.sub(r"{\w+:\w+}", "1", route.path.replace("{key:str}", "x" * 22))
        takes[path] |= set(getattr(route, "methods", ()))
    assert len(takes) > 60
    for path, methods in takes.items():
        allowed = methods | ({"HEAD"} if "GET" in methods else set())
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - allowed:
            answer = client.request(method, path)
            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["allow"].split(", ")) == allowed, (method, path)


@pytest.mark.slow
def test_head_has_no_body_on_the_wire_and_ends_also_where_news_is_streamed(tmp_path):
    served = Served(tmp_path).start()
    try:
        with httpx.Client(base_url=served.base, timeout=60) as client:
            wish = {"game": SS, "seats": ["me", "open"]}
            key = client.post("/api/games", json=wish).json()["id"]
            for path in ("/", f"/t/{key}", f"/api/games/{key}/events", "/live", "/ready"):
                answer = client.head(path)
                assert (answer.status_code, answer.content) == (200, b""), path
            stream = client.head(f"/api/games/{key}/events")
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert client.get(f"/api/games/{key}").json()["guests"] == 0
    finally:
        served.close()
