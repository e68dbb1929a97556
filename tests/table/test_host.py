"""The host: the key and its page, what it shows, and what each press does there."""

import html
import re
import sqlite3

import pytest
from waiting import until

from yegg.table.domain.watching import LATER
from yegg.table.http.routes import host as routes
from yegg.table.http.routes.host import COOKIE
from yegg.table.service.block_list import BlockList

from .conftest import opened, settings_for
from .devices import Device
from .people import SS, Player, finish, refused
from .serving import house_says, together

PRESSES = ["close", "rename", "mute", "unmute", "block", "unblock", "leave"]


def key_of(db):
    return house_says(db, "host-key").split("\n")[0]


def come_in(client, key):
    """A browser that has shown the key."""
    device = Device(client)
    answer = device.post("/host/enter", key=key)
    assert answer.headers.get("location") == "/host", answer.text
    return device


@pytest.fixture
def ruling(client, settings):
    """The host's browser."""
    return come_in(client, key_of(settings.db))


def ids(device):
    """By name: the id that the buttons of a person send."""
    page = device.get("/host").text
    people = page.partition('id="people"')[2].partition("</section>")[0]
    rows = re.findall(
        r'<b dir="auto">(.*?)</b>.*?name="person" value="(\w{64})"', people, re.DOTALL
    )
    return {html.unescape(name): who for name, who in rows}


def pressed(device, what, **fields):
    """Press a button; what the page says then."""
    answer = device.post(f"/host/{what}", **fields)
    page = answer if answer.status_code != 303 else device.get(answer.headers["location"])
    return re.search(r'<p class="said[^"]*" role="(?:alert|status)">(.*?)</p>', page.text)[1]


# The key


def test_without_a_key_no_address_of_the_host_is_there(client, settings, party):
    ann, _ = party(SS, 2)
    there = "Tables in play", "Ann", ann.key
    assert Device(client).get("/host").status_code == 404
    assert Device(client).post("/host/enter", key="x").status_code == 404
    key = key_of(settings.db)
    door = Device(client).get("/host")
    assert (door.status_code, "The host's key" in door.text) == (200, True)
    guest = Device(client)
    for cookie in (None, "", key, "x" * 22, guest.csrf(), guest.cookies["yegg"]):
        if cookie is not None:
            guest.cookies[COOKIE] = cookie
        for press in PRESSES:
            assert guest.post(f"/host/{press}", table=ann.key).status_code == 404, press
        page = guest.get("/host")
        assert not any(word in page.text for word in there)
        assert "The host's key" in page.text
    assert ann.table["closed"] is None


def test_every_press_needs_the_page_s_own_mark(client, settings, party):
    ann, _ = party(SS, 2)
    ruling = come_in(client, key_of(settings.db))
    posts = {r.path for r in client.app.routes if r.path.startswith("/host/")}
    assert posts == {f"/host/{press}" for press in (*PRESSES, "enter")}
    for form in ({}, {"csrf": ""}, {"csrf": Device(client).csrf()}):
        for path in posts:
            answer = ruling.ask("POST", path, data={**form, "table": ann.key})
            assert answer.status_code == 403, path
    assert ann.table["closed"] is None


def test_the_key_is_kept_as_a_digest_and_goes_to_the_host_s_page_alone(client, settings):
    key = key_of(settings.db)
    device = Device(client)
    answer = device.post("/host/enter", key=f" {key} ")
    (cookie,) = [c for c in answer.headers.get_list("set-cookie") if c.startswith(COOKIE)]
    for part in ("HttpOnly", "Path=/host", "SameSite=strict"):
        assert part.lower() in cookie.lower(), cookie
    assert "secure" not in cookie.lower()
    assert key not in answer.headers["location"]
    disk = sqlite3.connect(settings.db.removeprefix("sqlite:///"))
    assert key not in "\n".join(disk.iterdump())
    disk.close()


