"""Tables that were begun under older rules: people can look at them, but not play on."""

import sqlite3
from contextlib import ExitStack
from itertools import takewhile

import pytest
from click.testing import CliRunner
from waiting import until

from yegg.cli.admin import command
from yegg.table.accounts.tokens import Signer

from .browsing import seated
from .conftest import opened
from .devices import Device
from .old_server import (
    BEGUN,
    PLAYED,
    TABLES,
    WHOLE,
    change,
    comments,
    count,
    events,
    lay_old,
    people,
    read,
    record,
)
from .page_checks import found
from .people import Player, refused
from .serving import running


@pytest.fixture
def disk(tmp_path):
    """The file of the old server."""
    lay_old(tmp_path / "t.db")
    return tmp_path / "t.db"


@pytest.fixture
def server(settings, disk):
    """The old server, open today."""
    assert str(disk) in settings.db
    with opened(settings) as client:
        yield client


@pytest.fixture
def open_again(settings):
    """Open the server once more, after something was changed on its disk."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(opened(settings))


def newest(disk):
    """The number of the newest event of "story-middle"."""
    return (
        sqlite3.connect(disk).execute("SELECT max(number) FROM events WHERE game = 2").fetchone()[0]
    )


# Looking


@pytest.mark.wide(but=["market-over"])
@pytest.mark.parametrize("name", TABLES)
def test_an_old_table_is_looked_at_by_everybody_and_says_why_it_cannot_go_on(server, name):
    old = TABLES[name]
    why = PLAYED if old["over"] else BEGUN
    for person, orders in zip(people(server, name), old["orders"], strict=True):
        table = person.table
        assert table["closed"].startswith(why)
        assert (table["turn"], table["choices"], table["question"]) == ([], [], "")
        assert (table["over"], table["orders"]) == (old["over"], orders)
        assert table["seat"]
    watching = Player(server, key=old["key"])
    assert watching.table["closed"]
    for person in (*people(server, name), watching):
        page = person.page()
        assert why in page
        assert 'name="choice"' not in page
        for gone in ("/hand", "/leave", "/join", 'id="coach-ask"', "Waiting for", "begins when"):
            assert gone not in page, gone
        assert "older rules" in person.page("/now")


def test_a_game_of_newer_rules_says_so_and_counts_no_event_that_is_not_there(disk, open_again):
    """Else it would be ahead of the process of the newer version that plays the table."""
    change(disk, "UPDATE games SET version = 99")
    (ann, *_) = people(open_again(), "story-middle")
    why = "This game was begun under newer rules (version 99); it can be looked at but not go on."
    assert ann.table["closed"] == why
    assert ann.table["number"] == newest(disk)


@pytest.mark.wide
def test_that_the_rules_have_changed_is_news_to_everybody(server, disk):
    """Somebody who has seen the newest event under the older rules gets the table again."""
    assert people(server, "story-middle")[0].table["number"] == newest(disk) + 1


@pytest.mark.wide
def test_an_old_game_that_was_finished_shows_its_end_and_all_its_events(server):
    for name in ("market-over", "story-over", "secrets-over"):
        ann = people(server, name)[0]
        table = ann.table
        assert min(table["places"]) == 1
        assert "Places and scores are counted by today's rules" in table["closed"]
        assert "Places" in ann.page()
        assert ann.get(f"/t/{ann.key}/at/20").status_code == 200


# Telling


@pytest.mark.wide(but=["market-over"])
@pytest.mark.parametrize("name", WHOLE)
def test_the_record_of_an_old_table_has_the_words_of_then(server, name):
    old = TABLES[name]
    for i, person in enumerate(people(server, name)):
        lines = record(person)
        then = old["seen"][i] if "seen" in old else old["record"]
        assert events(lines) == events(then)
        assert "older rules (version 0)" in comments(lines)[0]
        if not old["over"]:
            assert [x for x in lines if x[:1] != "#"] == then


@pytest.mark.wide
@pytest.mark.parametrize("name", ["market-over", "story-over", "secrets-over", "story-middle"])
def test_the_record_of_an_old_table_can_be_read_by_today_s_rules(server, name):
    lines = record(people(server, name)[0])
    assert read(lines).over == TABLES[name]["over"]


@pytest.mark.wide
def test_where_today_s_rules_cannot_follow_the_record_says_so(server):
    """The automa's card was placed at the empty Excuse, which MG-102 forbids today."""
    (morgan,) = people(server, "magnate-hard")
    then, lines = events(TABLES["magnate-hard"]["seen"][0]), record(morgan)
    at = then.index("1 place the-market at the-excuse")
    told = list(takewhile(lambda line: line in then, events(lines)))
    assert told == then[: len(told)]
    assert 20 < len(told) <= at
    text = f"Only the first {len(told)} of its {len(then)} events can be followed by today's rules"
    assert text in comments(lines)[0]
    assert text in morgan.table["closed"]
    assert "# Here today's rules part from those of then." in "\n".join(comments(lines))
    assert "# dice: not promised" in comments(lines)
    assert len(comments(lines)) == len(then) - len(told) + 4, "not one event is lost"
    whole = events(TABLES["magnate-hard"]["record"])
    head = [line for line in lines if line[:1] != "#"][: -len(told)]
    assert len(read([*head, *whole[: len(told)]]).history) == len(told)


