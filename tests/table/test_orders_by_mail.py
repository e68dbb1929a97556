"""Orders by letter: handed over by LMTP as a mail server does, read, and answered."""

import re
import smtplib
import threading
from email.message import EmailMessage

import pytest

from yegg.table.accounts.tokens import Signer
from yegg.table.letters import addresses, incoming_mail
from yegg.table.letters.addresses import REPLY
from yegg.table.letters.inbox import Inbox

from .devices import Device
from .house import confirmed, gone, text_of
from .receivers import deliver

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")

ORDERS = """Club steals secret 2 from Bill, Diamond takes Charles 9,
Heart goes to Bill 5 - and Spade steals 1 from Charles.

I guard 7

On Sunday the house wrote:
> Club steals secret 9 from Charles.
--\x20
Ann, sent from a phone
"""


@pytest.fixture
def house(with_letters):
    return with_letters


@pytest.fixture
def ann(house):
    return Device(house.client)


@pytest.fixture
def table(house, ann, post):
    """A table of Secrets that waits for Ann, who was told; the others have no orders in yet."""
    confirmed(ann, post)
    key = ann.open("secrets", seat1="me", seat2="open", seat3="open")
    house.friends = [Device(house.client, name=name) for name in ("Bill", "Charles")]
    for seat, friend in enumerate(house.friends, 2):
        assert (
            friend.post(
                f"/t/{key}/join", you=friend.cookies["yegg-name"], seat=str(seat)
            ).status_code
            == 303
        )
    table = house.registry.tables[key]
    gone(table)
    house.wait(3)
    return table


@pytest.mark.wide
def test_processes_of_a_house_take_letters_at_one_port(house, opens):
    opens(house.client.app.state.settings.telling)
    assert deliver(house.port, "orders+0.0.0@house.example", b"From: a@b.example\n\n") == {}


def answer(house, post, text=ORDERS, to=None, sender="Ann <Ann@home.example>", back="a@b", **heads):
    """Answer the last letter that came; what came back.  ``back``: the sender on its envelope."""
    to = to or post.letters[-1]["Reply-To"]
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Message-ID"] = sender, to, heads.pop("name", "<1@home>")
    for name, value in heads.items():
        letter[name.replace("_", "-")] = value
    letter.set_content(text)
    before = len(post.raw)
    assert deliver(house.port, to.upper(), letter.as_bytes(), back) == {}
    return [text_of(one) for one in post.letters[before:]]


def refused(code, house, post, **more):
    """Answer a letter that is not taken; what the mail server is told."""
    with pytest.raises(smtplib.SMTPDataError) as error:
        answer(house, post, **more)
    assert error.value.smtp_code == code
    return error.value.smtp_error.decode()


@pytest.mark.wide
def test_the_letter_shows_the_position_and_takes_an_answer(table, post):
    (letter,) = post.letters
    assert re.fullmatch(r"orders\+[0-9a-f.]+@house\.example", letter["Reply-To"])
    assert len(letter["Reply-To"].partition("@")[0]) <= 64
    text = text_of(letter)
    assert "answer this letter with your orders" in text
    assert "Bill" in text


def test_orders_are_taken_and_repeated(house, table, post):
    (said,) = answer(house, post)
    assert "This is what was understood" in said
    assert "Ann's Club goes for Bill's secret 2." in said
    assert len(table.now.orders[0]) == 5
    assert table.now.ready() == (0,)
    receipt = post.letters[-1]
    assert receipt["Reply-To"] == post.letters[0]["Reply-To"], "so that it can be answered, too"
    assert receipt["In-Reply-To"] == "<1@home>"
    assert receipt["Auto-Submitted"] == "auto-replied"
    assert receipt["To"] == "ann@home.example"


LURE = "www.win.example/free"


@pytest.mark.wide
def test_nothing_that_somebody_is_called_becomes_a_link_in_letters(house, ann, post):
    confirmed(ann, post)
    key = ann.open("secrets", seat1="me", seat2="open", seat3="open")
    for seat, name in enumerate((LURE, "carl@home.example"), 2):
        there = Device(house.client, name=name).post(f"/t/{key}/join", you=name, seat=str(seat))
        assert there.status_code == 303
    gone(house.registry.tables[key])
    house.wait(3)
    (letter,) = post.letters
    (said,) = answer(house, post, f"Club steals from {LURE}")
    orders = """Club steals secret 2 from www. win. example/free, Diamond takes 9 of Carl,
    Heart goes to 5 of www. win. example/free - and Spade steals 1 from Carl. I guard 7"""
    (receipt,) = answer(house, post, orders, name="<2@home>")
    drawn = letter.get_body(("html",)).get_content()
    for text in (text_of(letter), drawn, said, receipt):
        assert "win. example/free" in text
        assert "win.example" not in text
        assert "carl@home" not in text
    assert "understood" in receipt