def test_over_https_the_cookie_is_for_https_only(tmp_path):
    settings = settings_for(tmp_path, secure=True)
    with opened(settings) as client:
        answer = Device(client).post("/host/enter", key=key_of(settings.db))
    (cookie,) = [c for c in answer.headers.get_list("set-cookie") if c.startswith(COOKIE)]
    assert "secure" in cookie.lower()


def test_wrong_keys_are_refused_and_soon_not_even_looked_at(client, settings, monkeypatch):
    key, device = key_of(settings.db), Device(client)
    limits = client.app.state.limits
    monkeypatch.setattr(limits, "on", True)
    said = device.sent("/host/enter", key="x" * 22)
    assert (said.status_code, "This is not the key" in said.text) == (403, True)
    for _ in range(int(limits.guessing.burst) - 1):
        device.post("/host/enter", key="é\0")
    late = device.sent("/host/enter", key=key)
    assert "too much at once" in late.text.lower()
    assert COOKIE not in device.cookies


def test_another_key_ends_the_one_before_also_after_a_restart(client, settings, ruling, restarted):
    assert "Tables in play" in ruling.get("/host").text
    ruling.client = restarted()
    assert "Tables in play" in ruling.get("/host").text
    key_of(settings.db)
    assert "Tables in play" not in ruling.get("/host").text
    assert house_says(settings.db, "host-key", "--end") == "there is no key any more\n"
    assert ruling.get("/host").status_code == 404


def test_a_browser_forgets_the_key(ruling):
    assert ruling.post("/host/leave").status_code == 303
    assert COOKIE not in ruling.cookies
    assert "Tables in play" not in ruling.get("/host").text


# What the page shows


def test_the_page_shows_who_plays_and_nothing_that_is_hidden(ruling, somebody):
    ann = somebody().open("secrets", ["me", "open", "open"], you="Ann & Co")
    ben = somebody()
    somebody().open("magnate", ["open", "uniform"])
    ben.join(ann.key, you="Ben")
    somebody().join(ann.key, you="Cid")
    page = ruling.get("/host").text
    for shown in ("Secrets at", "Ann &amp; Co", "Ben", f'href="/t/{ann.key}"', "uniform", "to act"):
        assert shown in page
    before = page
    while (table := ben.table)["choices"]:
        ben.choose(table["choices"][0]["text"], table["number"])
    after = ruling.get("/host").text
    assert before.count("to act") == after.count("to act") + 1, "as all see, Ben is ready"
    for person in (ann, ben):
        assert person.token not in after


@pytest.mark.parametrize(
    ("watch", "told"),
    [("link 0", 1), ("lobby 60", 0), ("link over", 0), ("nobody 0", 0)],
)
def test_who_is_to_act_is_told_only_where_all_who_watch_see_it_at_once(ruling, party, watch, told):
    who, later = watch.split()
    party(SS, 2, watch={"who": who, "later": None if later == "over" else int(later)})
    assert ruling.get("/host").text.count("to act") == told


@pytest.mark.parametrize(
    ("watch", "told"), [("link 0", True), ("lobby 60", False), ("nobody 0", False)]
)
def test_news_of_a_table_that_is_told_later_moves_nothing_on_the_page(
    ruling, party, somebody, monkeypatch, watch, told
):
    who, later = watch.split()
    people = party(SS, 2, watch={"who": who, "later": int(later)})
    somebody(5).open(SS, ["me", "open"])
    hours = ruling.client.app.state.registry.store.hours
    opened_at, page = hours.now(), ruling.get("/host").text
    for minutes in (10, 20):
        monkeypatch.setattr(hours, "now", lambda n=minutes: opened_at + n * 60_000)
        assert people[0].act() or people[1].act()
    monkeypatch.setattr(hours, "now", lambda: opened_at)
    after = ruling.get("/host").text
    order = [text.index(people[0].key) < text.index("free") for text in (page, after)]
    assert order == [False, told], "newer news come first only where they are told"
    assert (after == page) == (not told)
    if not told:
        assert f"; told {LATER[int(later)]}" in page or "; only those who play see it" in page


