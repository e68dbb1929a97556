"""The end page: every key, the curve and its jumps, links to positions, another seat's eyes."""

import json
import re
from html import unescape

import pytest
from cases import EACH
from markupsafe import escape

from yegg import games
from yegg.table.render import steps

from .browsing import ANEW, keys, sit
from .conftest import finish
from .moments import MOMENTS

AT = "() => Number(document.getElementById('at').value)"
SHOWN = "() => document.getElementById('moment').dataset.at"


def over(game):
    return next(m for m in MOMENTS if m.game == game and str(m).endswith("over"))


def test_in_a_running_game_nobody_sees_through_another_s_eyes(party):
    people = party("magnate", 2)
    for address in ("?eyes=2", "?eyes=0", "/at/3", "/at/3?eyes=1", "/marks"):
        assert people[0].get(f"/t/{people[0].key}{address}").status_code == 409


def test_in_a_finished_game_all_is_open(party):
    people = party("magnate", 2)
    finish(people)
    key, seen = people[0].key, {}
    for eyes in ("", "1", "2", "0"):
        answer = people[0].get(f"/t/{key}/at/20?eyes={eyes}")
        assert answer.status_code == 200
        hand = re.search(r'aria-label="Your hand">(.*?)</section>', answer.text, re.DOTALL)
        seen[eyes] = re.findall(r'data-piece="card-([\w-]+)"', hand[1]) if hand else []
        unseen = "cards in hand" in answer.text
        assert unseen == (eyes != "0"), "only with all cards open are there no backs"
    assert seen[""] == seen["1"] != seen["2"]
    for eyes in ("3", "x", "-1", "9" * 30):
        assert people[0].get(f"/t/{key}/at/20?eyes={eyes}").status_code == 404
    page = people[0].get(f"/t/{key}?at=20&eyes=2").text
    assert '<option value="2" selected>' in page


@pytest.mark.parametrize("name", EACH)
def test_the_marks_are_where_turns_begin_and_steps_end(name, party):
    people = party(name, games.find(name).usual)
    finish(people)
    marks = people[0].get(f"/t/{people[0].key}/marks").json()
    events = len(people[0].client.app.state.registry.tables[people[0].key].now.match.history)
    for stops in marks.values():
        assert stops == sorted(set(stops))
        assert (stops[0], stops[-1]) == (0, events)
    assert 2 < len(marks["steps"]) <= events + 1


@pytest.mark.parametrize("eyes", ["", "0", "2"])
def test_orders_that_are_carried_out_together_are_seen_part_by_part(party, eyes):
    people = party("secrets", 3)
    finish(people)
    key, client = people[0].key, people[0].client
    table = client.app.state.registry.tables[key]
    told = table.heard(0)
    parts = json.loads(
        unescape(re.search(r'data-between="(.*?)"', people[0].get(f"/t/{key}").text)[1])
    )
    ends = [events for events, line in enumerate(told) if line.event is not None]
    assert list(parts) == list(map(str, ends)), "each turn has parts"
    for events in ends[::3]:
        says = ["The spies come", *map(str, map(escape, told[events].news[1:]))]
        address = f"/t/{key}/at/{events}?eyes={eyes}&part="
        seen = [people[0].get(f"{address}{i}").text for i in range(parts[str(events)] + 1)]
        assert steps.CARRIED not in seen.pop(0)
        assert len(seen) == parts[str(events)] > 3
        for sentence, page in zip(says, seen, strict=False):
            assert sentence in page
        assert len({re.sub(r"<h2.*?</p>", "", page, flags=re.DOTALL) for page in seen}) == len(seen)
        page = people[0].get(f"/t/{key}?at={events}&part=2&eyes={eyes}").text
        assert f"{events + 1} of {len(told)}, part 2 of {len(seen)}" in page
        assert says[1] in page
        assert people[0].get(f"{address}99").text == seen[-1]


def page_at(visitor, server, size="desktop", game="second-story", **how):
    page = visitor(size, **how)
    page.faults = []
    sit(page, server, over(game))
    page.wait_for_selector("#at")
    return page


def comes(page, event):
    page.wait_for_function(f"n => ({AT})() === n", arg=event)
    page.wait_for_function(f"n => ({SHOWN})() === String(n)", arg=event)


@pytest.mark.browser
def test_every_key(visitor, server):
    page = page_at(visitor, server, pace=None)
    page.evaluate("localStorage.setItem('yegg-pace', 'fast')")
    last = page.evaluate(AT)
    turns = page.evaluate("fetch(location.pathname + '/marks').then(a => a.json())")["turns"]
    for key, event in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("Shift+ArrowRight", turns[1]),
        ("Shift+ArrowRight", turns[2]),
        ("ArrowRight", turns[2] + 1),
        ("Shift+ArrowLeft", turns[2]),
        ("Shift+ArrowLeft", turns[1]),
        ("End", last),
    ):
        keys(page, [key])
        comes(page, event)
    keys(page, ["Home", "Space"])
    page.wait_for_function(f"() => ({AT})() >= 3")
    assert page.inner_text("#play-game") == "Stop"
    keys(page, ["Space"])
    page.wait_for_function("() => document.getElementById('play-game').innerText === 'Play'")
    page.wait_for_function("() => !document.body.classList.contains('playing')")
    assert 3 <= page.evaluate(AT) < last


