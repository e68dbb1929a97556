"""Closing a table, blocking somebody, being forgotten: what guests and the host may do."""

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from waiting import until

from yegg.cli.admin import command
from yegg.table.domain.phrases_and_emotes import PHRASES
from yegg.table.service import block_list as kept
from yegg.table.storage.store import Store

from .people import SS, TWO, Player, refused, whose
from .serving import running, waiting_at


def house(settings, *words, status=0):
    """A command of those who look after the house, while its server runs."""
    done = CliRunner().invoke(command, [*words, "--db", settings.db.removeprefix("sqlite:///")])
    assert done.exit_code == status, (done.output, done.exception)
    return done.output


def close(person):
    return person.do("close")


def block(person, seat, *, blocked=True):
    return person.do("block", seat=seat, blocked=blocked)


def listed(person):
    return [table["id"] for table in person.get("/api/lobby").json()["tables"]]


# Closing


def test_whoever_opened_a_table_closes_it_before_the_game_begins(somebody):
    ann = somebody().open("secrets", ["me", "open", "open", "open"], you="Ann")
    ben, cid = somebody(), somebody()
    assert ben.join(ann.key).status_code == 200
    assert ann.key in listed(cid)
    refused(close(ben), 403, "only whoever opened this table")
    assert close(ann).json() == {"closed": True}
    for person in ann, ben:
        assert person.table["closed"] == "Ann has closed this table."
    assert cid.join(ann.key).status_code == 410
    assert ann.key not in listed(cid)
    assert close(ann).status_code == 410


def test_a_game_is_closed_only_when_all_people_would_like_it(party):
    ann, ben = party(SS, 2)
    assert close(ann).json() == {"closed": False}
    assert close(ann).json() == {"closed": False}
    assert ben.table["closed"] is None
    (notice,) = [one for one in ben.table["notices"] if one["kind"] == "close"]
    assert notice["text"].endswith("would like to close this table.")
    assert close(ben).json() == {"closed": True}
    assert ann.table["closed"] == "All who sit here have closed this table."
    assert (ann.table["turn"], ann.table["choices"], ann.table["over"]) == ([], [], False)
    assert ann.choose("thorough", 9).status_code == 410


def test_whoever_plays_on_does_not_wish_to_close_any_more(party):
    people = party(SS, 2)
    actor = whose(people)[0]
    other = next(one for one in people if one is not actor)
    assert close(actor).json() == {"closed": False}
    assert actor.act()
    assert close(other).json() == {"closed": False}
    assert close(actor).json() == {"closed": True}


def test_bots_need_not_be_asked_and_nobody_else_can_close(somebody):
    ann, watcher = somebody().open(SS, ["me", "uniform"]), somebody()
    watcher.key = ann.key
    assert close(watcher).status_code == 401
    assert close(ann).json() == {"closed": True}


def test_a_closed_table_stays_closed_and_its_secrets_stay_secret(party, restarted):
    ann, ben = party("magnate", 2)
    before = ann.table["position"]
    close(ann), close(ben)
    restarted(ann, ben)
    assert ann.table["closed"] == "All who sit here have closed this table."
    assert ann.table["position"] == before
    assert " -" in ann.record
    page = ann.page()
    assert "All who sit here have closed this table." in page
    assert f'action="/t/{ann.key}/close"' not in page


@pytest.mark.wide
def test_the_host_closes_a_table_under_a_running_server(settings, party):
    ann, _ = party(SS, 2)
    assert "is closed" in house(settings, "close", ann.key)
    told = "The host has closed this table."
    assert until(lambda: ann.table["closed"]) == told
    assert ann.choose("thorough", ann.table["number"]).status_code == 410
    assert "over or closed already" in house(settings, "close", ann.key, status=2)
    for key in ("nothing", "-Knothing", "--nothing"):  # one key in 64 begins with a dash
        assert "there is no such table" in house(settings, "close", key, status=2)


