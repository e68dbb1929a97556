"""What later rules could not find out is kept: the words of each event, and a game's result."""

import json
import re
import sqlite3

import pytest

from yegg.engine import notation
from yegg.table.storage.migrate import migrate
from yegg.table.storage.store import connected

from .conftest import opened
from .old_server import PLAYED, TABLES, change, comments, events, lay_old, people, record
from .people import finish


@pytest.fixture
def kept(party, settings, client):
    """A finished game whose words and result were kept; its record; then the rules change."""

    def make(*lines):
        people = party("second-story", 2)
        finish(people)
        key, then = people[0].key, record(people[0])
        client.app.state.registry.tables.clear()
        path = settings.db.removeprefix("sqlite:///")
        change(path, "UPDATE games SET version = 0", *lines)
        return people[0], key, then

    return make


@pytest.mark.wide
def test_every_choice_and_every_order_is_kept_in_words(party, settings):
    three = party("secrets", 3)
    for person in three[1:]:
        assert person.act()
    disk = sqlite3.connect(settings.db.removeprefix("sqlite:///"))
    words = [w for (w,) in disk.execute("SELECT words FROM events WHERE choice <= -100")]
    assert words == [person.table["orders"][0] for person in three[1:]]
    for person in three:
        while person.act():
            pass
    kept = disk.execute("SELECT actor, words FROM events WHERE choice >= 0 ORDER BY number")
    three[0].client.app.state.registry.tables.clear()
    assert three[0].table["begun"]  # it is read anew
    table = three[0].client.app.state.registry.table(three[0].key)
    assert [w for _, w in kept] == table.now.said
    written = notation.write(table.now.match).splitlines()
    assert [line.partition(" ")[2] for line in events(written)] == table.now.said
    others = disk.execute("SELECT DISTINCT words FROM events WHERE choice BETWEEN -6 AND -1")
    assert others.fetchall() == [(None,)], "nobody's choice is no words"
    disk.close()


@pytest.mark.wide
def test_how_a_game_ended_is_kept_and_told_as_it_was_then(kept):
    person, _, then = kept("""UPDATE games SET result = '{"places": [2, 1], "scores": [7, 9]}'""")
    table = person.table
    assert (table["places"], table["scores"], table["closed"]) == ([2, 1], [7, 9], PLAYED)
    lines = record(person)
    assert {"# places: 2, 1", "# score: 7, 9"} <= set(lines)
    assert events(lines) == events(then)
    page = person.page()
    page = re.sub(r'<a[^>]*rules-link[^>]*>|data-clauses="[^"]*"', "", page)
    assert "SS-70" not in page, "today's rules cannot say why"


@pytest.mark.wide
def test_how_a_game_ended_is_kept(kept):
    person, _, then = kept()
    assert person.table["closed"] == PLAYED, "nothing was counted anew"
    lines = record(person)
    assert [line for line in lines if line[:1] != "#"] == [line for line in then if line[:1] != "#"]
    dice = {line for line in comments(then) if not line.startswith("# rules: ")}
    assert dice < set(comments(lines)), "its dice are told as they were"
    assert "# rules: version 0" in comments(lines)


@pytest.mark.wide
def test_words_that_were_kept_are_found_whatever_their_numbers_are_today(kept):
    person, _, then = kept("UPDATE events SET choice = choice + 1000 WHERE choice >= 0")
    assert person.table["closed"] == PLAYED
    assert events(record(person)) == events(then)


@pytest.mark.wide
def test_what_cannot_be_followed_is_told_in_the_words_that_were_kept(kept):
    far = "UPDATE events SET words = 'dance a jig', choice = 9999 WHERE number = 30"
    person, key, then = kept(far)
    lines, then = record(person), events(then)
    told = events(lines)
    assert told == then[: len(told)]
    at = comments(lines).index("# Here today's rules part from those of then. "
                               "What follows cannot be replayed.")  # fmt: skip
    beyond = [line.removeprefix("# ") for line in comments(lines)[at + 1 :]]
    assert beyond[0].endswith(" dance a jig")
    assert beyond[1:] == then[len(told) + 1 :]
    assert f"Only the first {len(told)} of its {len(then)} events" in person.table["closed"]
    page = person.get(f"/t/{key}")
    assert page.status_code == 200
    assert then[-1].partition(" ")[2] in page.text, "the last event is told in the log"


@pytest.mark.wide(but=["secrets-over"])
@pytest.mark.parametrize("name", [name for name in TABLES if name != "story-waiting"])
def test_an_end_that_was_kept_is_shown_though_not_all_can_be_followed(settings, tmp_path, name):
    """As it will be once the rules have changed again."""
    sides = len(TABLES[name]["tokens"]) + (name == "magnate-hard")
    lay_old(tmp_path / "t.db")
    migrate(connected(settings.db))
    result = json.dumps({"places": [1] * sides, "scores": [5] * sides})
    change(
        tmp_path / "t.db",
        "UPDATE events SET choice = 9999 WHERE number = 22",
        ("UPDATE games SET ended = 1, result = ?", (result,)),
    )
    with opened(settings) as client:
        for person in people(client, name):
            table = person.table
            assert (table["over"], table["scores"]) == (True, [5] * sides)
            assert "share the win" in person.page()
            assert person.get(f"/t/{person.key}/at/3").status_code == 200
            assert person.get(f"/t/{person.key}?at=3").status_code == 200
            assert person.ask("review").status_code == 409
            assert f"# score: {', '.join(['5'] * sides)}" in record(person)
            assert person.get("/").status_code == 200


@pytest.mark.wide
def test_what_was_taken_back_beyond_is_not_told(kept):
    person, _, then = kept(
        "UPDATE events SET words = 'dance a jig', choice = 9999, actor = 0 WHERE number = 30",
        "UPDATE events SET words = NULL, choice = -5, actor = 0 WHERE number = 31",
    )
    lines = record(person)
    assert not any("dance" in line for line in lines)
    assert len(events(lines)) + len(comments(lines)) <= len(events(then)) + len(comments(then)) + 4
