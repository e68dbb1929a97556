"""Whoever sent a challenge is told once a friend has finished it, as of their turns."""

import pytest

from yegg.table.notifications.challenge_news import FINISHED
from yegg.table.notifications.messages import Waiting, body, subject

from .dealt import finish
from .devices import Device
from .house import HOUSE, confirmed, text_of
from .test_challenges import SEATS, SS, challenged, take

pytest.importorskip("aiosmtpd", reason="telling needs yegg[told]")


@pytest.fixture
def sent(house, ann, post):
    """A challenge of Ann's, who has mail; its link, and her friend."""
    confirmed(ann, post)
    link = challenged(ann, finish(ann, ann.open(SS, **SEATS)))
    post.raw.clear()
    return link, Device(house.client, name="Ben.example")


def news(post):
    return [letter for letter in post.letters if "challenge" in letter["Subject"]]


def test_a_friend_who_finishes_a_challenge_is_told_of_once(house, post, sent):
    link, ben = sent
    own = take(ben, link)
    house.wait(20)
    assert not news(post), "nobody has finished"
    finish(ben, own)
    for _ in range(4):
        house.wait(30)
    (letter,) = news(post)
    assert letter["Subject"] == "Ben. example has played your challenge: Second Story"
    assert f"Both games, side by side: {HOUSE}{link[1:]}" in text_of(letter)
    assert "Ben. example " in text_of(letter)
    assert f'href="{HOUSE}{link[1:]}"' in letter.get_body(("html",)).get_content()
    assert len(post.raw) == 1


def test_whoever_has_looked_at_it_is_not_told(house, ann, post, sent):
    link, ben = sent
    house.wait(0)
    finish(ben, take(ben, link))
    assert ann.get(link).status_code == 200
    key = next(key for key in house.notifier.noted.items() if key[1] == FINISHED)
    assert key
    for _ in range(3):
        house.wait(30)
    assert not news(post)


def test_what_friends_did_before_an_address_was_confirmed_is_no_news(house, ann, post):
    link = challenged(ann, finish(ann, ann.open(SS, **SEATS)))
    ben = Device(house.client, name="Ben")
    finish(ben, take(ben, link))
    confirmed(ann, post)
    for _ in range(3):
        house.wait(30)
    assert not news(post)


def waiting(**how):
    what = ("magnate", "Magnate", "Ivory Quay", "", 1, "Ben", [], "Ben won by three.", [], 0, None)
    return Waiting(*what, last_call=False, **how)


def test_a_note_to_a_browser_tells_a_friend_s_game_and_tables_beside_it():
    friend, table = waiting(friend="Ben has played your challenge"), waiting()
    assert body(friend) == "Ben won by three."
    assert body(table) == "Ben, ben won by three."
    assert subject([friend]) == "Ben has played your challenge: Magnate"
    assert subject([friend, friend]) == "Ben has played your challenge: Magnate, and more"
    assert subject([table, friend]) == "A table waits for you, and more"
    assert subject([table, table, friend]) == "Two tables wait for you, and more"