@pytest.mark.wide
def test_the_host_closes_a_table_while_somebody_moves(settings, party, monkeypatch):
    people = party(SS, 2)
    read, moved = Store.events, []

    def reading(store, *which):
        rows = read(store, *which)
        if store.writer != people[0].client.app.state.registry.store.writer and not moved:
            moved.append(people[0].act() or people[1].act())
        return rows

    monkeypatch.setattr(Store, "events", reading)
    assert "is closed" in house(settings, "close", people[0].key)
    assert moved == [True]
    assert until(lambda: people[0].table["closed"])
    disk = sqlite3.connect(settings.db.removeprefix("sqlite:///"))
    wanted = "SELECT count(*), max(number), sum(choice = -17) FROM events"
    count, newest, closed = disk.execute(wanted).fetchone()
    assert (count, closed) == (newest, 1)
    (row,) = disk.execute("SELECT to_act, bots_turn, waits, due, ended IS NULL FROM games")
    assert row == (0, 0, "[]", None, 0)
    disk.close()


def test_the_pages_close_and_block(somebody, party):
    ann, _ = party(SS, 2)
    page = ann.page()
    assert f'action="/t/{ann.key}/close"' in page
    assert "Do not meet Guest (2) again" in page
    assert ann.post(f"/t/{ann.key}/close").status_code in (200, 303)
    assert "would like to close this table" in ann.page()


# Blocking


def test_two_who_are_kept_apart_are_not_seated_together_whoever_comes_second(party, somebody):
    ann, ben = party(SS, 2)
    assert block(ann, 2).json() == {"blocked": True}
    hers = Player(ann.client, ann.token).open()
    his = Player(ben.client, ben.token).open()
    for person, key in ((ben, hers.key), (ann, his.key)):
        refused(person.at(key).join(key), 403, "you cannot sit down at this table")
    assert hers.key not in listed(ben)
    assert his.key not in listed(ann)
    assert {hers.key, his.key} <= set(listed(somebody()))
    assert block(ann, 2, blocked=False).status_code == 200
    assert Player(ben.client, ben.token).join(hers.key).status_code == 200


def test_a_game_that_goes_on_is_not_changed_by_blocking(party):
    ann, ben = party(SS, 2)
    before = ben.table
    assert block(ann, 2).status_code == 200
    assert ben.table == before
    for _ in range(10):
        assert ann.act() or ben.act()


@pytest.mark.wide
def test_the_phrases_of_somebody_blocked_are_not_heard(served):
    ann, ben, cid = (Player(served.client) for _ in range(3))
    ann.open("secrets", ["me", "open", "open", "open"])
    for person in (ben, cid):
        assert person.join(ann.key).status_code == 200
    assert block(ann, 2).status_code == 200
    lines = ann.lines(phrases="true")
    next(line for line in lines if line.startswith("data: "))
    for person in (ben, cid):
        assert person.do("phrases", phrase=1).status_code == 200
    heard = next(line for line in lines if PHRASES[0] in line and line.startswith("data: "))
    assert '"seat":3' in heard, "the first that is heard is Cid's"
    lines.close()


def test_a_rematch_holds_no_seat_for_somebody_blocked(party):
    ann, ben = party(SS, 2)
    block(ann, 2)
    close(ann), close(ben)
    answer = ann.do("again")
    assert answer.status_code in (200, 201), answer.text
    assert [seat["held"] for seat in ann.at(answer.json()["id"]).table["seats"]] == [None, None]
    refused(ben.do("again"), 403)


def test_only_another_person_at_the_table_can_be_blocked_and_only_so_many(party, monkeypatch):
    ann, ben, _ = party(SS, 3)
    for seat in (1, 9):
        assert block(ann, seat).status_code == 409
    watcher = Player(ann.client, key=ann.key)
    assert block(watcher, 1).status_code == 401
    monkeypatch.setattr(kept, "MOST", 1)
    assert block(ann, 2).status_code == 200
    assert "let somebody go first" in block(ann, 3).json()["why"]
    assert block(ben, 3).status_code == 200


