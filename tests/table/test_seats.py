"""Seats change hands: who leaves, who is away, who plays instead, and what everybody is told."""

import re
import time
from types import SimpleNamespace

import pytest

from yegg.table.service import presence
from yegg.table.service.presence import Presence

from .conftest import finish, until

SS = "second-story"


def notices(person):
    return [(notice["kind"], notice["text"]) for notice in person.table["notices"]]


def log(person):
    page = person.get(f"/t/{person.key}").text
    lines = re.findall(r"<li[^>]*>(.*?)</li>", page.partition('id="log"')[2], re.DOTALL)
    return [re.sub(r"<[^>]+>", "", line).strip() for line in lines]


def hand(person, **wish):
    return person.post(f"/api/games/{person.key}/hand", wish)


def names(person):
    return [seat["name"] for seat in person.table["seats"]]


def whose(people):
    """Whose turn it is, and the others."""
    actor = next(person for person in people if person.table["choices"])
    return actor, [person for person in people if person is not actor]


def test_everybody_is_told_who_leaves_and_may_put_a_bot_there(party):
    people = party(SS, 3)
    gone, (one, two) = whose(people)
    seat, before = gone.table["seat"], one.table["number"]
    assert gone.post(f"/api/games/{gone.key}/leave").status_code == 200
    name = f"Guest ({seat})" if seat > 1 else "Guest"
    told = ("left", f"{name} leaves the table: seat {seat} is free.")
    assert one.table["number"] > before, "it comes through the stream"
    assert notices(one)[-1] == notices(two)[-1] == told
    assert log(one)[0] == told[1]
    assert one.table["seats"][seat - 1]["free"]
    assert f"somebody to take seat {seat}" in one.choose("thorough").json()["why"]
    assert f'id="put-{seat}"' in one.get(f"/t/{one.key}").text
    assert hand(one, bot="uniform", seat=seat).status_code == 200
    place = two.table["seats"][seat - 1]
    assert (place["bot"], place["free"]) == ("uniform", False)
    assert place["name"] not in ("", *(p["name"] for p in two.table["seats"] if p != place))
    by = one.table["seats"][one.table["seat"] - 1]["name"]
    assert notices(two)[-1] == (
        "put",
        f"{by} puts a bot (uniform) on seat {seat}: {place['name']}.",
    )
    until(lambda: one.table["turn"] != [seat] or one.table["choices"])


def test_only_who_sits_at_the_table_puts_a_bot_there(party, somebody):
    people = party(SS, 3)
    gone, (one, _) = whose(people)
    seat = gone.table["seat"]
    gone.post(f"/api/games/{gone.key}/leave")
    assert hand(gone, bot="uniform", seat=seat).status_code == 401
    stranger = somebody()
    stranger.key = one.key
    assert hand(stranger, bot="uniform", seat=seat).status_code == 401
    assert hand(one, bot="nobody", seat=seat).status_code == 422
    assert hand(one, bot="uniform", seat=8).status_code == 409
    other = next(
        s["seat"] for s in one.table["seats"] if s["seat"] not in (seat, one.table["seat"])
    )
    refused = hand(one, bot="uniform", seat=other)
    assert refused.status_code == 409
    assert "not free" in refused.json()["why"]
    assert hand(one, bot=None, seat=seat).status_code == 409
    assert one.table["seats"][seat - 1]["free"], "nothing has happened"


def test_a_bot_may_be_put_where_a_friend_does_not_come(somebody):
    me = somebody().open(SS, ["me", "open"], you="Ann")
    assert not me.table["begun"]
    assert hand(me, bot="uniform", seat=2).status_code == 200
    assert me.table["begun"]
    assert me.table["seats"][1]["bot"] == "uniform"


def test_leaving_is_asked_for_first_without_scripts_too(client, party):
    one, _ = party(SS, 2)
    page = client.get(f"/t/{one.key}", headers=one.headers).text
    form = page.index(f'action="/t/{one.key}/leave"')
    asked = page.rindex("<details", 0, form)
    assert "</details>" not in page[asked:form]
    assert "Yes, leave the seat" in page[form:]


def test_nobody_leaves_a_game_that_is_over(party):
    one, two = people = party(SS, 2, options={"chips": 3})
    finish(people)
    assert two.post(f"/api/games/{two.key}/leave").status_code == 409
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
    people = party(SS, 2)
    away, (one,) = whose(people)
    seat = away.table["seat"]
    refused = hand(one, bot="uniform", seat=seat)
    assert refused.status_code == 409
    assert "has not been away for long" in refused.json()["why"]
    etag = one.get(f"/api/games/{one.key}").headers["etag"]
    later(170)
    assert not one.table["seats"][seat - 1]["away"], "three minutes are not over"
    later(10)
    assert one.table["seats"][seat - 1]["away"]
    asked = {**one.headers, "If-None-Match": etag}
    assert one.client.get(f"/api/games/{one.key}", headers=asked).status_code == 200, "it is news"
    page = one.get(f"/t/{one.key}").text
    name = one.table["seats"][seat - 1]["name"]
    assert f"{name} is away" in page
    assert hand(one, bot="uniform", seat=seat).status_code == 200
    me = names(one)[one.table["seat"] - 1]
    told = ("put", f"{me} lets a bot (uniform) play for {name}, who is away.")
    assert notices(one)[-1] == told
    assert away.table["seat"] == seat, "it is still theirs"
    page = away.get(f"/t/{away.key}").text
    assert "A bot (uniform) is playing for you." in page
    assert "Play yourself again" in page
    until(lambda: one.table["turn"] != [seat])
    assert hand(one, bot=None, seat=seat).status_code == 409, "only they may"
    assert hand(away, bot=None).status_code == 200
    assert notices(one)[-1] == ("back", f"{name} plays again.")
    assert one.table["seats"][seat - 1]["bot"] is None


