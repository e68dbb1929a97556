"""Seats change hands: who leaves, who is away, who plays instead, and what everybody is told."""

import re
import time
from types import SimpleNamespace

import pytest
from waiting import until

from yegg.table.service import presence
from yegg.table.service.presence import Presence

from .people import SS, finish, refused, whose


def log(person):
    lines = re.findall(r"<li[^>]*>(.*?)</li>", person.page().partition('id="log"')[2], re.DOTALL)
    return [re.sub(r"<[^>]+>", "", line).strip() for line in lines]


def names(person):
    return [seat["name"] for seat in person.table["seats"]]


def test_everybody_is_told_who_leaves_and_may_put_a_bot_there(party):
    gone, one, two = whose(party(SS, 3))
    seat, before = gone.seat, one.table["number"]
    assert gone.do("leave").status_code == 200
    assert gone.seat is None
    name = f"Guest ({seat})" if seat > 1 else "Guest"
    told = ("left", f"{name} leaves the table: seat {seat} is free.")
    assert one.table["number"] > before, "it comes through the stream"
    assert one.notices[-1] == two.notices[-1] == told
    assert log(one)[0] == told[1]
    assert one.table["seats"][seat - 1]["free"]
    refused(one.choose("thorough"), 422, f"somebody to take seat {seat}")
    assert f'id="put-{seat}"' in one.page()
    assert one.do("hand", bot="uniform", seat=seat).status_code == 200
    place = two.table["seats"][seat - 1]
    assert (place["bot"], place["free"]) == ("uniform", False)
    assert place["name"] not in ("", *(p["name"] for p in two.table["seats"] if p != place))
    put = f"{one.name} puts a bot (uniform) on seat {seat}: {place['name']}."
    assert two.notices[-1] == ("put", put)
    until(lambda: one.table["turn"] != [seat] or one.table["choices"])


def test_only_who_sits_at_the_table_puts_a_bot_there(party, somebody):
    gone, one, two = whose(party(SS, 3))
    seat, stranger = gone.seat, somebody()
    gone.do("leave")
    stranger.key = one.key
    for person in (gone, stranger):
        assert person.do("hand", bot="uniform", seat=seat).status_code == 401
    refused(one.do("hand", bot="nobody", seat=seat), 422)
    refused(one.do("hand", bot="uniform", seat=8), 409)
    refused(one.do("hand", bot="uniform", seat=two.seat), 409, "not free")
    refused(one.do("hand", bot=None, seat=seat), 409)
    assert one.table["seats"][seat - 1]["free"], "nothing has happened"
    assert stranger.join(one.key, you="Third").status_code == 200
    assert (stranger.seat, one.table["begun"]) == (seat, True)


def test_a_bot_may_be_put_where_a_friend_does_not_come(somebody):
    me = somebody().open()
    assert not me.table["begun"]
    assert me.do("hand", bot="uniform", seat=2).status_code == 200
    assert me.table["begun"]
    assert me.table["seats"][1]["bot"] == "uniform"


@pytest.mark.parametrize("what", ["leave", "close", "block"])
def test_what_cannot_be_taken_back_is_asked_for_first_without_scripts_too(party, what):
    one, _ = party(SS, 2)
    page = one.page()
    form = page.index(f'action="/t/{one.key}/{what}"')
    asked = page.rindex("<details", 0, form)
    assert "</details>" not in page[asked:form]
    assert ">Yes, " in page[form : page.index("</details>", form)]


def test_nobody_leaves_a_game_that_is_over(party):
    one, two = people = party(SS, 2, options={"chips": 3})
    finish(people)
    refused(two.do("leave"), 409)
    assert names(one) == ["Guest", "Guest (2)"]


@pytest.fixture
def later(monkeypatch):
    """Let so many seconds pass."""
    passed = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + passed[0])
    monkeypatch.setattr(presence, "time", clock)

    def skip(seconds):
        passed[0] += seconds

    return skip