def test_nobody_learns_who_has_blocked_them(party):
    ann, ben = party(SS, 2)
    block(ann, 2)
    ben.bytes = b""
    _ = ben.table, ben.get("/me/guests"), ben.get("/api/lobby"), ben.get("/api/me")
    assert b"block" not in ben.bytes.lower().replace(b"whom you have blocked", b"")


# The host


@pytest.mark.wide
def test_a_person_who_is_barred_looks_on_and_can_be_let_in_again(settings, party, somebody):
    ann, ben = party(SS, 2)
    house(settings, "block", f"{ann.key}:2", "--why", "rude")
    name = re.search(r"\n(Guest \(2\)) +20[\d-]{8} +rude", house(settings, "blocked"))[1]

    def status():
        return ben.post("/api/games", TWO).status_code

    assert until(status, lambda found: found == 403)
    assert ben.choose(1, ben.table["number"]).status_code == 403
    assert ben.table["seat"] == 2
    assert ann.post("/api/games", TWO).status_code == 201
    house(settings, "unblock", name)
    assert until(status, lambda found: found == 201)
    assert "nobody has blocked" in house(settings, "unblock", name, status=2)
    assert "is no person" in house(settings, "block", f"{ann.key}:7", status=2)


@pytest.mark.wide
def test_whoever_comes_from_an_address_that_is_barred_is_turned_away(tmp_path):
    def said(*words):
        done = CliRunner().invoke(command, [*words, "--db", str(tmp_path / "t.db")])
        assert done.exit_code == 0, done.output

    with running(tmp_path) as server:
        assert server.asked("/") == 200
        for who in ("127.0.0.0/8", "::1"):
            said("block", who)
        until(lambda: server.asked("/") == 403)
        assert "does not let you play here" in server.client.get("/live").text
        for who in ("127.0.0.1/8", "::1"):
            said("unblock", who)
        until(lambda: server.asked("/") == 200)


# Forgetting


def everything(settings):
    """All that is on disk, the erased pages of the file too."""
    path = settings.db.removeprefix("sqlite:///")
    disk = sqlite3.connect(path)
    disk.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rows = "\n".join(disk.iterdump())
    disk.close()
    return rows.encode() + Path(path).read_bytes()


@pytest.fixture
def zoe(somebody):
    """Somebody with a name that is nowhere else, at a finished and at a going table."""
    first, second = somebody(1).open(you="Ann"), somebody(2)
    assert second.join(first.key, you="Zoe Unmistakable").status_code == 200
    for _ in range(6):
        assert first.act() or second.act()
    assert second.do("hand", bot="uniform").status_code == 200
    assert second.do("hand", bot=None).status_code == 200
    block(second, 1)
    return first, second


def test_somebody_who_asks_for_it_is_forgotten_and_the_game_goes_on(settings, zoe):
    ann, second = zoe
    assert b"Zoe Unmistakable" in everything(settings)
    record = ann.record
    assert second.post("/api/me/forget").json() == {"games": 1}
    assert b"Unmistakable" not in everything(settings)
    table = ann.table
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Somebody"]
    assert not table["closed"]
    assert second.table["seat"] is None, "the seat is nobody's"
    assert second.do("leave").status_code == 401
    after = ann.record
    assert after == record.replace("Zoe Unmistakable", "Somebody")


def test_a_name_that_somebody_took_later_is_forgotten_too(settings, zoe):
    assert zoe[1].do("name", you="Zenobia Unheard").status_code == 200
    assert zoe[1].do("name", you="Zoe Third").status_code == 200
    assert zoe[1].post("/api/me/forget").status_code == 200
    assert not [name for name in (b"Unheard", b"Zoe Third") if name in everything(settings)]