def test_who_asks_for_news_is_there(party, later):
    people = party(SS, 2)
    away, (one,) = whose(people)
    seat = away.table["seat"]
    later(180)
    assert one.table["seats"][seat - 1]["away"]
    away.get(f"/t/{away.key}/now")
    assert not one.table["seats"][seat - 1]["away"]
    assert hand(one, bot="uniform", seat=seat).status_code == 409


def test_nobody_is_away_who_is_not_waited_for(party, later):
    people = party(SS, 2)
    actor, (other,) = whose(people)
    later(180)
    seats = actor.table["seats"]
    assert not seats[other.table["seat"] - 1]["away"]
    assert not seats[actor.table["seat"] - 1]["away"]


def test_an_open_page_is_presence_enough(client, party):
    people = party(SS, 2)
    actor, _ = whose(people)
    table = client.app.state.registry.tables[actor.key]
    there, seat = Presence(), actor.table["seat"] - 1
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
    assert one.post(f"/api/games/{one.key}/name", {"you": "Ann"}).status_code == 200
    assert two.post(f"/api/games/{one.key}/name", {"you": "ann"}).status_code == 200
    assert names(one) == ["Ann", "ann (2)"]
    assert notices(one) == [
        ("sat", "Guest (2) sits down."),
        ("renamed", "Guest is now called Ann."),
        ("renamed", "Guest (2) is now called ann (2)."),
    ]
    assert two.post(f"/api/games/{one.key}/name", {"you": "a,b"}).status_code == 422
    assert two.post(f"/api/games/{one.key}/name", {"you": ""}).status_code == 400
    stranger = somebody()
    assert stranger.post(f"/api/games/{one.key}/name", {"you": "Eve"}).status_code == 401
    number = one.table["number"]
    assert one.post(f"/api/games/{one.key}/name", {"you": "Ann"}).status_code == 200
    assert one.table["number"] == number, "who is called so already"
    long = "x" * 40
    assert one.post(f"/api/games/{one.key}/name", {"you": long}).status_code == 200
    assert two.post(f"/api/games/{one.key}/name", {"you": long}).status_code == 200
    assert names(one) == [long, "x" * 35 + " (2)"]


def test_a_new_name_makes_no_choice_old(party):
    actor, _ = whose(party(SS, 2))
    table = actor.table
    actor.post(f"/api/games/{actor.key}/name", {"you": "Ann"})
    assert actor.choose(table["choices"][0]["text"], table["number"]).status_code == 200


def test_the_log_says_what_people_were_called_then_and_says_the_same_after_a_restart(
    party, restarted
):
    people = party(SS, 2)
    for _ in range(3):
        whose(people)[0].act()
    actor, (other,) = whose(people)
    actor.post(f"/api/games/{actor.key}/name", {"you": "Ann"})
    hand(actor, bot="uniform")
    until(lambda: other.table["choices"])
    hand(actor, bot=None)
    other.post(f"/api/games/{actor.key}/leave")
    before, told = log(actor), notices(actor)
    assert any("Guest" in line for line in before)
    assert any(line.startswith("Ann (bot)") for line in before), "bots are marked"
    assert "Ann lets a bot (uniform) play." in before
    restarted(*people)
    assert (log(actor), notices(actor)) == (before, told)


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
    actor.post(f"/api/games/{actor.key}/name", {"you": "Ann"})
    after = actor.table["notices"][-1]["after"]
    assert actor.post(f"/api/games/{actor.key}/undo").status_code == 200
    assert actor.table["notices"][-1]["after"] == after - 1
    assert actor.table["number"] > events
    assert log(actor)[0].endswith("is now called Ann.")


def test_who_is_waited_for_is_named_and_bots_are_called_so(party):
    people = party("secrets", 3)
    for person, name in zip(people, ("Ann", "Ben", "Dee"), strict=True):
        person.post(f"/api/games/{person.key}/name", {"you": name})
    for _ in range(5):
        people[0].act()
    assert "Waiting for Ben and Dee." in people[0].get(f"/t/{people[0].key}").text
    page = people[0].client.get(f"/t/{people[0].key}", headers={}).text
    assert "Waiting for Ben and Dee" in page
    for person in people[1:]:
        page = person.get(f"/t/{person.key}").text
        assert "Your turn" in page
    assert "are to act" not in page
