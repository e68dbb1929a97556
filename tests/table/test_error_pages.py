"""A wrong link is answered in plain words, with links to go on; scripts get JSON."""

import re

import pytest
import sqlalchemy as sa

from .people import refused

NOWHERE = "x" * 22
RIDDLES = re.compile(r"\^|\$|\[A-Z|regex|Expected|str`|Not Found|Method Not Allowed|Traceback|null")


def main(answer):
    """What people read, without the tags, which is plain English."""
    text = answer.text.partition("<main")[2].partition("</main>")[0]
    said = " ".join(re.sub(r"<[^>]+>", " ", text.partition(">")[2]).split())
    assert not RIDDLES.search(said), said
    return said


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/t/abc", 404, "no such table: the link may be mistyped or cut off"),
        (f"/t/{NOWHERE}", 404, "no such table: the link may be mistyped or cut off"),
        (f"/t/{NOWHERE}z", 404, "no such table"),
        ("/t/", 404, "no such table"),
        (f"/t/{NOWHERE}/whatever", 404, "no such table"),
        ("/t/%00%3Cb%3E", 404, "no such table"),
        ("/rules/unknown", 404, "Magnate, Second Story, Secrets and Thief"),
        ("/nothing", 404, "no such page"),
        ("/static/nothing.css", 404, "no such file"),
        ("/open", 405, "nothing to see"),
    ],
)
def test_a_link_that_leads_nowhere_is_explained(client, path, status, words):
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert words in main(answer)
    assert 'href="/"' in answer.text


def test_a_link_with_something_after_it_leads_to_its_table(client, somebody):
    key = somebody().open().key
    for after in (".", ")", "/whatever", "/choose", "?at=soon", "/at/3", "/at/x"):
        answer = client.get(f"/t/{key}{after}")
        assert answer.status_code in (404, 405, 409), after
        assert "no such table" not in main(answer)
        assert f'href="/t/{key}">To the table' in answer.text


def test_a_form_that_cannot_be_read_is_explained(client):
    client.get("/")
    answer = client.post("/open", content=b"\xff" * 20_000)
    assert 400 <= answer.status_code < 500
    assert main(answer)


def test_a_table_of_a_game_that_is_not_installed_any_more_is_gone(client, somebody, settings):
    me = somebody().open()
    client.app.state.registry.tables.clear()
    engine = sa.create_engine(settings.db)
    with engine.begin() as disk:
        disk.execute(sa.text("update games set game = 'chess'"))
    engine.dispose()
    refused(me.get(f"/api/games/{me.key}"), 410, "plays chess, a game that is not here any more")
    answer = client.get(f"/t/{me.key}")
    assert answer.status_code == 410
    assert "a game that is not here any more." in main(answer)
    assert "To the lobby" in main(answer)
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("path", ["/api/games/abc", f"/api/games/{NOWHERE}", "/api/nothing"])
def test_scripts_get_json(client, path):
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert answer.json()["why"]