# What belongs to others


def test_orders_under_seal_stay_under_seal(server):
    ann, ben, cid = people(server, "secrets-sealed")
    assert len(ben.table["orders"]) == len(TABLES["secrets-sealed"]["orders"][1]) > 0
    for person in (ann, cid):
        person.bytes = b""
        for path in (f"/api/games/{ann.key}", f"/t/{ann.key}", f"/api/games/{ann.key}/record"):
            person.get(path)
        now = record(person)
        for order in ben.table["orders"]:
            assert sum(order in line for line in now) == 0
    assert ann.table["orders"] == []
    mine = ", ".join(ben.table["orders"])
    assert f"Your orders under seal: {mine}." in ben.page()
    assert "under seal:" not in ann.page()


def test_hands_stay_hidden(server):
    ann, ben = people(server, "magnate-middle")
    for person, other in ((ann, 2), (ben, 1)):
        drawn = [line for line in events(record(person)) if line.startswith(f"* draw {other}")]
        assert drawn
        assert set(drawn) == {f"* draw {other} -"}


# Doing nothing


@pytest.mark.wide(but=["secrets-sealed", "story-over"])
@pytest.mark.parametrize("name", TABLES)
def test_nothing_can_be_done_at_an_old_table(server, disk, name):
    before = count(disk)
    ann, over = people(server, name)[0], TABLES[name]["over"]
    number = ann.table["number"]
    for what, body in (
        ("choices", {"choice": "end", "after": number}),
        ("choices", {"choice": 3, "after": number}),
        ("undo", {}),
        ("hand", {"bot": "uniform"}),
        ("hand", {"bot": None}),
        ("leave", {}),
    ):
        answer = ann.do(what, **body)
        if what == "hand" and over:
            assert answer.status_code in (409, 410)
        else:
            refused(answer, 410, PLAYED if over else BEGUN)
    assert Player(server).join(ann.key).status_code in (409, 410)
    assert ann.ask("advice").status_code in (409, 410, 503)
    assert ann.ask("odds").status_code in (409, 410)
    assert count(disk) == before


@pytest.mark.wide
def test_a_free_seat_of_an_old_table_is_not_taken(server, disk):
    before = count(disk)
    refused(Player(server).join(TABLES["story-waiting"]["key"], you="Late"), 410, BEGUN)
    assert count(disk) == before


@pytest.mark.wide
def test_no_bot_plays_on_at_an_old_table(settings, disk, open_again):
    """Whoever is to act, a bot has the seat."""
    made = [
        (
            (
                "INSERT INTO events (game, number, actor, choice, at)"
                " SELECT game, max(number) + 1, ?, -3, 0 FROM events WHERE game = 2"
            ),
            (i,),
        )
        for i in range(3)
    ]
    bots = "INSERT INTO sittings SELECT game, number, 'Bot', NULL, 'uniform' FROM events "
    change(disk, *made, f"{bots} WHERE choice = -3")
    before = count(disk)
    client = open_again()
    ann = people(client, "story-middle")[0]
    assert [seat["bot"] for seat in ann.table["seats"]] == ["uniform"] * 3
    table = client.app.state.registry.tables[ann.key]
    assert not table.driver.busy
    with client.portal() as portal:
        portal.call(table.driver.kick)
    assert not table.driver.busy
    assert count(disk) == before


