"""Being told by letters, from end to end, by a real local mail server."""

import re
import time
from dataclasses import replace
from functools import partial

import pytest
import sqlalchemy as sa

from yegg.table.notifications.contacts import awaited as awaited_by
from yegg.table.storage.schema import contacts as kept

from .devices import Device
from .house import HOUR, HOUSE, MINUTE, act, awaited, bills_turn, confirmed, gone, text_of
from .serving import free_port

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")


def test_a_letter_after_two_minutes_and_only_one(house, ann, post):
    confirmed(ann, post)
    key, _, table = awaited(ann, house)
    gone(table)
    house.wait(1)
    assert not post.raw
    house.wait(2)
    (letter,) = post.letters
    assert letter["To"] == "ann@home.example"
    assert letter["From"] == "yegg <table@house.example>"
    assert letter["Subject"] == f"Your turn: Magnate at {table.name}"
    assert f"{HOUSE}t/{key}" in text_of(letter)
    assert f'href="{HOUSE}t/{key}"' in letter.get_body(("html",)).get_content()
    for _ in range(5):
        house.wait(60)
    assert len(post.raw) == 1


@pytest.mark.wide
def test_nothing_is_noted_for_ever_of_tables_that_nobody_uses_any_more(house, ann, post):
    confirmed(ann, post)
    seen = []
    for _ in range(3):
        key, _, table = awaited(ann, house)
        ann.get(f"/t/{key}")
        house.wait(0)
        seen.append(table.id)
        assert {game for _, game in house.notifier.noted} == set(seen[-1:])
        house.registry.forget(table)


@pytest.mark.wide
def test_who_looks_is_not_told_and_who_left_before_is(house, ann, post):
    confirmed(ann, post)
    key, _, table = awaited(ann, house)
    house.wait(0)
    ann.get(f"/t/{key}")
    for _ in range(3):
        house.wait(30)
    assert not post.raw
    while table.now.waited_for() == [0]:
        act(ann, key)
    person = table.now.seats[0].person
    while table.now.waited_for() != [0]:
        bills_turn(house, table)
    house.later = 0  # the turn has just come, and Ann left a moment before it
    table.presence.met[person] = time.monotonic() - 1 - house.since(table) / 1000
    house.later = 3 * MINUTE
    table.presence.met[person] -= 3 * 60
    house.wait(0)
    assert len(post.raw) == 1


