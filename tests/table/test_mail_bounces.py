"""Letters that come back: the mail server of the house has taken them, another has refused them."""

import pytest

from yegg.table.accounts.tokens import Signer
from yegg.table.letters.addresses import BACK, REPLY, address, named

from .devices import Device
from .house import awaited, confirmed, gone
from .receivers import deliver

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")

REPORT = """From: MAILER-DAEMON@house.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: {to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="x"
Message-Id: <20261123130000.4@house.example>

This is a MIME-encapsulated message.

--x
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

I'm sorry to have to inform you that your message could not be delivered.

--x
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; house.example
X-Postfix-Queue-ID: 4
Arrival-Date: Mon, 23 Nov 2026 13:00:00 +0000 (UTC)

Final-Recipient: rfc822; ann@home.example
Action: {action}
Status: {status}
Remote-MTA: dns; mail.home.example
Diagnostic-Code: smtp; 550 5.1.1 <ann@home.example>: no such mailbox

--x
Content-Description: Undelivered Message
Content-Type: message/rfc822

From: yegg <table@house.example>
To: ann@home.example
Subject: Your turn

It is your turn.
--x--
"""


@pytest.fixture
def house(with_letters):
    return with_letters


@pytest.fixture
def told(house, ann, post):
    """Ann was told by a letter that a table waits for her; the table."""
    confirmed(ann, post)
    table = awaited(ann, house)[2]
    gone(table)
    house.wait(3)
    assert len(post.letters) == 1
    return table


def report(house, to, action="failed", status="5.1.1"):
    """A mail server reports what became of a letter."""
    assert deliver(house.port, to, written(to, action, status), "") == {}


def written(to, action="failed", status="5.1.1"):
    """A report, as Postfix writes it."""
    return REPORT.format(to=to, action=action, status=status).replace("\n", "\r\n").encode()


def test_nothing_more_goes_to_an_address_whose_letters_come_back(house, ann, post, told):
    back = post.back[-1]
    assert len(back.partition("@")[0]) <= 64
    report(house, back)
    assert "letters are refused: 550 5.1.1 &lt;ann@home.example&gt;: no such" in ann.get("/me").text
    house.wait(60)
    report(house, back)
    assert len(post.letters) == 1, "nothing is told, and nobody answers a report"
    confirmed(ann, post)
    assert "letters are refused" not in ann.get("/me").text


@pytest.mark.wide
def test_what_does_not_say_that_it_is_for_good_changes_nothing(house, ann, post, told):
    back, domain = post.back[-1], "house.example"
    local, mark = back.partition("@")[0].split(".")
    for action, status in (("delayed", "4.4.1"), ("failed", "4.4.1"), ("relayed", "2.0.0")):
        report(house, back, action, status)
    for forged in (
        f"{local}.{'0' * 20}@{domain}",
        f"{local[:-1]}9.{mark}@{domain}",
        f"table@{domain}",
        f"orders@{domain}",
        address(Signer("another house"), domain, BACK, 1),
        address(house.registry.signer, domain, REPLY, 1, 1, 0),
    ):
        report(house, forged)
    assert (
        deliver(house.port, back, b"From: ann@home.example\r\n\r\n5.1.1 failed", "a@b.example")
        == {}
    )
    assert deliver(house.port, back, b"\xff" * 900, "") == {}
    assert "letters are refused" not in ann.get("/me").text
    assert len(post.letters) == 1


@pytest.mark.wide
def test_a_report_counts_where_the_mail_server_has_shortened_the_address(house, ann, post, told):
    raw = written(post.back[0], "Failed", "5.2.1")
    assert deliver(house.port, "orders@house.example", raw, "") == {}
    assert "letters are refused" in ann.get("/me").text


def test_letters_come_back_to_their_sender_where_no_letters_are_taken(opens, telling, post):
    house = opens(telling)
    confirmed(Device(house.client), post)
    assert post.back == ["table@house.example"]


def test_a_report_is_never_read_as_orders():
    house = Signer("house")
    back = address(house, "h.example", BACK, 7)
    assert named(house, REPLY, back) == []
    assert named(house, BACK, back) == [7]
