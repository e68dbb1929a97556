"""The coach at the table: advice for those who may ask, and reviews for everybody."""

import asyncio
import re
import threading
import tracemalloc
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import numpy as np
import pytest
from waiting import until

from yegg.coach import advice
from yegg.coach.advice import FIRST_SIGHT
from yegg.lessons.puzzle import COSTLY
from yegg.players.thinking.plan import Plan
from yegg.table.http.routes import coach as coach_page
from yegg.table.service import coach, compiling

from .people import SS, Player, finish, refused, whose


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    """Let the coach think equally long every time."""
    monkeypatch.setattr(coach, "ADVICE", Plan(iterations=60))
    monkeypatch.setattr(coach, "REVIEW", Plan(iterations=200))


@pytest.fixture
def warm(client):
    """Have the coach compiled for a game, here, so that nobody waits for it."""

    def ready(game):
        compiling.warm(game, coach.COACH)
        for done in client.app.state.registry.thinkers.compiling.ask((game, coach.COACH)):
            done.result(timeout=30)

    return ready


def ask(person, what="advice"):
    return person.get(f"/api/games/{person.key}/{what}")


def test_advice_tells_what_each_choice_is_worth(party, warm):
    warm(SS)
    people = party(SS, 2)
    me = whose(people)[0]
    table, said = me.table, ask(me)
    assert said.status_code == 200, said.text
    found = said.json()
    assert (found["seat"], found["number"]) == (table["seat"], table["number"] + 1)
    assert {c["text"] for c in found["choices"]} == {c["text"] for c in table["choices"]}
    for choice in found["choices"]:
        low, high = choice["interval"]
        assert 0 <= low <= choice["win"] <= high <= 1
        assert choice["why"]
    assert sum(choice["policy"] for choice in found["choices"]) == pytest.approx(1)
    assert ask(me).json() == found, "asked again, it says the same"
    after = me.table
    told, lantern = after.pop("notices"), {"number": table["number"] + 1, "notices": []}
    assert after | lantern == table | lantern, "asking changes nothing"
    assert [(one["kind"], one["text"]) for one in told[len(table["notices"]) :]] == [
        ("coach", f"{me.name} asks the coach.")
    ]
    assert people[1 - people.index(me)].page().count('title="asks the coach"') == 1


def test_what_there_was_no_time_to_try_has_no_chance(party, warm, monkeypatch):
    thought = advice.think

    def hasty(*how):
        found = thought(*how)
        tried = np.arange(len(found.tries)) < 3
        return replace(found, tries=found.tries * tried, sample=found.sample * tried)

    monkeypatch.setattr(advice, "think", hasty)
    warm("secrets")
    choices = ask(party("secrets", 3)[0]).json()["choices"]
    untried = [one for one in choices if one["why"] == "there was no time to try it"]
    assert untried
    assert {(one["win"], one["interval"]) for one in untried} == {(None, None)}
    assert all(one["win"] is not None for one in choices if one not in untried)


def test_the_page_says_the_same_beside_each_choice(client, party, warm):
    warm(SS)
    me = whose(party(SS, 2))[0]
    whole = me.page("/advice")
    piece = me.page("/advice?bare=true")
    for choice in me.table["choices"]:
        assert f'data-choice="{choice["text"]}"' in whole
        assert f'data-choice="{choice["text"]}"' in piece
    assert "<html" in whole
    assert "<html" not in piece
    assert piece.count('class="bar-of"') == len(me.table["choices"])
    assert "style=" not in piece


def test_who_may_not_ask_is_told_so(client, party, warm):
    warm(SS)
    people = party(SS, 2)
    _, other = whose(people)
    assert ask(other).status_code == 409
    assert ask(Player(client).open().at(other.key)).status_code == 401
    me = whose(party(SS, 2, odds=False))[0]
    assert not me.table["advice"]
    for what in ("advice", "odds"):
        refused(ask(me, what), 403, "not allowed")
    assert "coach-ask" not in me.page()


def test_odds_are_told_on_request(party):
    me = whose(party(SS, 2))[0]
    odds = ask(me, "odds").json()
    assert set(odds) == {choice["text"] for choice in me.table["choices"]}
    assert all("%" in text for choice, text in odds.items() if choice != "stop")


def test_orders_of_others_under_seal_change_no_advice(client, party, warm):
    warm("secrets")
    people = party("secrets", 3)
    before = ask(people[0]).json()
    for _ in range(5):
        assert people[1].act()
    client.app.state.registry.coach.asked.clear()
    after = ask(people[0]).json()
    after["number"] = before["number"]  # of those who are ready
    assert after == before


def test_too_many_are_asked_to_wait(party, warm, monkeypatch):
    warm(SS)
    monkeypatch.setattr(coach, "QUEUE", 0)
    answer = ask(whose(party(SS, 2))[0])
    assert answer.status_code == 503
    assert answer.headers["retry-after"]


