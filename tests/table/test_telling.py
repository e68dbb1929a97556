"""Being told, from end to end: letters, notes for browsers, webhooks, by real local servers."""

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import replace
from functools import partial

import pytest
import sqlalchemy as sa
from litestar.testing import TestClient

from yegg.table.app import application
from yegg.table.devices.codes import now as clock
from yegg.table.settings import Mail, Telling
from yegg.table.storage.people import contacts as kept
from yegg.table.telling import push
from yegg.table.telling.waiting import awaited as awaited_by

from .devices import Device
from .receivers import Postbox, free_port, web

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")

MINUTE, HOUR = 60_000, 3_600_000
HOUSE = "https://house.example/"


@pytest.fixture
def post():
    with Postbox().open() as box:
        yield box


@pytest.fixture
def outside():
    with web() as server:
        yield server


@pytest.fixture
def how(post, outside):
    mail = Mail("127.0.0.1", post.port, "table@house.example", "none")
    inside = (f"127.0.0.1:{outside.server_port}",)
    return Telling(HOUSE, mail, push=True, hooks=True, inside=inside)


class House:
    """A server whose teller looks only when it is told to, at the time that it is told."""

    def __init__(self, client):
        self.client, self.later = client, 0
        self.teller = client.app.state.teller
        self.teller.now = lambda: clock() + self.later
        self.registry = client.app.state.registry

    def wait(self, minutes=0):
        """Let time go by, and the teller look."""
        self.later += int(minutes * MINUTE)
        with self.client.portal() as portal:
            portal.call(self.teller.round)

    def since(self, table):
        """For how long it has been the first seat's turn, in ms."""
        return self.teller.now() - table.now.waits[0][1]

    def call(self, what, *given):
        with self.client.portal() as portal:
            return portal.call(what, *given)


@pytest.fixture
def opened(settings, how):
    """Open the server; again, with the same database."""
    clients = []

    def make(how=how):
        app = application(replace(settings, telling=how))
        client = TestClient(app, base_url="http://testserver.local")
        clients.append(client)
        return House(client.__enter__())

    yield make
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
def house(opened):
    return opened()


@pytest.fixture
def ann(house):
    return Device(house.client)


def confirmed(person, post, address="ann@home.example"):
    """Set up a mail address, and press the button that the letter leads to."""
    answer = person.post("/me/mail", address=address)
    assert answer.status_code == 303, answer.text
    link = re.search(r"https://house\.example(/me/mail/\S+)", text_of(post.letters[-1]))[1]
    assert address in person.get(link).text
    assert "It is confirmed" in person.post(link).text
    post.raw.clear()


def text_of(letter):
    return letter.get_body(("plain",)).get_content()


def awaited(person, house):
    """A table with a friend at which it is the person's turn, and which nobody looks at."""
    key = person.open("magnate", seat1="me", seat2="open")
    friend = Device(house.client, name="Bill")
    assert friend.post(f"/t/{key}/join", you="Bill", seat="2").status_code == 303
    table = house.registry.tables[key]
    people = [person, friend]
    while True:
        (seat,) = table.now.waited_for()
        if seat == 0 and friend.get(f"/api/games/{key}").status_code == 200:
            break
        act(people[seat], key)
    return key, friend, table


def act(person, key):
    """Make any choice, by a plain form."""
    there = person.get(f"/api/games/{key}").json()
    answer = person.post(
        f"/t/{key}/choose", choice=there["choices"][-1]["text"], after=there["number"]
    )
    assert answer.status_code == 303, answer.text


def gone(table):
    """Everybody has gone before the turn came."""
    table.presence.met.clear()


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


def bills_turn(house, table):
    """Bill makes a choice."""
    choice = table.now.acting()[1].match.choices[-1]
    house.call(table.choose, 1, choice, table.now.seen[1])