@pytest.mark.wide
def test_forms_say_why_and_a_rematch_is_played_by_today_s_rules(server):
    device, ann = Device(server), people(server, "story-middle")[0]
    device.cookies["yegg"] = server.app.state.registry.signer.signed(ann.token)
    refused = device.post(f"/t/{ann.key}/choose", choice="stop", after="1")
    assert refused.status_code == 410
    assert f'class="said">{BEGUN}' in refused.text
    answer = device.post(f"/t/{ann.key}/again")
    assert answer.status_code == 303
    key = answer.headers["location"].removeprefix("/t/").partition("#")[0]
    assert key != ann.key
    assert device.get(f"/api/games/{key}").json()["closed"] is None


# Lists


@pytest.mark.wide
def test_the_lobby_lists_old_tables_with_a_tag(server):
    for name in TABLES:
        ann = people(server, name)[0]
        lobby = ann.get("/api/lobby").json()
        (mine,) = lobby["mine"]
        assert (mine["id"], mine["older"], mine["your_turn"]) == (ann.key, True, False)
        assert all(table["older"] for table in lobby["tables"])
        page = ann.get("/").text
        assert "older rules" in page
        assert ">Join<" not in page
        assert ">Watch<" not in page
    fresh = Player(server).open("second-story", ["me", "open"])
    assert [t["older"] for t in fresh.get("/api/lobby").json()["mine"]] == [False]


@pytest.mark.wide
def test_a_game_that_cannot_be_set_up_any_more_does_not_break_the_lobby(disk, open_again):
    change(disk, """UPDATE games SET options = '{"gone": "yes"}' WHERE game = 'secrets'""")
    client = open_again()
    ann = people(client, "secrets-over")[0]
    answer = ann.get(f"/api/games/{ann.key}")
    assert answer.status_code == 410
    assert "Secrets cannot be set up as at this table" in answer.json()["why"]
    assert ann.get("/").status_code == ann.get("/api/lobby").status_code == 200


# As it is seen

SEEN = (("magnate-middle", "desktop"), ("secrets-sealed", "phone"), ("market-over", "desktop"))


@pytest.fixture(scope="module")
def old_server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("older")
    lay_old(folder / "t.db")
    with running(folder) as server:
        yield server


@pytest.mark.wide
@pytest.mark.parametrize("view", ["json", "html"])
def test_an_old_table_is_streamed_as_any_other(old_server, view):
    lines = Player(old_server.client, key=TABLES["story-middle"]["key"]).lines(view=view)
    assert any(BEGUN in line for line in lines)
    lines.close()


EACH = [
    pytest.param(name, size, marks=() if (name, size) in SEEN else pytest.mark.wide)
    for name in TABLES
    for size in ("desktop", "phone")
]


@pytest.mark.wide
@pytest.mark.browser
@pytest.mark.parametrize(("name", "size"), EACH)
def test_an_old_table_is_for_everybody_to_look_at(visitor, old_server, disk, name, size):
    page = visitor(size, at=old_server)
    (secret,) = sqlite3.connect(disk).execute("SELECT secret FROM house").fetchone()
    token = Signer(secret).signed(TABLES[name]["tokens"][0])
    seated(page, Player(old_server.client, token, key=TABLES[name]["key"]))
    assert "older rules" in page.text_content(".closed")
    assert not page.query_selector("button[name=choice]")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not found(page, name)


@pytest.mark.wide
def test_the_host_closes_an_old_table_that_cannot_go_on(server, disk):
    (ann, *_) = people(server, "story-middle")
    done = CliRunner().invoke(command, ["close", ann.key, "--db", str(disk)])
    assert done.exit_code == 0, (done.output, done.exception)
    assert until(lambda: ann.table["closed"], lambda why: why == "The host has closed this table.")
    again = CliRunner().invoke(command, ["close", ann.key, "--db", str(disk)])
    assert "over or closed already" in again.output
