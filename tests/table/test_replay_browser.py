"""The end page in a browser: its keys, the curve, links to positions, going on from there."""

import json

import pytest

from yegg import games
from yegg.table.render import steps

from .browsing import ANEW, keys, may_act, sit
from .moments import MOMENTS
from .page_checks import found
from .test_coach_browser import compiled, looked_back

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide

AT = "() => Number(document.getElementById('at').value)"
SHOWN = "() => document.getElementById('moment').dataset.at"


def over(game):
    return next(m for m in MOMENTS if m.game == game and str(m).endswith("over"))


# Positions with the most choices: the event, whose they are, and two of the choices.
COSTLY = """async () => {
    const last = Number(document.getElementById("at").max);
    const own = document.body.dataset.seat;
    const eyes = [...document.getElementById("eyes").options].map(o => o.value);
    const events = Array.from({length: 24}, (_, i) => Math.floor((i + 0.5) * last / 24));
    const found = [];
    for (const at of events) for (const eye of eyes.filter(eye => eye !== "0")) {
        const html = await (await fetch(`${location.pathname}/at/${at}?eyes=${eye}`)).text();
        const drawn = new DOMParser().parseFromString(html, "text/html");
        const choices = "button[name=choice]:not([aria-disabled])";
        const texts = [...new Set([...drawn.querySelectorAll(choices)].map(b => b.value))];
        const seat = eye || String(Number(own) + 1);
        if (texts.length > 1) found.push({at, seat, texts});
    }
    found.sort((a, b) => b.texts.length - a.texts.length);
    return found.slice(0, 5).map(({at, seat, texts}) => [at, seat, texts[0], texts.at(-1)]);
}"""
# A costly choice as the coach would tell it; the press shows it.
TOLD = """([at, seat, chosen, better]) => {
    const jump = Object.assign(document.createElement("a"), {className: "btn", href: "#moment"});
    Object.assign(jump.dataset, {at, seat, chosen, better});
    const list = Object.assign(document.createElement("ol"), {className: "jumps"});
    list.append(jump);
    document.getElementById("turned").replaceChildren(list);
    jump.click();
}"""
# What is wrong with the marks; on a phone they may lie apart, and the last one is in sight.
ILL_MARKED = """(phone) => {
    const moment = document.getElementById("moment");
    const floor = document.querySelector(".slider").getBoundingClientRect().top;
    const faults = [];
    if (!phone && moment.scrollHeight > moment.clientHeight + 1)
        faults.push(`it scrolls: ${moment.scrollHeight} in ${moment.clientHeight}`);
    for (const mark of ["chosen", "better"]) {
        const drawn = [...moment.querySelectorAll(`[data-mark=${mark}]`)]
            .filter(e => e.checkVisibility() && (e.matches("summary") || !e.closest("details")));
        if (!drawn.length) faults.push(`nothing is ${mark}`);
        const seen = drawn.filter(e => {
            const r = e.getBoundingClientRect();
            const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
            return r.top > 0 && r.bottom < floor + 1 && (e.contains(hit) || hit?.contains(e));
        });
        const wanted = phone ? mark === "better" : true;
        if (wanted && (phone ? !seen.length : seen.length < drawn.length))
            faults.push(`${mark} is out of sight`);
    }
    return faults;
}"""


def page_at(visitor, size="desktop", game="second-story", **how):
    page = visitor(size, **how)
    sit(page, over(game))
    page.wait_for_selector("#at")
    return page


def comes(page, event):
    page.wait_for_function(f"n => ({AT})() === n", arg=event)
    page.wait_for_function(f"n => ({SHOWN})() === String(n)", arg=event)


@pytest.mark.wide
def test_every_key(visitor):
    page = page_at(visitor, pace=None)
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


@pytest.mark.wide
def test_slider_keys_and_play_stop_while_orders_are_carried_out(visitor):
    page = page_at(visitor, game="secrets", pace=None)
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


