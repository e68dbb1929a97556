"""Letters with orders that are not taken: nothing is lost, and the writer hears why."""
# ruff: noqa: F811  fixtures

import smtplib

import pytest
import sqlalchemy as sa

from yegg.table.letters import inbox
from yegg.table.letters.inbox import TRIES, Inbox
from yegg.table.notifications import email
from yegg.table.refusals import HttpRefusal
from yegg.table.storage.schema import letters
from yegg.table.storage.store import Unread, Unwritten

from .test_durability import pages  # noqa: F401
from .test_orders_by_mail import ORDERS, ann, answer, house, refused, table  # noqa: F401

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")


def fill(engine):
    for n in range(2000):
        with engine.begin() as connection:
            connection.execute(sa.insert(letters).values(digest=f"{n:064}", at=2**50))


def test_a_full_disk_takes_no_orders_and_loses_none(pages, house, table, post):
    to, taken = post.letters[-1]["Reply-To"], []
    pages(1)  # no more than there are
    with pytest.raises(sa.exc.OperationalError, match="full"):
        fill(house.registry.store.engine)
    for n in range(30):
        try:
            answer(house, post, ORDERS.replace("7", str(n % 9 + 1)), to=to, name=f"<{n}@home>")
            taken = list(table.now.orders[0])
        except smtplib.SMTPDataError as error:
            assert error.smtp_code == 451  # noqa: PT017
            break
    else:
        raise AssertionError("the disk is never full")
    now = table.now.orders.get(0, [])
    whole = now and table.now.match.say(now[-1]) == f"guards {n % 9 + 1}"
    assert now == taken or whole, "of the letter that was refused nothing counts, or all of it"
    pages(1 << 30)
    answer(house, post, to=to, name="<again@home>")
    assert table.now.match.say(table.now.orders[0][-1]) == "guards 7"


def failing(error):
    async def fail(*_, **__):
        raise error

    return fail


def sync(error):
    def fail(*_, **__):
        raise error

    return fail


@pytest.mark.wide(but=["keep-error0"])
@pytest.mark.parametrize(("where", "error"), [
    ("keep", Unwritten("no space left")), ("work", Unwritten("no space left")),
    ("aside", Unread("the database is away")),
])  # fmt: skip
def test_a_letter_stays_with_the_mail_server_until_the_disk_takes_it(
    house, table, post, monkeypatch, where, error
):
    with monkeypatch.context() as broken:
        broken.setattr(house.registry.store, where, failing(error))
        for _ in range(TRIES + 3):
            refused(451, house, post)
    (said,) = answer(house, post, to=post.letters[0]["Reply-To"])
    assert "understood" in said
    assert table.now.ready() == (0,)
    assert answer(house, post, to=post.letters[0]["Reply-To"]) == [], "it was read"


INSIDE = {
    "reading the letter": (inbox, "received"),
    "reading the orders": (inbox, "read"),
    "giving the orders": (inbox, "order"),
}


@pytest.mark.wide(but=["reading the letter"])
@pytest.mark.parametrize("where", INSIDE.values(), ids=INSIDE)
def test_an_error_inside_is_tried_three_times_and_then_the_letter_goes_back(
    house, table, post, monkeypatch, where
):
    with monkeypatch.context() as broken:
        broken.setattr(*where, sync(KeyError("x")))
        for _ in range(TRIES):
            refused(451, house, post)
        said = refused(554, house, post)
    assert "Your letter was not taken" in said
    assert "KeyError, 4 times" in said
    assert not table.now.orders.get(0)
    (said,) = answer(house, post)
    assert "understood" in said, "written once more, it is taken"


@pytest.mark.wide(but=["error0"])
@pytest.mark.parametrize("error", [OSError("no way out"), RuntimeError("x")])
def test_orders_that_are_in_are_answered_once_letters_go_out_again(
    house, table, post, monkeypatch, error
):
    to = post.letters[-1]["Reply-To"]
    with monkeypatch.context() as broken:
        broken.setattr(email, "send", sync(error))
        for _ in range(TRIES):
            refused(451, house, post)
    assert table.now.ready() == (0,)
    orders = list(table.now.orders[0])
    house.call(table.undo, 0)
    (said,) = answer(house, post, to=to)
    assert "understood" in said
    assert table.now.orders[0] == orders[:-1], "they are not given again"
    with monkeypatch.context() as broken:
        broken.setattr(email, "send", sync(error))
        for _ in range(TRIES):
            refused(451, house, post, to=to, name="<2@home>")
        said = refused(554, house, post, to=to, name="<2@home>")
    assert "Your orders are in: Secrets at" in said
    assert type(error).__name__ in said


def test_who_cannot_be_answered_hears_of_it_from_the_mail_server(house, table, post, monkeypatch):
    monkeypatch.setattr(email, "send", sync(email.Refused("no such mailbox")))
    said = refused(554, house, post)
    assert "Your orders are in" in said
    assert "no such mailbox" in said


@pytest.mark.wide(but=["404"])
@pytest.mark.parametrize("status", [404, 410, 422])
def test_whoever_writes_to_a_table_that_takes_no_orders_is_told_why(
    house, table, post, monkeypatch, status
):
    where = inbox if status == 422 else house.registry
    what = "order" if status == 422 else "fetch"
    monkeypatch.setattr(where, what, failing(HttpRefusal(status, "this is why")))
    (said,) = answer(house, post)
    assert "his is why." in said


def test_no_more_letters_are_remembered_than_that(house, table, post, monkeypatch):
    boxes = set()

    async def take(box, *_):
        boxes.add(box)
        raise KeyError("x")

    monkeypatch.setattr(inbox, "MANY", 3)
    monkeypatch.setattr(Inbox, "take", take)
    for n in range(5):
        refused(451, house, post, name=f"<{n}@home>")
    assert [len(box.tried) for box in boxes] == [3]