def test_a_restart_repeats_nothing_and_forgets_nothing(house, opened, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    assert len(post.raw) == 1
    again = opened()
    again.wait(30)
    again.wait(600)
    assert len(post.raw) == 1


def test_what_could_not_go_out_goes_out_after_a_restart(house, opened, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    port, house.teller.how = (
        post.port,
        replace(house.teller.how, mail=replace(house.teller.how.mail, port=free_port())),
    )
    house.wait(3)
    assert not post.raw
    again = opened()
    assert again.teller.how.mail.port == port
    again.wait(3)
    assert not post.raw, "it is not tried every ten seconds"
    again.wait(6)
    assert len(post.raw) == 1
    again.wait(600)
    assert len(post.raw) == 1


def test_two_who_look_at_the_same_moment_send_one_letter(house, opened, ann, post):
    confirmed(ann, post)
    _, _, table = awaited(ann, house)
    gone(table)
    found = house.call(house.teller.read, partial(awaited_by, closed=()))
    house.later = 3 * MINUTE
    ((contact, turns),) = found
    house.call(house.teller.one, contact, turns)
    house.call(house.teller.one, contact, turns)
    assert len(post.raw) == 1


def test_a_turn_that_is_over_before_the_letter_is_sent_is_not_told(house, ann, post):
    confirmed(ann, post)
    key, _, table = awaited(ann, house)
    gone(table)
    right, house.teller.how = (
        house.teller.how,
        replace(house.teller.how, mail=replace(house.teller.how.mail, port=free_port())),
    )
    house.wait(3)
    while table.now.waited_for() == [0]:
        act(ann, key)
    house.teller.how = right
    house.wait(10)
    assert not post.raw


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
    assert "ann@home.example" in ann.get("/me").text, "looking ends nothing"
    click = {"List-Unsubscribe": "One-Click"}
    assert house.client.post(path, data=click).status_code == 200
    assert "ann@home.example" not in ann.get("/me").text
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


def test_what_is_no_address_gets_no_letter(ann, post):
    for address in NO_ADDRESSES:
        assert ann.post("/me/mail", address=address).status_code == 422, address
    assert not post.raw


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
    house.later += day - (house.teller.now() % day) + 7 * HOUR
    house.wait(0)
    assert len(post.raw) == first
    house.wait(61)
    assert len(post.raw) == 1


def test_recovery_by_a_confirmed_address(house, ann, post):
    confirmed(ann, post)
    key = ann.open()
    new = Device(house.client)
    assert "I have lost my devices" in ann.get("/me").text
    said = [new.post("/me/lost", address=a).text for a in ("ann@home.example", "bill@home.example")]
    assert said[0].replace("ann@", "") == said[1].replace("bill@", ""), "nobody learns who is here"
    while house.teller.errands:
        pass
    (letter,) = post.letters
    assert letter["To"] == "ann@home.example"
    link = re.search(r"https://house\.example(/me/take\?code=\S+)", text_of(letter))[1]
    assert new.get(link).status_code == 200
    assert new.post("/me/take", code=link.partition("=")[2]).status_code == 303
    assert new.seat(key) == 1


def test_letters_that_anybody_asks_for_are_few(house, ann, post):
    house.client.app.state.limits.on = True
    said = [ann.post("/me/mail", address="victim@home.example").status_code for _ in range(6)]
    assert said == [303] * 4 + [429] * 2


# Web Push ---------------------------------------------------------------------------------


class Browser:
    """A browser that was subscribed: its keys, and where it is told."""

    def __init__(self, endpoint):
        from cryptography.hazmat.primitives.asymmetric import ec

        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.said = {
            "endpoint": endpoint,
            "p256dh": push.public(self.key),
            "auth": push.text(self.auth),
        }

    def opened(self, body):
        import http_ece

        raw = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return json.loads(raw)


def subscribe(person, said):
    return person.ask("POST", "/me/push", json=said, headers={"X-CSRF-Token": person.csrf()})


def checked(header, public):
    """The claims of a ``vapid t=…,k=…`` header; raises if that key has not signed them."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    said = dict(item.strip().split("=", 1) for item in header.removeprefix("vapid ").split(","))
    assert said["k"] == push.public(public)
    head, claims, mark = said["t"].split(".")
    r, s = (int.from_bytes(part) for part in (push.raw(mark)[:32], push.raw(mark)[32:]))
    signed = f"{head}.{claims}".encode()
    public.public_key().verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    return json.loads(push.raw(claims))


def test_a_browser_is_told_and_only_it_can_read_it(house, ann, outside):
    browser = Browser(f"{outside.base}/one")
    assert subscribe(ann, browser.said).status_code == 200
    key, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    ((path, head, body),) = outside.got
    assert path == "/one"
    note = browser.opened(body)
    assert note["title"] == f"Your turn: Magnate at {table.name}"
    assert note["link"] == f"t/{key}"
    assert table.name.encode() not in body
    assert (head["content-encoding"], head["ttl"], head["topic"]) == (
        "aes128gcm",
        "172800",
        "turns",
    )
    claims = checked(head["authorization"], house.teller.push_key)
    assert claims["aud"] == outside.base
    assert claims["sub"] == "mailto:table@house.example"
    assert 0 < claims["exp"] - clock() / 1000 <= 86_400
    house.wait(600)
    assert len(outside.got) == 1


def test_a_browser_that_is_gone_is_forgotten_and_a_busy_service_asked_again(house, ann, outside):
    for path in ("/gone", "/busy"):
        assert subscribe(ann, Browser(outside.base + path).said).status_code == 200
    _, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    asked = [path for path, *_ in outside.got]
    assert sorted(asked) == ["/busy", "/gone"]
    outside.answers["/busy"] = 201
    for _ in range(30):
        house.wait(10)
    assert [path for path, *_ in outside.got] == [*asked, "/busy"]


NO_BROWSERS = [
    {"endpoint": "https://127.0.0.1:9/x"},
    {"endpoint": "http://push.example/x"},
    {"endpoint": "file:///etc/passwd"},
    {"p256dh": "AAAA"},
    {"p256dh": "B" + "A" * 86},
    {"p256dh": "…"},
    {"auth": "AAAA"},
    {"auth": ""},
    {"endpoint": "https://push.example/" + "x" * 1000},
]


def test_what_is_no_browser_is_refused(ann, outside):
    good = Browser(f"{outside.base}/one").said
    for wrong in NO_BROWSERS:
        assert subscribe(ann, {**good, **wrong}).status_code in (400, 422), wrong


def test_a_forged_page_subscribes_nobody(ann, outside):
    said = Browser(f"{outside.base}/one").said
    ann.get("/me")
    assert ann.ask("POST", "/me/push", json=said).status_code == 403


def test_the_sealing_is_that_of_rfc_8291():
    """The RFC's own example, opened: keys and body from its appendix."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    private = int.from_bytes(push.raw("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
    body = push.raw(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    opened = http_ece.decrypt(
        body,
        private_key=ec.derive_private_key(private, ec.SECP256R1()),
        auth_secret=push.raw("BTBZMqHH6r4Tts7J_aSIgg"),
        version="aes128gcm",
    )
    assert opened == b"When I grow up, I want to be a watermelon"


# Webhooks ---------------------------------------------------------------------------------


def test_a_webhook_is_greeted_then_told_and_signed(house, ann, outside):
    assert ann.post("/me/hook", url=f"{outside.base}/hook").status_code == 303
    key, _, table = awaited(ann, house)
    gone(table)
    house.wait(3)
    (_, first, hello), (path, head, body) = outside.got
    assert json.loads(hello)["type"] == "hello"
    said = json.loads(body)
    assert path == "/hook"
    assert said["type"] == "turns"
    (turn,) = said["turns"]
    assert (turn["game"], turn["seat"], turn["name"]) == ("magnate", 1, "Ann")
    assert turn["link"] == f"{HOUSE}t/{key}"
    secret = re.search(r"whsec_[\w+/=]+", ann.get("/me").text)[0]
    for heads, raw in ((first, hello), (head, body)):
        mark = f"{heads['webhook-id']}.{heads['webhook-timestamp']}.".encode() + raw
        want = hmac.new(base64.b64decode(secret[6:]), mark, hashlib.sha256).digest()
        assert heads["webhook-signature"] == f"v1,{base64.b64encode(want).decode()}"


def test_an_address_that_does_not_greet_back_is_not_kept(ann, outside):
    for n, path in enumerate(("/broken", "/away", "/gone"), 1):
        assert ann.post("/me/hook", url=outside.base + path).status_code == 422
        assert len(outside.got) == n, "no detour is followed"
    assert "whsec" not in ann.get("/me").text


def test_nothing_inside_is_asked_for_a_stranger(ann, outside):
    for url in ("http://127.0.0.1:1/", "https://localhost/", "https://[::1]/", "x"):
        assert ann.post("/me/hook", url=url).status_code == 422, url
    assert not outside.got


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
    public = {heard.text for heard in table.heard(-1)}
    private = {heard.text for heard in table.heard(1)} - public
    words = text_of(post.letters[0]) + outside.got[-1][2].decode()
    assert private, "the friend has drawn cards that Ann does not see"
    assert not [said for said in private if said in words]