def test_a_bot_in_place_of_somebody_is_told_only_where_all_see_it_at_once(ruling, party):
    for who, told in (("link", True), ("nobody", False)):
        ann, _ = party(SS, 2, watch={"who": who, "later": 0})
        assert ann.do("hand", bot="uniform").status_code == 200
        row = ruling.get("/host").text.partition(ann.key)[2].partition("</ul>")[0]
        assert ("uniform" in row) == told


# What each press does


def test_to_close_a_table_ends_it_without_a_result(ruling, party, capfd):
    ann, ben = party(SS, 2)
    assert ann.act() or ben.act()
    record = ann.record
    said = pressed(ruling, "close", table=ann.key)
    assert said == "The table is closed, and all who look at it are told."
    for person in ann, ben:
        assert person.table["closed"] == "The host has closed this table."
    assert (ann.table["over"], ann.choose("thorough", 9).status_code) == (False, 410)
    assert ann.record == record, "what was played stays"
    assert ann.get("/you/export").json()["games"] == []
    assert "over or closed already" in pressed(ruling, "close", table=ann.key)
    assert "no such table" in pressed(ruling, "close", table="x" * 22)
    log = capfd.readouterr().out
    assert any(form in log for form in ("'did': 'close'", "did=close", '"did": "close"'))
    assert ann.key not in log


def test_to_rename_somebody_changes_the_name_at_tables_in_play_only(ruling, somebody):
    ann = somebody().open(SS, ["me", "open"], you="Ann")
    rude = somebody(1)
    rude.join(ann.key, you="Rude Word")
    over = rude.at(Player(rude.client, rude.token).open("magnate", you="Rude Word").key)
    end = somebody(2)
    end.join(over.key, you="Eve")
    finish([over, end])
    assert pressed(ruling, "rename", person=ids(ruling)["Rude Word"], you=" Guest ").startswith(
        "The name is changed"
    )
    assert rude.at(ann.key).name == "Guest"
    assert ann.notices[-1] == ("renamed", "The host has renamed seat 2: Guest.")
    assert over.name == "Rude Word"
    assert "Rude Word" in over.record
    again = pressed(ruling, "rename", person=ids(ruling)["Guest"], you="Guest")
    assert "no table in play" in again
    assert "commas" in pressed(ruling, "rename", person=ids(ruling)["Guest"], you="a,b")
    assert pressed(ruling, "rename", person=ids(ruling)["Guest"], you="Ann").startswith("The name")
    assert rude.at(ann.key).name == "Ann (2)", "no two at a table look alike"


def test_whom_the_host_mutes_nobody_hears_and_they_are_told(ruling, party, restarted):
    ann, ben = party(SS, 2, you="Ann")
    ben.do("name", you="Ben")
    who = ids(ruling)["Ben"]
    assert pressed(ruling, "mute", person=who).startswith("Nobody hears")
    refused(ben.do("phrases", phrase=1), 403, "the host has muted you")
    refused(ben.do("phrases", phrase=9), 403, "the host has muted you")
    assert ann.do("phrases", phrase=1).status_code == 200
    assert "The host has muted you" in ben.page()
    assert "The host has muted you" not in ann.page()
    assert ben.act() or ann.act(), "they play on"
    restarted(ann, ben)
    refused(ben.do("phrases", phrase=1), 403, "the host has muted you")
    ruling.client = ben.client
    assert pressed(ruling, "unmute", person=who) == "They can be heard again."
    assert ben.do("phrases", phrase=1).status_code == 200
    assert "not muted" in pressed(ruling, "unmute", person=who)


def test_whoever_is_muted_is_not_heard_through_another_process_either():
    guests = BlockList(blocks={"ann": {"ben"}}, muted=frozenset({"cid"}))
    heard = {(a, b) for a in ("ann", "ben", "cid", None) for b in ["ann", "ben", "cid"]}
    heard -= {pair for pair in heard if guests.deaf(*pair)}
    assert {speaker for _, speaker in heard} == {"ann", "ben"}
    assert ("ann", "ben") not in heard
    assert not guests.apart("ann", "cid"), "they may sit together"