def test_a_restart_repeats_nothing_and_forgets_nothing(house, opens, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    assert len(post.raw) == 1
    again = opens()
    again.wait(30)
    again.wait(600)
    assert len(post.raw) == 1


def test_what_could_not_go_out_goes_out_after_a_restart(house, opens, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    port, house.notifier.how = (
        post.port,
        replace(house.notifier.how, mail=replace(house.notifier.how.mail, port=free_port())),
    )
    house.wait(3)
    assert not post.raw
    again = opens()
    assert again.notifier.how.mail.port == port
    again.wait(3)
    assert not post.raw, "it is not tried every ten seconds"
    again.wait(6)
    assert len(post.raw) == 1
    again.wait(600)
    assert len(post.raw) == 1


def test_two_who_look_at_the_same_moment_send_one_letter(house, opens, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    now = house.notifier.now()
    found = house.call(house.notifier.store.query, partial(awaited_by, closed=(), now=now))
    house.later = 3 * MINUTE
    ((contact, turns),) = found
    house.call(house.notifier.one, contact, turns)
    house.call(house.notifier.one, contact, turns)
    assert len(post.raw) == 1


@pytest.mark.wide
def test_a_turn_that_is_over_before_the_letter_is_sent_is_not_told(house, ann, post):
    confirmed(ann, post)
    key, _, table = awaited(ann, house)
    gone(table)
    right, house.notifier.how = (
        house.notifier.how,
        replace(house.notifier.how, mail=replace(house.notifier.how.mail, port=free_port())),
    )
    house.wait(3)
    while table.now.waited_for() == [0]:
        act(ann, key)
    house.notifier.how = right
    house.wait(10)
    assert not post.raw


@pytest.mark.wide
def test_one_letter_for_many_tables(house, ann, post):
    confirmed(ann, post)
    tables = [awaited(ann, house)[2] for _ in range(3)]
    for table in tables:
        gone(table)
    house.wait(3)
    (letter,) = post.letters
    assert letter["Subject"] == "Three tables wait for you"
    assert all(table.name in text_of(letter) for table in tables)


def test_one_click_ends_it_without_cookies(house, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    (letter,) = post.letters
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = letter["List-Unsubscribe"].strip("<>").removeprefix("https://house.example")
    stranger = Device(house.client)
    looked = stranger.get(path)
    assert "Yes, stop them" in looked.text
    assert "set-cookie" not in looked.headers
    assert "<small>ann@home.example" in ann.get("/me").text, "looking ends nothing"
    click = {"List-Unsubscribe": "One-Click"}
    assert house.client.post(path, data=click).status_code == 200
    assert "<small>ann@home.example" not in ann.get("/me").text
    assert house.client.post(path, data=click).status_code == 200
    for forged in (
        path[:-1],
        path[:-1] + ("0" if path[-1] != "0" else "1"),
        "/stop/2.x",
        "/stop/é",
    ):
        assert house.client.post(forged).status_code == 404


def test_nothing_is_sent_to_an_address_that_was_not_confirmed(house, ann, post):
    ann.post("/me/mail", address="ann@home.example")
    link = re.search(r"https://house\.example(/me/mail/\S+)", text_of(post.letters[0]))[1]
    assert ann.get(link).status_code == 200, "a mail program may open the link"
    post.raw.clear()
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    assert not post.raw
    forged = f"{link[:-1]}{'0' if link[-1] != '0' else '1'}"
    assert ann.post(forged).status_code == 404
    house.later += 3 * 24 * HOUR
    assert ann.post(link).status_code == 404, "it is too late"


NO_ADDRESSES = [
    "ann@home.example\r\nBcc: all@home.example",
    "ann@home.example\nSubject: x",
    "ann@home.example, bill@home.example",
    "ann@home.example>",
    "<ann@home.example>",
    "ann",
    "ann@",
    "@home.example",
    "ann@home",
    "a" * 65 + "@home.example",
    "ann@" + "a" * 64 + ".example",
    "ann@home..example",
    ".ann@home.example",
    "änn@home.example",
    "ann@home.example\0",
    '"ann b"@home.example',
    "ann@[127.0.0.1]",
    "",
]


@pytest.mark.wide
def test_what_is_no_address_gets_no_letter(ann, post):
    for address in NO_ADDRESSES:
        assert ann.post("/me/mail", address=address).status_code == 422, address
    assert not post.raw


@pytest.mark.wide
def test_names_from_strangers_cannot_forge_headers(house, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    table.name = "Quay\r\nBcc: all@home.example\r\n\r\nhello"
    gone(table)
    house.wait(3)
    (letter,) = post.letters
    assert "Bcc" not in letter
    assert post.rcpt[-1] == ["ann@home.example"]
    assert "\n" not in letter["Subject"]


def test_an_address_that_is_refused_is_written_to_no_more(house, ann, post):
    confirmed(ann, post)
    with house.registry.store.engine.begin() as connection:
        connection.execute(sa.update(kept).values(address="nobody@home.example"))
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    assert "letters are refused: no such mailbox" in ann.get("/me").text


@pytest.mark.wide
def test_a_digest_comes_at_its_hour(house, ann, post):
    confirmed(ann, post)
    number = re.search(r'name="contact" value="(\d+)"', ann.get("/me").text)[1]
    assert ann.post("/me/rhythm", contact=number, hours="25", zone="UTC").status_code == 422
    assert ann.post("/me/rhythm", contact=number, hours="8", zone="Mars/One").status_code == 422
    assert ann.post("/me/rhythm", contact=number, hours="8, 18", zone="UTC").status_code == 303
    other = Device(house.client)
    assert other.post("/me/rhythm", contact=number, hours="", zone="UTC").status_code == 404
    assert other.post("/me/stop", contact=number).status_code == 404
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(0)
    first = len(post.raw)  # an hour of today or yesterday may have struck: nobody was told before
    day = 24 * HOUR
    house.later += day - (house.notifier.now() % day) + 7 * HOUR
    house.wait(0)
    assert len(post.raw) == first
    house.wait(61)
    assert len(post.raw) == 1


def test_recovery_by_a_confirmed_address(house, ann, post):
    confirmed(ann, post)
    key = ann.open()
    new = Device(house.client)
    assert "I have lost my devices" in ann.get("/me").text
    said = [new.sent("/me/lost", address=a).text for a in ("ann@home.example", "bill@home.example")]
    assert said[0].replace("ann@", "") == said[1].replace("bill@", ""), "nobody learns who is here"
    while house.notifier.errands:
        pass
    (letter,) = post.letters
    assert letter["To"] == "ann@home.example"
    link = re.search(r"https://house\.example(/me/take\?code=\S+)", text_of(letter))[1]
    assert new.get(link).status_code == 200
    assert new.post("/me/take", code=link.partition("=")[2]).status_code == 303
    assert new.seat(key) == 1


@pytest.mark.wide
def test_letters_that_anybody_asks_for_are_few(house, ann, post):
    house.client.app.state.limits.on = True
    said = [ann.post("/me/mail", address="victim@home.example").status_code for _ in range(6)]
    assert said == [303] * 4 + [429] * 2


# What is not set up is not offered --------------------------------------------------------


def test_without_configuration_nothing_is_offered(client):
    ann = Device(client)
    page = ann.get("/me").text
    assert "How you are told" not in page
    assert "lost my devices" not in page
    for path in ("/me/mail", "/me/hook", "/me/rhythm", "/me/stop", "/me/lost"):
        assert ann.post(path, address="ann@home.example").status_code == 404
    assert ann.get("/me/lost").status_code == 404


def test_what_was_told_holds_nothing_secret(house, ann, post, outside):
    """Cards that only one seat sees stay out of letters, notes and webhooks."""
    confirmed(ann, post)
    ann.post("/me/hook", url=f"{outside.base}/hook")
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    public = {heard.text for heard in table.shown.heard(-1)}
    private = {heard.text for heard in table.shown.heard(1)} - public
    words = text_of(post.letters[0]) + outside.got[-1][2].decode()
    assert private, "the friend has drawn cards that Ann does not see"
    assert not [said for said in private if said in words]