def test_for_a_friend_who_is_away_a_bot_may_play_and_the_friend_takes_the_seat_back(party, later):
    away, one = whose(party(SS, 2))
    seat, name = away.seat, away.name

    def is_away():
        return one.table["seats"][seat - 1]["away"]

    refused(one.do("hand", bot="uniform", seat=seat), 409, "has not been away for long")
    etag = one.get(f"/api/games/{one.key}").headers["etag"]
    later(170)
    assert not is_away(), "three minutes are not over"
    later(10)
    assert is_away()
    assert not one.place["away"], "who is not waited for"
    asked = {**one.headers, "If-None-Match": etag}
    assert one.client.get(f"/api/games/{one.key}", headers=asked).status_code == 200, "it is news"
    assert f"{name} is away" in one.page()
    away.page("/now")
    assert not is_away(), "who asks for news is there"
    refused(one.do("hand", bot="uniform", seat=seat), 409)
    later(180)
    assert one.do("hand", bot="uniform", seat=seat).status_code == 200
    told = ("put", f"{one.name} lets a bot (uniform) play for {name}, who is away.")
    assert one.notices[-1] == told
    assert away.seat == seat, "it is still theirs"
    assert "A bot (uniform) is playing for you." in away.page()
    assert "Play yourself again" in away.page()
    until(lambda: one.table["turn"] != [seat])
    refused(one.do("hand", bot=None, seat=seat), 409)  # only they may
    assert away.do("hand", bot=None).status_code == 200
    assert one.notices[-1] == ("back", f"{name} plays again.")
    assert away.place["bot"] is None


def test_an_open_page_is_presence_enough(client, party):
    actor, _ = whose(party(SS, 2))
    table = client.app.state.registry.tables[actor.key]
    there, seat = Presence(), actor.seat - 1
    there.patience = 0.0
    person = table.now.seats[seat].person
    with there.watching(person), there.watching(person):
        with there.watching(person):
            pass
        assert not there.look(table.now)
    assert there.look(table.now)
    assert there.away == {seat}
    with there.watching(None):
        assert not there.look(table.now), "nothing has changed"


def test_people_are_renamed_and_told_apart(party, somebody):
    one, two = party(SS, 2)
    assert one.do("name", you="Ann").status_code == 200
    assert two.do("name", you="ann").status_code == 200
    assert names(one) == ["Ann", "ann (2)"]
    assert one.notices == [
        ("sat", "Guest (2) sits down."),
        ("renamed", "Guest is now called Ann."),
        ("renamed", "Guest (2) is now called ann (2)."),
    ]
    assert two.do("name", you="a,b").status_code == 422
    assert two.do("name", you="").status_code == 400
    stranger = somebody()
    stranger.key = one.key
    assert stranger.do("name", you="Eve").status_code == 401
    number = one.table["number"]
    assert one.do("name", you="Ann").status_code == 200
    assert one.table["number"] == number, "who is called so already"
    long = "x" * 40
    for person in (one, two):
        assert person.do("name", you=long).status_code == 200
    assert names(one) == [long, "x" * 35 + " (2)"]


def test_a_new_name_makes_no_choice_old(party):
    actor, _ = whose(party(SS, 2))
    table = actor.table
    actor.do("name", you="Ann")
    assert actor.choose(table["choices"][0]["text"], table["number"]).status_code == 200


def test_the_log_says_what_people_were_called_then_and_says_the_same_after_a_restart(
    party, restarted
):
    people = party(SS, 2)
    for _ in range(3):
        whose(people)[0].act()
    actor, other = whose(people)
    actor.do("name", you="Ann")
    actor.do("hand", bot="uniform")
    until(lambda: other.table["choices"])
    actor.do("hand", bot=None)
    other.do("leave")
    before, told = log(actor), actor.notices
    assert any("Guest" in line for line in before)
    assert any(line.startswith("Ann (bot)") for line in before), "bots are marked"
    assert "Ann lets a bot (uniform) play." in before
    restarted(*people)
    assert (log(actor), actor.notices) == (before, told)


def test_what_was_said_of_seats_stays_where_it_was_when_a_choice_is_taken_back(party):
    people = party(SS, 2)
    for _ in range(300):
        actor, _ = whose(people)
        texts = [choice["text"] for choice in actor.table["choices"]]
        if any(text.startswith("take") for text in texts):
            break
        actor.act()
    events = actor.table["number"]
    assert actor.choose(texts[0]).status_code == 200
    actor.do("name", you="Ann")
    after = actor.table["notices"][-1]["after"]
    assert actor.do("undo").status_code == 200
    assert actor.table["notices"][-1]["after"] == after - 1
    assert actor.table["number"] > events
    assert log(actor)[0].endswith("is now called Ann.")


def test_who_is_waited_for_is_named_as_in_a_sentence(party, client):
    people = party("secrets", 4)
    for person, name in zip(people, ("Ann", "Ben", "Dee", "Eve"), strict=True):
        person.do("name", you=name)
    assert "Waiting for Ann, Ben, Dee and Eve" in client.get(f"/t/{people[0].key}").text
    for _ in range(5):
        people[0].act()
    for page in (people[0].page(), client.get(f"/t/{people[0].key}").text):
        assert "Waiting for Ben, Dee and Eve" in page
    assert all("Your turn" in person.page() for person in people[1:])