@pytest.mark.browser
def test_slider_keys_and_play_stop_while_orders_are_carried_out(visitor, server):
    page = page_at(visitor, server, game="secrets", pace=None)
    page.evaluate("localStorage.setItem('yegg-pace', 'fast')")
    parts = json.loads(page.get_attribute(".slider", "data-between"))
    event, many = min(((int(at), many) for at, many in parts.items()), key=lambda one: one[1])
    page.fill("#at", str(event))
    comes(page, event)
    for part in range(1, many + 1):
        keys(page, ["ArrowRight"])
        comes(page, round(event + part / (many + 1), 6))
        assert page.inner_text("output").endswith(f", part {part} of {many}")
        assert page.inner_text("#moment .turn h2") == steps.CARRIED
    for step, at in (("ArrowRight", event + 1), ("ArrowLeft", round(event + many / (many + 1), 6))):
        keys(page, [step])
        comes(page, at)
    page.evaluate(
        """(at) => {
        const slider = document.getElementById("at");
        slider.value = at;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
    }""",
        event + 1.2 / (many + 1),
    )
    comes(page, round(event + 1 / (many + 1), 6))
    assert page.input_value("#fork-at") == str(event)
    page.evaluate("""() => {
        window.seen = [];
        const note = () => seen.push(document.getElementById("moment").dataset.at);
        new MutationObserver(note).observe(document.getElementById("moment"), {attributes: true});
    }""")
    keys(page, ["Space"])
    page.wait_for_function("at => seen.includes(String(at))", arg=event + 1)
    keys(page, ["Space"])
    wanted = [round(event + part / (many + 1), 6) for part in range(2, many + 1)]
    assert [float(at) for at in page.evaluate("[...new Set(seen)]")][: many - 1] == wanted


@pytest.mark.browser
def test_a_link_into_a_turn_of_secrets_shows_the_same_elsewhere(visitor, server):
    page = page_at(visitor, server, game="secrets")
    event, many = next(iter(json.loads(page.get_attribute(".slider", "data-between")).items()))
    page.goto(f"{page.url.partition('?')[0]}?at={event}&part=2")
    at = round(int(event) + 2 / (many + 1), 6)
    assert float(page.input_value("#at")) == at
    shown = page.inner_text("#moment")
    keys(page, ["ArrowRight"])
    comes(page, round(int(event) + 3 / (many + 1), 6))
    assert page.inner_text("#moment") != shown
    keys(page, ["ArrowLeft"])
    comes(page, at)
    assert page.inner_text("#moment") == shown


@pytest.mark.browser
@pytest.mark.parametrize("game", [pytest.param("magnate", marks=pytest.mark.wide), "thiefs-market"])
def test_a_link_pasted_elsewhere_shows_the_same(visitor, server, game):
    page = page_at(visitor, server, game=game)
    page.evaluate("""() => Object.defineProperty(navigator, "clipboard", {
        value: {writeText: async (text) => { window.copied = text; }}})""")
    keys(page, ["Home", *["ArrowRight"] * 20])
    comes(page, 20)
    page.select_option("#eyes", "0")
    page.wait_for_selector("#moment[data-eyes='0']")
    page.click("#copy-moment")
    page.wait_for_function("() => window.copied")
    link, shown = page.evaluate("copied"), page.text_content("#moment")
    elsewhere = visitor("phone")
    elsewhere.goto(link)
    for one in (elsewhere, page, page):
        assert one.input_value("#at") == "20"
        assert one.inner_text("output").startswith("20 of ")
        assert one.input_value("#eyes") == "0"
        assert one.text_content("#moment").split() == shown.split()
        one.evaluate(ANEW)


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("size", ["desktop", pytest.param("phone", marks=pytest.mark.wide)])
def test_the_curve_comes_when_the_coach_is_ready_and_costly_moments_are_jumps(
    visitor, server, size
):
    page = page_at(visitor, server, size)
    page.wait_for_selector("#course .curve")
    box, way = (page.locator(s).bounding_box() for s in ("#course .curve", "#at"))
    assert abs((box["x"] + box["width"] / 2) - (way["x"] + way["width"] / 2)) < 2
    assert box["y"] + box["height"] <= way["y"]
    lines = page.locator("#course .line").count()
    assert lines >= 4, "each player has a line and a key"
    jump = page.locator(".jumps a").first
    event = int(jump.get_attribute("data-at"))
    jump.click()
    comes(page, event)
    assert jump.get_attribute("aria-current") == "true"
    assert page.locator("#course .jump").count() == page.locator(".jumps a").count()