def test_whom_the_host_blocks_can_only_look_on_and_is_told(ruling, party, settings):
    ann, ben = party(SS, 2, you="Ann")
    ben.do("name", you="Ben")
    who = ids(ruling)["Ben"]
    assert pressed(ruling, "block", person=who).startswith("They can only look on")
    refused(ben.choose(1, ben.table["number"]), 403, "the host does not let you play here")
    assert "The host does not let you play here; you can look on." in ben.page()
    assert "play here" not in ann.page()
    listed = house_says(settings.db, "blocked")
    assert re.search(r"Ben +20\d\d-\d\d-\d\d", listed)
    assert who not in listed
    assert pressed(ruling, "unblock", who=who) == "They can play here again."
    assert ben.act() or ann.act()
    assert house_says(settings.db, "blocked") == "nobody is blocked\n"


def test_a_name_is_kept_from_when_somebody_was_blocked_and_leaves_with_them(
    ruling, party, settings
):
    ann, ben = party(SS, 2, you="Ann")
    ben.do("name", you="Ben")
    who = ids(ruling)["Ben"]
    assert pressed(ruling, "block", person=who)
    assert pressed(ruling, "rename", person=who, you="Zoe")
    assert "Ben" in house_says(settings.db, "blocked")
    house_says(settings.db, "forget", f"{ann.key}:2")
    listed = house_says(settings.db, "blocked")
    assert "Ben" not in listed
    assert "Somebody" in listed
    house_says(settings.db, "unblock", "Somebody")
    assert house_says(settings.db, "blocked") == "nobody is blocked\n"


def test_what_no_button_sends_does_nothing(ruling, party):
    party(SS, 2)
    for what, fields in (
        ("mute", {"person": "0" * 64}),
        ("block", {"person": "0" * 64}),
        ("block", {"person": "127.0.0.0/8"}),
        ("mute", {}),
        ("rename", {"person": "x", "you": "Zoe"}),
        ("unblock", {"who": "x\0y"}),
        ("close", {"table": "../../x"}),
    ):
        said = pressed(ruling, what, **fields)
        assert not said.startswith(routes.DONE[what][:9].capitalize()), (what, fields)
    assert "Blocked and muted" not in ruling.get("/host").text


# Of several processes


@pytest.mark.wide
def test_what_the_host_does_at_one_process_all_of_them_mind(shared, tmp_path):
    with together(2, tmp_path, db=shared) as two:
        ann, ben, cid = (Player(two[1].client, seed=n) for n in range(3))
        ann.open("secrets", ["me", "open", "open"], you="Ann")
        for person, name in ((ben, "Ben"), (cid, "Cid")):
            assert person.join(ann.key, you=name).status_code == 200
        ruling = come_in(two[0].client, key_of(shared))
        people = ids(ruling)
        pressed(ruling, "rename", person=people["Ben"], you="Zoe")
        until(lambda: ben.name == "Zoe")
        pressed(ruling, "mute", person=people["Ben"])
        until(lambda: ben.do("phrases", phrase=1).status_code == 403)
        pressed(ruling, "block", person=people["Cid"])
        until(lambda: cid.do("phrases", phrase=1).status_code == 403)
        pressed(ruling, "close", table=ann.key)
        until(lambda: ann.table["closed"] == "The host has closed this table.")
        two[1].kill()
        two[1].start()
        refused(ben.do("phrases", phrase=1), 403, "muted")
        assert cid.do("leave").status_code == 403
        ruling.client = two[1].client
        assert "Blocked and muted" in ruling.get("/host").text
        pressed(ruling, "unblock", who=people["Cid"])
        assert "Cid" not in house_says(shared, "blocked")
