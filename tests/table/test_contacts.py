"""Where people are told: whose an address is, how often a letter is tried, what is forgotten."""

import pytest
import sqlalchemy as sa

from yegg.engine import Refused
from yegg.table.letters.read_letters import REMEMBERED, read_once, was_read
from yegg.table.notifications import contacts
from yegg.table.notifications.contacts import (
    HOOK,
    LEASE,
    MAIL,
    MANY,
    TRIES,
    WAIT,
    Contact,
)
from yegg.table.notifications.messages import Waiting, subject
from yegg.table.notifications.schedule import MINUTE, Rhythm, Turn
from yegg.table.storage.schema import metadata

NOW = 10**12


@pytest.fixture
def disk():
    engine = sa.create_engine("sqlite://")
    metadata.create_all(engine)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def new(person="ann", address="ann@home.example", *, confirmed=False, kind=MAIL):
    return Contact(0, person, kind, address, {}, Rhythm(), confirmed, None, 0, 0)


def turn(**more):
    return Turn(1, 0, 5, NOW, None, 0, 0, 0)._replace(**more)


def test_an_address_is_confirmed_within_two_days_or_not_at_all(disk):
    """Later it may be somebody else's."""
    one = contacts.add(disk, NOW, new())
    assert not contacts.find(disk, one.id).confirmed
    assert contacts.confirm(disk, NOW + WAIT, one.id) is None
    assert not contacts.find(disk, one.id).confirmed
    assert contacts.confirm(disk, NOW + WAIT - 1, one.id).confirmed


def test_what_nobody_confirmed_in_time_is_forgotten_when_the_next_one_comes(disk):
    late = contacts.add(disk, NOW, new())
    kept = contacts.add(disk, NOW, new("ben", "ben@home.example", confirmed=True))
    contacts.add(disk, NOW + WAIT + 1, new("cid", "cid@home.example"))
    assert contacts.find(disk, late.id) is None
    assert contacts.find(disk, kept.id)


def test_one_person_has_eight_contacts_and_the_same_one_is_set_up_anew(disk):
    for n in range(MANY):
        contacts.add(disk, NOW, new(address=f"ann{n}@home.example"))
    with pytest.raises(Refused, match="there are 8 already"):
        contacts.add(disk, NOW, new(address="one.more@home.example"))
    assert contacts.add(disk, NOW, new(address="ann3@home.example")), "that is no ninth"
    assert contacts.add(disk, NOW, new("ben", "ann3@home.example")), "others have their own"


def test_nobody_ends_or_changes_a_contact_of_somebody_else(disk):
    anns = contacts.add(disk, NOW, new(confirmed=True))
    assert not contacts.stop(disk, anns.id, "ben")
    assert not contacts.change(disk, "ben", anns.id, Rhythm((8,)))
    assert tuple(contacts.find(disk, anns.id).rhythm.hours) == ()
    assert contacts.change(disk, "ann", anns.id, Rhythm((8,)))
    assert tuple(contacts.find(disk, anns.id).rhythm.hours) == (8,)
    assert contacts.stop(disk, anns.id, "ann")
    assert contacts.find(disk, anns.id) is None
    assert not contacts.stop(disk, anns.id), "it is gone"


def test_only_confirmed_mail_addresses_say_who_somebody_is(disk):
    contacts.add(disk, NOW, new("ann", "home@home.example", confirmed=True))
    contacts.add(disk, NOW, new("ben", "home@home.example"))
    contacts.add(disk, NOW, new("cid", "home@home.example", confirmed=True, kind=HOOK))
    assert [one.person for one in contacts.of_address(disk, "home@home.example")] == ["ann"]


def test_pauses_between_tries_double_and_there_are_nine(disk):
    one, now, pauses = contacts.add(disk, NOW, new(confirmed=True)), NOW, []
    assert contacts.claim(disk, now, one, [turn()])
    for _ in range(TRIES):
        contacts.settle(disk, now, one.id, again=True)
        waits = contacts.find(disk, one.id)
        assert waits.pending
        pauses.append((waits.next - now) // MINUTE)
        now = waits.next
        assert contacts.claim_again(disk, now, waits)
        assert contacts.find(disk, one.id).next == now + LEASE, "others wait for this process"
    assert pauses == [2**n for n in range(TRIES)], "from a minute on: over eight hours in all"
    contacts.settle(disk, now, one.id, again=True)
    assert contacts.find(disk, one.id).pending is None, "then it is given up"


def test_of_two_processes_one_sends(disk):
    one = contacts.add(disk, NOW, new(confirmed=True))
    assert contacts.claim(disk, NOW, one, [turn()])
    assert not contacts.claim(disk, NOW, one, [turn()]), "as it was before the first claimed it"
    waits = contacts.find(disk, one.id)
    assert contacts.claim_again(disk, NOW + LEASE, waits)
    assert not contacts.claim_again(disk, NOW + LEASE, waits)


def test_what_was_told_is_noted_before_it_goes_out(disk):
    one = contacts.add(disk, NOW, new(confirmed=True))
    contacts.claim(disk, NOW, one, [turn(number=7), turn(game=2, number=3)])
    told = disk.execute(sa.text("SELECT game, number, called FROM told ORDER BY game")).all()
    assert told == [(1, 7, 0), (2, 3, 0)]
    contacts.settle(disk, NOW, one.id, again=False)
    assert contacts.find(disk, one.id).pending is None


def test_a_refused_address_hears_nothing_more_until_it_is_confirmed_again(disk):
    one = contacts.add(disk, NOW, new(confirmed=True))
    contacts.refused(disk, one.id, "no such mailbox" * 100)
    now = contacts.find(disk, one.id)
    assert not now.confirmed
    assert now.more["why"].startswith("no such mailbox")
    assert len(now.more["why"]) == 200


def test_a_letter_that_was_read_is_known_for_sixty_days(disk):
    """So that orders which a mail server hands over twice are given once."""
    assert read_once(disk, NOW, "letter")
    assert not read_once(disk, NOW + 1, "letter")
    assert read_once(disk, NOW + REMEMBERED, "other")
    assert not read_once(disk, NOW + REMEMBERED, "letter")
    assert read_once(disk, NOW + REMEMBERED + 1, "third")
    assert not was_read(disk, "letter")
    assert was_read(disk, "other")


def waits(title="Secrets", table="Blue", *, last_call=False):
    return Waiting("secrets", title, table, "", 1, "Ann", [], "", [], 0, None, last_call)


def test_the_first_line_of_a_letter_counts_tables_and_names_the_last_call():
    assert subject([waits()]) == "Your turn: Secrets at Blue"
    assert subject([waits(last_call=True)]) == "Last call: Secrets at Blue"
    assert subject([waits(), waits(table="Red")]) == "Two tables wait for you"
    assert subject([waits()] * 5) == "Five tables wait for you"
    calls = [waits(), waits(table="Red", last_call=True)]
    assert subject(calls) == "Last call: Secrets at Red, and more"