def test_a_coach_that_is_not_compiled_advises_at_first_sight(client, party, warm, monkeypatch):
    warm(SS)
    queue = client.app.state.registry.thinkers.compiling
    first = []
    with monkeypatch.context() as not_yet:
        not_yet.setattr(queue, "cold", lambda *_: True)
        not_yet.setattr(queue, "first", lambda game, what: first.append((game.name, what)))
        me = whose(party(SS, 2))[0]
        answer = ask(me)
        assert answer.status_code == 200, answer.text
        assert answer.json()["at_first_sight"]
        whys = [choice["why"] for choice in answer.json()["choices"]]
        assert all("at first sight" in why for why in whys)
        assert not any("in 100" in why for why in whys), "no price without a reason"
        texts = {choice["text"] for choice in answer.json()["choices"]}
        assert texts == {choice["text"] for choice in me.table["choices"]}
        page = me.page("/advice")
        assert FIRST_SIGHT in page
        assert "futures that were tried" not in page
        assert set(first) == {(SS, coach.COACH)}, "it is compiled before others"
    assert not ask(me).json()["at_first_sight"], "once it is compiled it thinks, at the same turn"
    page = me.page("/advice")
    assert FIRST_SIGHT not in page
    assert "futures that were tried" in page


def test_a_coach_that_is_not_compiled_looks_back_later(client, party, monkeypatch):
    queue = client.app.state.registry.thinkers.compiling
    people = party(SS, 2, options={"chips": 3})
    finish(people)
    monkeypatch.setattr(queue, "cold", lambda *_: True)
    monkeypatch.setattr(queue, "first", lambda *_: None)
    answer = ask(people[0], "review")
    refused(answer, 503, "prepared")
    assert answer.headers["retry-after"]


@pytest.mark.wide
def test_a_thinking_coach_delays_nobody(party, warm, monkeypatch):
    warm(SS)
    me, others = whose(party(SS, 2))[0], party(SS, 2)
    begun, enough = threading.Event(), threading.Event()

    def slow(*_):
        begun.set()
        enough.wait(30)
        raise RuntimeError

    monkeypatch.setattr(coach, "advise", slow)
    asking = threading.Thread(target=ask, args=[me])
    asking.start()
    assert begun.wait(30)
    for _ in range(5):
        assert whose(others)[0].act()
    assert asking.is_alive()
    enough.set()
    asking.join()


def test_after_a_game_everybody_may_see_its_review(client, party, warm, somebody):
    warm(SS)
    people = party(SS, 2, options={"chips": 3})
    key = people[0].key
    assert ask(people[0], "review").status_code == 409
    finish(people)
    anybody = somebody()
    anybody.key = key
    page = anybody.get(f"/t/{key}/review")
    assert page.status_code == 200
    found = until(lambda: ask(anybody, "review").json()["review"])
    events = int(re.search(r'data-events="(\d+)"', people[0].get(f"/t/{key}").text)[1])
    assert len(found["curve"]) == events + 1
    for side, name in enumerate(found["sides"]):
        change = found["curve"][-1][side] - found["curve"][0][side]
        assert found["luck"][name] + found["decisions"][name] == pytest.approx(change, abs=0.001)
    page = anybody.get(f"/t/{key}/review").text
    assert 'role="img" aria-labelledby="plot-is plot-says"' in page
    assert page.count('<path class="line p') == 4, "two lines, each with its sample"
    assert page.count("Better: ") == len(found["costliest"])
    assert all(slip["why"] in unescape(page) for slip in found["costliest"])
    links = re.findall(r'href="(/t/[^"]*\?at=\d+)#moment"', page)
    assert links
    assert f"After event {links[-1].partition('=')[2]}" in client.get(links[-1]).text
    assert "style=" not in page
    costly = [slip for slip in found["costliest"] if slip["cost"] > COSTLY]
    for slip in costly:
        assert f'form="fork" name="at" value="{slip["event"] - 1}"' in page, "it can be tried again"
    assert page.count("Try again from here") == len(costly)


def test_ones_own_costly_choices_can_be_tried_again(monkeypatch, client, party, warm):
    warm(SS)
    monkeypatch.setattr(coach_page, "COSTLY", 0.0)
    ann, ben = people = party(SS, 2, options={"chips": 3})
    finish(people)
    found = until(lambda: ask(ann, "review").json()["review"])
    for me, name in ((ann, found["sides"][0]), (ben, found["sides"][1])):
        page = me.get(f"/t/{ann.key}/review").text
        mine = [slip["event"] - 1 for slip in found["costliest"] if slip["player"] == name]
        assert [int(at) for at in re.findall(r'name="at" value="(\d+)"', page)] == mine


def test_advice_for_a_thousand_tables_takes_no_more_room_than_for_a_few(client, monkeypatch):
    """Each table's coach is asked once; its table is then as good as gone."""
    registry = client.app.state.registry
    mind = coach.Coach(registry.thinkers)

    async def advise(*_):
        return bytearray(10_000)

    monkeypatch.setattr(mind, "_think", advise)
    monkeypatch.setattr(mind, "ready", lambda _: True)
    monkeypatch.setattr(coach, "light", lambda *_: asyncio.sleep(0))  # nobody else is there
    table = SimpleNamespace(
        odds=True,
        deal=None,
        row=SimpleNamespace(id=1),
        now=SimpleNamespace(
            turn_of=lambda _: SimpleNamespace(fork=lambda: None), since=[0, 0], seen=[0, 0]
        ),
    )

    async def ask_all(first, last):
        for n in range(first, last):
            table.key = f"table {n}"
            await mind.advise(table, 0)
            assert await mind.advise(table, 0) is await mind.advise(table, 0), "worked out once"

    with client.portal() as portal:
        tracemalloc.start()
        portal.call(ask_all, 0, 200)
        few, _ = tracemalloc.get_traced_memory()
        portal.call(ask_all, 200, 1200)
        many, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert len(mind.asked) == coach.KEPT
    assert many - few < 1_000_000, "a thousand would be ten million bytes"
