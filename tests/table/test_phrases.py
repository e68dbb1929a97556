"""A word across the table: eight phrases, one in five seconds, kept nowhere, and not for all."""

import asyncio

import pytest

from yegg.table.domain import phrases_and_emotes as phrases
from yegg.table.http import event_stream as streams
from yegg.table.render.json_view import as_json

from .devices import Device
from .people import SS, Player, finish
from .serving import awaited


@pytest.fixture
def table(party, client):
    """A table, and the two people at it."""
    people = party(SS, 2)
    return client.app.state.registry.table(people[0].key), people


def say(person, phrase):
    return person.do("phrases", phrase=phrase)


def sent(table, *, hears):
    """Everything that a stream sends before it sleeps."""

    async def listen():
        flow = streams.stream(table, streams.Listener(None, as_json, -1, hears))
        out = b""
        while True:
            try:
                out += await asyncio.wait_for(anext(flow), 1 if out else 30)  # the first draws all
            except TimeoutError:
                return out

    return awaited(listen())


def test_a_phrase_is_heard_at_the_table(table):
    room, (ann, _) = table
    assert say(ann, 3).status_code == 200
    name = room.now.seats[0].name.encode()
    told = b'event: phrase\ndata: {"seat":1,"name":"%b","text":"Well played"}\n\n' % name
    heard = sent(room, hears=True)
    assert heard.count(told) == 1
    assert b"event: view" in heard


def test_a_switched_off_phrase_is_not_sent_at_all(table):
    room, (ann, _) = table
    say(ann, 4)
    heard = sent(room, hears=False)
    assert b"event: view" in heard
    assert b"Ouch" not in heard
    assert b"phrase" not in heard


def until_said(lines, text):
    """The lines of a stream up to one that says this, or the second sign of life without it."""
    seen, beats = [""], 0
    while beats < 2 and text not in seen[-1]:
        seen.append(next(lines))
        beats += seen[-1] == "event: beat"
    return seen


@pytest.mark.parametrize(("query", "cookie", "hears"), [
    ("view=html", "", True),
    ("view=html", "yes", False),
    ("view=json", "", False),
    ("view=json&phrases=true", "", True),
    ("view=json&phrases=true", "yes", False),
])  # fmt: skip
def test_who_hears_phrases(served, query, cookie, hears):
    """By what a real stream sends: one that hears all is the measure for those that do not."""
    ann, ben = Player(served.client).open(), Player(served.client)
    assert ben.join(ann.key).status_code == 200
    head = {"Cookie": f"yegg-deaf={cookie}"} if cookie else {}
    path = f"/api/games/{ann.key}/events?{query}"
    all_ears = ben.lines(phrases="true")
    with served.client.stream("GET", path, headers=head) as stream:
        lines = stream.iter_lines()
        for ear in (all_ears, lines):
            next(line for line in ear if line.startswith("data"))
        assert say(ann, 3).status_code == 200
        assert "Well played" in until_said(all_ears, "Well played")[-1]
        if not hears:  # the next event ends the phrase: nothing came before it
            assert ann.do("name", you="Ann the Quiet").status_code == 200
        seen = until_said(lines, "Well played" if hears else "Ann the Quiet")
    all_ears.close()
    assert any("Well played" in line for line in seen) == hears


def test_one_phrase_in_five_seconds(table, monkeypatch):
    room, (ann, ben) = table
    assert say(ann, 1).status_code == 200
    late = say(ann, 2)
    assert (late.status_code, late.headers["retry-after"]) == (429, "5")
    assert "one phrase in five seconds" in late.json()["why"]
    assert say(ben, 2).status_code == 200, "each has five seconds of their own"
    assert [p.text for p in room.phrases.after(0)] == ["Hello", "Good luck"]
    room.phrases.spoke[0] -= phrases.PAUSE
    assert say(ann, 2).status_code == 200
    assert [(p.seat, p.text) for p in room.phrases.after(0)] == [(1, "Good luck"), (0, "Good luck")]