@pytest.mark.wide
def test_new_orders_replace_earlier_ones_and_an_old_letter_changes_nothing(house, table, post):
    to = post.letters[-1]["Reply-To"]
    answer(house, post, to=to)
    first = list(table.now.orders[0])
    other = ORDERS.replace("guard 7", "guard 3")
    (said,) = answer(house, post, other, to=to, name="<2@home>")
    assert "understood" in said
    second = list(table.now.orders[0])
    assert first != second
    assert answer(house, post, to=to) == [], "the first letter once more, as a replay"
    assert table.now.orders[0] == second


@pytest.mark.wide
def test_faults_are_told_and_nothing_changes(house, table, post):
    to = post.letters[-1]["Reply-To"]
    (said,) = answer(house, post, "Club steals 2 from Zoe", to=to)
    assert "Nothing has changed" in said
    assert "Zoe" in said
    assert not table.now.orders.get(0)
    (said,) = answer(house, post, "", to=to, name="<2@home>")
    assert "Nothing has changed" in said


@pytest.mark.wide
def test_orders_for_a_turn_that_is_over_are_not_taken_for_the_next(house, table, post):
    to = post.letters[-1]["Reply-To"]
    answer(house, post, to=to)
    for seat in (1, 2):
        while seat in table.now.waited_for():
            at = table.now.acting()[seat].match
            house.call(table.choose, seat, at.choices[0], table.now.seen[seat])
    assert table.now.match.state.turn == 2
    (said,) = answer(house, post, ORDERS.replace("7", "6"), to=to, name="<2@home>")
    assert "turn that these orders are for is over" in said
    assert not table.now.orders.get(0)


def test_forged_addresses_are_dropped_in_silence(house, table, post):
    good = post.letters[-1]["Reply-To"]
    local, _, domain = good.partition("@")
    number, game, turn, mark = local.removeprefix("orders+").split(".")
    forged = [
        f"orders+{number}.{game}.{turn}.{'0' * 20}@{domain}",
        f"orders+{number}.{game}.{int(turn, 16) + 1:x}.{mark}@{domain}",
        f"orders+{int(number, 16) + 1:x}.{game}.{turn}.{mark}@{domain}",
        f"orders+{number}.{game}.{turn}@{domain}",
        f"orders@{domain}",
        f"ann@{domain}",
        addresses.address(Signer("another house"), domain, REPLY, 1, 1, 0),
    ]
    for to in forged:
        assert answer(house, post, to=to) == [], to
    assert not table.now.orders.get(0)


@pytest.mark.wide
def test_a_mail_server_may_shorten_the_address(house, table, post):
    letter = EmailMessage()
    letter["From"], letter["To"] = "ann@home.example", post.letters[-1]["Reply-To"]
    letter.set_content(ORDERS)
    assert deliver(house.port, "orders@house.example", letter.as_bytes()) == {}
    assert "understood" in text_of(post.letters[-1])


@pytest.mark.wide
def test_whoever_writes_from_elsewhere_gives_no_orders(house, table, post):
    (said,) = answer(house, post, sender="mallory@evil.example")
    assert "from another address" in said
    assert post.letters[-1]["To"] == "ann@home.example", "never to who wrote it"
    assert not table.now.orders.get(0)


MACHINES = [
    {"Auto_Submitted": "auto-replied"},
    {"Auto_Submitted": "auto-generated; x"},
    {"Precedence": "bulk"},
    {"List_Id": "<x.example>"},
    {"Return_Path": "<>"},
    {"X_Autoreply": "yes"},
    {"Precedence": "auto_reply"},
    {"back": ""},
]


@pytest.mark.wide
def test_machines_are_not_answered(house, table, post):
    to = post.letters[-1]["Reply-To"]
    for n, heads in enumerate(MACHINES):
        assert answer(house, post, to=to, name=f"<{n}@home>", **heads) == [], heads
    assert not table.now.orders.get(0)


