"""What has happened, step by step: what a seat sees of it, and where a step begins."""

import re
from types import SimpleNamespace

import pytest
from markupsafe import escape

from yegg import games
from yegg.engine import CHANCE
from yegg.engine.secrecy import Heard
from yegg.games.second_story.face import face
from yegg.games.second_story.state import Choice as Job
from yegg.table.render import steps
from yegg.table.service.bot_driver import BotDriver

from .conftest import opened
from .laid import Moment, lay


def shown(person, after=None):
    since = "" if after is None else f"?after={after}"
    answer = person.get(f"/t/{person.key}/steps{since}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def table_of(client, person):
    return client.app.state.registry.tables[person.key]


@pytest.mark.wide(but=["second-story"])
@pytest.mark.parametrize("name", games.names())
def test_steps_cover_everything_and_each_looks_like_the_table(name, client, party, monkeypatch):
    monkeypatch.setattr(steps, "MOST", 100)
    people = party(name, games.find(name).usual)
    for _ in range(24):
        any(person.act() for person in people)
    table = table_of(client, people[0])
    for whole in steps.together(table.shown, 0), steps.beats(table.shown, 0):
        ends = [0, *(step.last for step in whole)]
        assert [step.first for step in whole] == ends[:-1]
        assert ends[-1] == len(table.now.match.history)
    seen = shown(people[0], 0)
    parts = [one for one in seen if one["pause"] == steps.PART]
    assert {one["events"] for one in parts} <= set(ends[1:])
    drawn = [one["events"] for one in seen if one not in parts]
    assert drawn == ends[:-1][-len(drawn) :]
    for one in seen:
        assert f'data-events="{one["events"]}"' in one["html"]
        assert 'name="choice"' not in one["html"], "nothing is to be chosen in the past"
        assert 0 < one["pause"] < 20


def test_what_one_player_or_chance_does_several_times_in_a_row_is_one_step(client, party):
    people = party("thiefs-market", 4)
    first = steps.together(table_of(client, people[0]).shown, 0)
    words = table_of(client, people[0]).shown.teller.words
    assert [words[step.first].split()[0] for step in first] == ["deal", "roll"]
    assert first[1].last - first[1].first > 5


def test_many_dice_or_objects_in_a_row_are_counted(client, party):
    people = party("thiefs-market", 4)
    now = table_of(client, people[0]).now.fork()
    now.called = ((0, ["Ann", "Bill", "Vera <V>", "Cy"]),)
    some = [Heard(CHANCE, "roll bag", "A die shows a bag.")] * 11
    said = steps.headline(now, some)["asks"]
    assert said == "The dice show 11 bags."
    some = [Heard(2, "take red", "Vera <V> takes a red gem.", does=("takes", "a red gem"))] * 2
    assert steps.headline(now, some)["asks"] == "Vera &lt;V&gt; takes two red gems."


def test_orders_that_are_carried_out_together_are_one_step(client, party):
    people = party("secrets", 3)
    table = table_of(client, people[0])
    while not table.now.match.history:
        any(person.act() for person in people)
    assert len(steps.together(table.shown, 0)) == 1
    before, come, *parts = shown(people[0], 0)
    assert (before["events"], come["events"]) == (0, len(table.now.match.history))
    assert "The spies come to the secrets." in come["html"]
    meetings = table.shown.heard(0)[-1].event.meetings
    assert len(parts) == len(meetings) > 3, "then one after the other, and then what is there now"
    for part, sentence in zip(parts, table.shown.heard(0)[-1].news[1:], strict=True):
        assert str(escape(sentence)) in part["html"]


@pytest.mark.parametrize("name", ["magnate", "secrets"])
def test_a_step_is_drawn_from_what_the_seat_could_know_then(name, client, party):
    people = party(name, games.find(name).usual)
    table = table_of(client, people[0])
    for _ in range(25):
        any(person.act() for person in people)
    for seat in range(-1, len(people)):
        told = table.shown.heard(seat)
        for events in range(0, len(told), 3):
            there, blank = table.now.earlier(events), table.now.earlier(events)
            blank.match.states[:] = there.match.known_to(seat)  # whatever is hidden is gone
            blank.follow([])
            step = steps.Step(events, events)
            pages = [steps.page(table.view(seat), at, told[:events], step) for at in (there, blank)]
            assert str(pages[0]["scene"]) == str(pages[1]["scene"])


def test_a_hidden_card_is_in_no_step_of_the_other(client, party):
    people = party("magnate", 2)
    table = table_of(client, people[0])
    for _ in range(6):
        any(person.act() for person in people)
    own, other = (str(shown(person, 0)) for person in people)
    held = re.findall(r'class="card paper" data-piece="card-([\w-]+)"', own)
    played = " ".join(table.shown.teller.texts(table.now.match, -1))
    hidden = {card for card in held if card not in played}
    assert hidden
    assert not [card for card in hidden if f"card-{card}" in other]


def test_the_last_turn_begins_where_ones_own_ended():
    actors = [-1, 0, -1, 0, 0, -1, 1, -1, 2, 2, -1]
    assert steps.last_turn(actors, 0) == 5
    assert steps.last_turn(actors, 1) == 7
    assert steps.last_turn(actors, 2) == 0, "who has not seen the others act since"
    assert steps.last_turn(actors, -1) == 7
    assert steps.last_turn([-1, -1], 0) == 0


def fled(match):
    """Whether a game is over in which the first player has given up a night."""
    gave_up = (0, Job.FLEE)
    return match.over and gave_up in zip(match.actors, match.history, strict=True)


@pytest.mark.wide
def test_a_failed_night_is_looked_at_longer_and_only_once(settings, monkeypatch):
    """A game that is the same on every machine, of which every step is drawn."""
    monkeypatch.setattr(steps, "MOST", 10_000)
    monkeypatch.setattr(steps, "EVENTS", 10_000)
    moment = Moment("second-story", "fled", 2, fled, (("chips", "8"),), ("continue", "quick"))
    path = lay(settings.db, [moment])[str(moment)].path
    with opened(settings) as client:
        assert client.get(path).status_code == 200
        table = client.app.state.registry.tables[moment.key]
        seen, told = list(steps.each_beat(table.view(0), 0)), table.shown.heard(0)
    falls = [one.html.count('class="fall ') for one in seen]
    assert falls == [one.pause > 1 for one in seen]
    failed = [i for i, one in enumerate(told, 1) if one.event.detected and one.actor != 0]
    shown = [one.events for one, fell in zip(seen, falls, strict=True) if fell]
    assert shown == [event for event in failed if event < len(told)]
    assert len(shown) > 5


def test_steps_are_for_those_who_may_see_the_table(client, somebody):
    assert somebody().get("/t/AAAAAAAAAAAAAAAAAAAAAA/steps").status_code == 404
    assert somebody().get("/t/AAAAAAAAAAAAAAAAAAAAAA/steps?after=x").status_code in (400, 404)


def test_a_script_imports_others_by_addresses_that_change_with_them(client):
    page = client.get("/").text
    address = next(word for word in page.split('"') if word.startswith("/static/table.js?"))
    script = client.get(address).text
    imported = [word for word in script.split('"') if word.startswith("./")]
    assert imported
    assert all("?" in word for word in imported)
    for word in imported:
        assert client.get(f"/static/{word[2:]}").status_code == 200


# What has gone wrong is seen before play goes on


@pytest.mark.wide
def test_bots_wait_where_a_face_says_that_people_must_see_something_first(client, party):
    people = party("second-story", 2, options={"chips": "8"})
    table = client.app.state.registry.tables[people[0].key]
    waited = 0
    while not people[0].table["over"]:
        told = table.shown.heard(-1, 80)
        night = told[-int(table.now.match.state.turned) :]
        decided = any(line.actor != CHANCE for line in night)
        assert not (decided and table.driver.look() > 1), "it has been seen already"
        assert table.driver.look() == face.pause(
            table.now.match.state, [line.event for line in told]
        )
        waited += table.driver.look() > 1
        any(person.act() for person in people)
    assert waited > 0


def test_bots_do_not_wait_where_there_is_no_such_thing(client, party):
    people = party("secrets", 3)
    assert client.app.state.registry.tables[people[0].key].driver.look() == 1


# The show: beats, and what takes too long to show


def test_all_that_happens_at_a_house_is_one_beat(client, party):
    people = party("second-story", 3)
    for _ in range(30):
        any(person.act() for person in people)
    table = table_of(client, people[0])
    words = [text.split()[0] for text in table.shown.teller.words]
    shown_together = steps.beats(table.shown, 0)
    assert {words[beat.first] for beat in shown_together} == {"flip"}
    assert sum(words[beat.first : beat.last].count("flip") for beat in shown_together) > 3


def test_more_than_can_be_shown_in_time_is_told_in_a_sentence(client, party, monkeypatch):
    monkeypatch.setattr(steps, "MOST", 4)
    people = party("second-story", 3, options={"chips": "3"})
    while not people[0].table["over"]:
        any(person.act() for person in people)
    (told,) = shown(people[0], 0)
    assert not told["html"]
    match = table_of(client, people[0]).now.match
    acted = {match.names[actor] for actor in match.actors if actor >= 0}
    assert {name for name in match.names if name in told["says"]} == acted
    assert re.search(r" played \d+ turns\. The game is over: .* wins?\.$", told["says"])
    assert shown(people[0], told["events"] - 3)[0]["html"], "a few events are shown"


def test_bots_wait_for_those_who_watch_only_where_nobody_plays():
    person, bot = SimpleNamespace(person="vera", bot=None), SimpleNamespace(person=None, bot="easy")
    handed = SimpleNamespace(person="vera", bot="easy")
    for seats, waits in (((person, bot), False), ((bot, bot), True), ((handed, bot), True)):
        now = SimpleNamespace(seats=seats, secret=False, sealed=False)
        elsewhere, house = SimpleNamespace(watchers=()), SimpleNamespace(pace=0.6)
        table = SimpleNamespace(now=now, house=house, watchers={0: 1.0}, elsewhere=elsewhere)
        driver = BotDriver(table)
        driver.look = lambda: 1.0
        assert bool(driver.wait("easy")) == waits