@pytest.mark.wide
def test_the_host_forgets_somebody_under_a_running_server(settings, zoe, restarted):
    ann, second = zoe
    said = house(settings, "forget", f"{ann.key}:2")
    assert said == "forgotten; 1 game stays without the name\n"
    assert until(lambda: ann.table["seats"][1]["name"], lambda name: name == "Somebody")
    assert second.table["seat"] is None
    assert b"Unmistakable" not in everything(settings)
    restarted(ann, second)
    assert ann.table["seats"][1]["name"] == "Somebody"
    while ann.act():
        pass
    assert ann.table["seats"][1]["name"] == "Somebody"


@pytest.mark.wide
def test_two_who_are_forgotten_at_one_table_are_still_told_apart(settings, zoe):
    ann, second = zoe
    for person in ann, second:
        assert person.post("/api/me/forget").status_code == 200
    watcher = Player(ann.client, key=ann.key)
    assert [seat["name"] for seat in watcher.table["seats"]] == ["Somebody", "Somebody 2"]


@pytest.mark.wide
def test_nothing_of_a_person_is_left_in_any_table(settings, zoe, client):
    _, second = zoe
    registry = client.app.state.registry
    person = registry.whose(registry.signer.token(second.token))
    assert person.encode() in everything(settings)
    second.post("/api/me/forget")
    assert person.encode() not in everything(settings)


def test_the_page_says_what_is_erased_and_the_browser_forgets(client, zoe):
    ann, _ = zoe
    page = ann.get("/me/guests").text
    assert "Your games stay, and there you are called Somebody." in page
    answer = ann.post("/me/forget")
    (form,) = answer.history
    assert (form.status_code, form.headers["location"]) == (303, "/forgotten")
    assert "you were forgotten here" in answer.text.lower()
    assert "set-cookie" not in answer.headers
    gone = form.headers.get_list("set-cookie")
    assert any(one.startswith("yegg=") and "Max-Age=0" in one for one in gone)
    client.cookies.clear()
    assert Player(client).post("/api/me/forget").status_code == 401


# In the same moment, and by several processes


def test_two_who_are_kept_apart_and_sit_down_at_once_are_not_seated_together(
    party, somebody, client
):
    ann, ben, _ = party("secrets", 3)
    assert block(ann, 2).status_code == 200
    cid = somebody().open("secrets", ["me", "open", "open"])
    table = client.app.state.registry.tables[cid.key]
    with ThreadPoolExecutor(2) as pool:
        with waiting_at(client, table) as waiting:
            said = []
            for n, person in enumerate((ann, ben), 1):
                said.append(pool.submit(person.join, cid.key))
                until(waiting, n.__le__)
        first, second = (one.result(30) for one in said)
    assert first.status_code == 200
    refused(second, 403, "you cannot sit down at this table")


@pytest.mark.wide
def test_two_who_are_kept_apart_are_never_seated_together_by_two_processes(two):
    ann, ben = (Player(server.client) for server in two)
    ann.open()
    assert ben.join(ann.key).status_code == 200
    assert block(ann, 2).status_code == 200
    new = Player(ann.client, ann.token).open()
    assert ben.join(new.key).status_code == 403, "at once, whatever the other process remembers"
    with ThreadPoolExecutor(2) as pool:
        for _ in range(8):
            key = Player(ann.client).open("secrets", ["me", "open", "open"]).key
            pair = [ann.at(key), ben.at(key)]
            said = pool.map(lambda one, key=key: one.join(key).status_code, pair)
            assert sorted(said) == [200, 403]


@pytest.mark.wide
def test_what_one_process_is_told_all_of_them_mind(two):
    ann, ben = (Player(server.client) for server in two)
    ann.open(you="Ann")
    assert ben.join(ann.key, you="Ben").status_code == 200
    assert ben.post("/api/me/forget").json()["games"] >= 1
    until(lambda: ann.table["seats"][1]["name"] == "Somebody")
    assert close(ann).json() == {"closed": False}
    assert ann.act() or ann.table["turn"] == [2]