@pytest.mark.wide
def test_an_address_that_was_stopped_gives_no_orders_and_its_owner_hears_so(
    house, ann, table, post
):
    number = re.search(r'name="contact" value="(\d+)"', ann.get("/me").text)[1]
    ann.post("/me/stop", contact=number)
    before = len(post.raw)
    assert "not confirmed any more" in refused(554, house, post)
    assert len(post.raw) == before
    assert not table.now.orders.get(0)


@pytest.mark.wide
def test_who_has_left_the_table_gives_no_orders(house, ann, table, post):
    ann.post(f"/t/{table.key}/leave")
    (said,) = answer(house, post)
    assert "no seat at this table any more" in said


@pytest.mark.wide
def test_answers_are_few(house, table, post):
    to = post.letters[-1]["Reply-To"]
    said = [answer(house, post, f"no orders, {n}", to=to, name=f"<{n}@home>") for n in range(16)]
    assert sum(map(len, said)) == 12


@pytest.mark.wide
def test_many_letters_of_one_person_wait_at_the_mail_server(house, table, post, monkeypatch):
    async def carried_out(*_):
        return "", ""

    monkeypatch.setattr(Inbox, "carried_out", carried_out)
    to = post.letters[-1]["Reply-To"]
    for n in range(40):
        answer(house, post, f"orders, {n}", to=to, name=f"<{n}@home>")

    def more():
        for n in range(40, 60):  # now and then one more may be read
            answer(house, post, f"orders, {n}", to=to, name=f"<{n}@home>")

    with pytest.raises(smtplib.SMTPDataError) as refused:
        more()
    assert refused.value.smtp_code == 451


@pytest.mark.wide
def test_letters_do_not_wait_for_strangers_who_are_slow(house, ann, post):
    ended = threading.Event()
    for _ in range(20):
        house.notifier.strangers.submit(ended.wait, 300)
    try:
        confirmed(ann, post)
        assert "ann@home.example" in ann.get("/me").text
    finally:
        ended.set()


@pytest.mark.wide
def test_strange_bytes_do_no_harm(house, table, post):
    to = post.letters[-1]["Reply-To"]
    before = len(post.raw)
    strange = [
        b"",
        b"\r\n\r\n",
        b"\xff" * 900,
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n--x--",
        b"Content-Type: text/plain; charset=nonsense\r\nFrom: ann@home.example\r\n\r\nhello",
        b"Content-Type: text/plain; charset=utf-7\r\nFrom: ann@home.example\r\n\r\n+AAA-",
        b"From: =?utf-8?q?=00?=\r\nSubject: " + b"a" * 900 + b"\r\n\r\nhello",
        b"From: " + b"<" * 900 + b"\r\n\r\nhello",
        b"Content-Type: message/rfc822\r\n\r\n" * 40,
        b"Content-Transfer-Encoding: base64\r\nFrom: ann@home.example\r\n\r\n!!!!",
    ]
    for raw in strange:
        try:
            assert deliver(house.port, to, raw) == {}
        except smtplib.SMTPDataError as error:
            assert b"It cannot be read" in error.smtp_error  # noqa: PT017  or it is taken
    assert not table.now.orders.get(0)
    assert len(post.raw) - before <= len(strange)
    with pytest.raises(smtplib.SMTPException):
        deliver(house.port, to, b"x" * 300_000)
    (said,) = answer(house, post, to=to, name="<good@home>")
    assert "understood" in said


def test_html_is_read_where_there_is_no_text():
    letter = EmailMessage()
    letter["From"] = "ann@home.example"
    letter.set_content(
        "<style>p {}</style><p>Club steals 2 from Bill</p><div>I guard 7</div>"
        "<blockquote>Club steals 9 from Charles</blockquote>",
        subtype="html",
    )
    found = incoming_mail.received(letter.as_bytes())
    assert found.text.split("\n")[1:3] == ["Club steals 2 from Bill", "I guard 7"]
    assert "Charles" not in found.text


def test_an_address_is_told_in_capitals_too():
    signer = Signer("house")
    address = addresses.address(signer, "house.example", REPLY, 7, 41, 12)
    assert addresses.named(signer, REPLY, address.upper()) == [7, 41, 12]
    assert len(address.partition("@")[0]) <= 64
    assert addresses.named(Signer("other"), REPLY, address) == []