def test_it_is_gone_with_the_next_event_and_in_no_record(table):
    room, people = table
    before = [person.get(f"/api/games/{room.key}/record").text for person in people]
    number = room.now.number
    for person in people:
        say(person, 5)
    assert room.now.number == number, "a phrase is no event"
    assert [person.get(f"/api/games/{room.key}/record").text for person in people] == before
    assert not any("What luck" in str(person.table) for person in people)
    assert len(room.phrases.after(0)) == 2
    next(person for person in people if person.act())
    assert room.phrases.after(0) == []


def test_one_may_say_something_after_the_end_too(party):
    people = party(SS, 2, options={"chips": "3"})
    finish(people)
    assert say(people[1], 8).status_code == 200


def test_there_are_eight_phrases_and_no_free_words_and_only_who_sits_there_speaks(table, somebody):
    room, (ann, _) = table
    for phrase in (0, 15, -1, "Ouch", None, 1.5, "1", 10**30, [1]):
        assert say(ann, phrase).status_code == 400, phrase
    assert say(somebody(9).at(room.key), 1).status_code == 401
    assert not room.phrases.said
    assert ann.get("/api/about").json()["phrases"] == list(phrases.PHRASES)
    assert len(phrases.PHRASES) == 8


# Emotes -----------------------------------------------------------------------------------

FIRST = len(phrases.PHRASES) + 1


def test_an_emote_is_a_phrase_with_a_sign(table):
    room, (ann, ben) = table
    assert ann.get("/api/about").json()["emotes"] == list(phrases.EMOTES)
    assert len(phrases.EMOTES) == 6
    number = room.now.number
    assert say(ann, FIRST).status_code == 200
    assert say(ann, FIRST + 1).status_code == say(ann, 1).status_code == 429, "one in five seconds"
    assert say(ben, FIRST + 5).status_code == 200
    heard = sent(room, hears=True)
    assert b'"text":"tips the hat","sign":"hat"' in heard
    assert b'"text":"raises a glass","sign":"glass"' in heard
    assert b"sign" not in sent(room, hears=False), "whoever is deaf is sent none"
    assert room.now.number == number, "an emote is no event"
    next(person for person in (ann, ben) if person.act())
    assert room.phrases.after(0) == [], "gone with the next event"


def test_where_a_bot_plays_there_are_no_emotes_but_phrases(somebody, client):
    ann, ben = somebody(0), somebody(1)
    ann.open(SS, ["me", "open", "uniform"])
    ben.join(ann.key)
    refused = say(ann, FIRST)
    assert (refused.status_code, "people only" in refused.json()["why"]) == (409, True)
    assert say(ann, 1).status_code == 200
    for bots in (["me", "uniform"], ["me", "open"]):
        alone = somebody(2).open(SS, bots)
        assert say(alone, FIRST).status_code == 409


def test_pages_offer_emotes_where_people_play_with_people(party, somebody):
    shown = 'id="emotes">'
    ann, _ = party(SS, 2)
    assert shown in ann.page()
    assert 'data-people="yes"' in ann.page("/now")
    alone = somebody(2).open(SS, ["me", "uniform"])
    assert shown not in alone.page()
    assert 'data-people=""' in alone.page("/now")
    assert 'id="emotes"' not in somebody(3).at(ann.key).page(), "nor to those who watch"


def test_forms_say_and_switch_off(table, client):
    room, (ann, _) = table
    device, at = Device(client), f"/t/{room.key}"
    device.cookies["yegg"] = ann.token
    for phrase in ("", "0", "99", "Ouch", "15", "112"):
        assert device.post(f"{at}/say", phrase=phrase).status_code == 409, phrase
    assert device.ask("POST", f"{at}/say", data={"phrase": "1"}).status_code == 403, "forged"
    device.post(f"{at}/say", phrase="4")
    assert [p.text for p in room.phrases.said] == ["Ouch"]
    device.post(f"{at}/hear")
    assert device.cookies["yegg-deaf"] == "yes"
    assert "Hear phrases of others again" in device.get(at).text
    device.post(f"{at}/hear", hear="yes")
    assert device.cookies["yegg-deaf"] == "no"