@pytest.mark.wide
def test_a_link_into_a_turn_of_secrets_shows_the_same_elsewhere(visitor):
    page = page_at(visitor, game="secrets")
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


@pytest.mark.parametrize("game", [pytest.param("magnate", marks=pytest.mark.wide), "thiefs-market"])
def test_a_link_pasted_elsewhere_shows_the_same(visitor, game):
    page = page_at(visitor, game=game)
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


@pytest.mark.wide
@pytest.mark.parametrize("size", ["desktop", pytest.param("phone", marks=pytest.mark.wide)])
def test_the_curve_comes_when_the_coach_is_ready_and_costly_moments_are_jumps(visitor, size):
    compiled("second-story")
    page = page_at(visitor, size)
    page.click("text=How it went")
    looked_back(page)  # which may take as long as it gets on
    page.go_back()
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
    for mark in ("chosen", "better"):
        marked = page.locator(f"#moment [data-mark={mark}]").first
        assert marked.get_attribute("value") == jump.get_attribute(f"data-{mark}")
        assert marked.is_visible()
        assert marked.is_disabled()
    assert page.locator("#course .jump").count() == page.locator(".jumps a").count()


@pytest.mark.parametrize("size", ["desktop", "small", "phone"])
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=WIDE) if g != "thiefs-market" else g for g in games.names()]
)
def test_a_costly_choice_is_marked_on_the_board_which_stays_in_sight(visitor, game, size):
    page = page_at(visitor, "phone" if size == "phone" else "desktop", game)
    if size == "small":
        page.set_viewport_size({"width": 1024, "height": 768})
    told = page.evaluate(COSTLY)
    assert len(told) > 2
    for one in told:
        page.evaluate(TOLD, one)
        comes(page, one[0])
        page.wait_for_selector(f"#moment[data-eyes='{page.input_value('#eyes')}'] [data-mark]")
        assert not page.evaluate(ILL_MARKED, size == "phone"), one


@pytest.mark.wide
def test_go_on_from_here_means_the_position_on_the_slider(window):
    sit(window, over("second-story"))
    old, most = window.url.partition("#")[0], int(window.get_attribute("#at", "max"))
    window.fill("#at", str(most // 2))
    window.wait_for_selector(f"#moment[data-at='{most // 2}']")
    window.keyboard.press("g")
    window.wait_for_url(lambda url: not url.startswith(old))
    window.wait_for_selector("#live .table[data-begun=yes]")
    may_act(window)  # nothing moves while axe looks
    table = window.request.get(f"/api/games/{window.url.partition('#')[0][-22:]}").json()
    assert table["origin"].endswith(f"?at={most // 2}")
    assert table["seat"]
    assert all(seat["bot"] for seat in table["seats"] if seat["seat"] != table["seat"])
    assert not found(window, "go-on")
    window.click(".menu summary")
    window.click(".seldom summary")
    window.click("a:has-text('Where this game was begun')")
    window.wait_for_url(f"**?at={most // 2}*")


@pytest.mark.wide
def test_without_scripts_one_looks_first_and_then_goes_on(visitor):
    page = visitor(java_script_enabled=False)
    sit(page, over("second-story"))
    old = page.url
    page.goto(f"{old}?at=5")
    page.click("#go-on")
    page.wait_for_load_state()
    assert page.url.partition("#")[0] != old
    page.click(".menu summary")
    assert page.get_attribute("a:has-text('Where this game was begun')", "href").endswith("?at=5")


def test_choices_of_the_past_are_looked_at_and_cannot_be_made(visitor):
    page = page_at(visitor)
    first = page.evaluate("fetch(location.pathname + '/marks').then(a => a.json())")["turns"]
    for at in first[1:]:
        page.fill("#at", str(at))
        comes(page, at)
        if page.locator("#moment button[name=choice]").count():
            break
    assert page.locator("#moment button[name=choice]").count()
    assert not page.locator("#moment button[name=choice]:enabled").count()
    assert not page.locator("#undo-tool:visible").count()
