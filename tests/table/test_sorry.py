"""A wrong link is answered in plain words, with links to go on; scripts get JSON."""

import re

import pytest

pytest.importorskip("litestar", reason="the table needs yegg[table]")

SS = "second-story"
NOWHERE = "x" * 22
RIDDLES = re.compile(r"\^|\$|\[A-Z|regex|Expected|str`|Not Found|Method Not Allowed|Traceback|null")


def main(answer):
    """What people read, without the tags."""
    text = answer.text.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition(">")[2]).split())


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
def test_a_link_that_leads_nowhere_is_explained(visited, path, status, words):
    answer = visited.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    said = main(answer)
    assert words in said.replace("&#39;", "'")
    assert not RIDDLES.search(said), said
    assert 'href="/"' in answer.text


@pytest.mark.parametrize("after", [".", ")", "/whatever", "/choose", "?at=soon", "/at/3", "/at/x"])
def test_a_link_with_something_after_it_leads_to_its_table(client, somebody, after):
    key = somebody().open(SS, ["me", "open"]).key
    answer = client.get(f"/t/{key}{after}")
    assert answer.status_code in (404, 405, 409)
    assert not RIDDLES.search(main(answer)), main(answer)
    assert f'href="/t/{key}">To the table' in answer.text
    assert "no such table" not in answer.text


def test_a_form_that_cannot_be_read_is_explained(client):
    client.get("/")
    answer = client.post("/open", content=b"\xff" * 20_000)
    assert 400 <= answer.status_code < 500
    assert not RIDDLES.search(main(answer)), main(answer)


def test_a_table_of_a_game_that_is_gone_leads_to_the_lobby(client, somebody, settings):
    import sqlalchemy as sa

    key = somebody().open(SS, ["me", "open"]).key
    client.app.state.registry.tables.clear()
    engine = sa.create_engine(settings.db)
    with engine.begin() as disk:
        disk.execute(sa.text("update games set game = 'forgotten'"))
    engine.dispose()
    answer = client.get(f"/t/{key}")
    assert answer.status_code == 410
    assert "a game that is not here any more." in main(answer)
    assert "To the lobby" in main(answer)


@pytest.mark.parametrize("path", ["/api/games/abc", f"/api/games/{NOWHERE}", "/api/nothing"])
def test_scripts_get_json(visited, path):
    answer = visited.get(path)
    assert answer.status_code in (400, 404)
    assert answer.json()["why"]
