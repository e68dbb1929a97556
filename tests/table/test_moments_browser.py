"""Every moment of every game as it looks and can be played: large and small, by night and day."""

import re

import pytest

from .browsing import HIDDEN, KEYLESS, MORE, SIZES, at, sit, still
from .moments import MOMENTS
from .page_checks import BARS, COVERED, KEYS_HIDDEN, found, looked_at, missed, shot
from .test_lessons_browser import LESSONS

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
FEW = [("desktop", "dark"), ("phone", "light")]
FIRST = "second-story-plan"
EACH = [pytest.param(m, marks=() if str(m) == FIRST else WIDE, id=str(m)) for m in MOMENTS]
MOMENT = {str(moment): moment for moment in MOMENTS}
OPENED = "() => { for (const part of document.querySelectorAll('main details')) part.open = true; }"
CHOSEN = "input:is([name=way], [name=who], [name=pick])"
WIDTH = "document.documentElement.scrollWidth"
# At the page's end: the lowest edge of what is written, the highest of what is fixed below.
LOWEST = """() => {
    scrollTo(0, document.documentElement.scrollHeight);
    const fixed = (e) => e && (getComputedStyle(e).position === "fixed" || fixed(e.parentElement));
    const all = [...document.querySelectorAll("#live *")].filter(e => e.checkVisibility());
    const written = (e) => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    const there = all.filter(e => written(e) && !e.closest(".vh, .log") && !fixed(e));
    const logs = [...document.querySelectorAll("#live .log")];
    const bars = all.filter(e => getComputedStyle(e).position === "fixed")
        .map(e => e.getBoundingClientRect()).filter(r => r.height && r.bottom >= innerHeight - 1);
    const bottom = (e) => e.getBoundingClientRect().bottom;
    const lowest = Math.max(...[...there, ...logs].map(bottom));
    return [lowest, Math.min(innerHeight, ...bars.map(r => r.top))];
}"""


def axe_ways(moment):
    """How axe looks at a moment: large and small, one of them by night; at the next, the other."""
    schemes = ("dark", "light") if MOMENTS.index(moment) % 2 else ("light", "dark")
    return [*zip(("desktop", "phone"), schemes, strict=True)]


@pytest.mark.parametrize("moment", EACH)
def test_a_moment_can_be_seen_and_played_by_everybody(window, moment):
    page, faults, asked = window, window.faults, axe_ways(moment)
    sit(page, moment)
    for way in MORE:
        where = at(page, *way)
        shot(page, f"{moment}-{where}")
        if way in asked:
            faults += found(page, where)
        if (wide := page.evaluate(WIDTH)) > SIZES[way[0]][0]:
            faults.append(f"{where}: the page is {wide} wide")
        faults += [f"{where}: {choice} cannot be pressed" for choice in page.evaluate(HIDDEN)]
        if way[0] == "desktop":  # elsewhere there are hardly any keys
            faults += [f"{where}: {choice} has no key" for choice in page.evaluate(KEYLESS)]
    if moment.eyes == "actor" and moment.name not in ("over", "policeman", "ready"):
        page.wait_for_selector("button[name=choice]:not([aria-disabled]):visible")
    if moment.name == "over":
        assert "Waiting for" not in page.text_content("body")
    at(page, "desktop", "dark")
    page.evaluate("document.getElementById('now').focus({focusVisible: true})")
    faults += page.evaluate(COVERED)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("moment", EACH)
def test_a_finger_meets_everything_and_nothing_lies_under_what_is_fixed(window, moment):
    page = window
    at(page, "phone", "light")
    sit(page, moment)
    still(page)  # scripts scroll at first
    lowest, covered = page.evaluate(LOWEST)
    assert lowest <= covered
    assert not missed(page)
    page.evaluate(OPENED)
    assert not missed(page)
    assert page.evaluate(WIDTH) <= 360
    for choice in page.query_selector_all(f"#live {CHOSEN}"):
        choice.evaluate("e => e.click()")
        assert not missed(page)
    page.click(".menu summary")
    assert not missed(page)
    page.set_viewport_size({"width": 640, "height": 400})  # as if all were twice as large
    sit(page, moment)
    bars = page.evaluate(BARS)
    assert 0 < max(bars) <= 400 / 5, bars
    assert not page.evaluate(KEYS_HIDDEN)
    assert page.evaluate(WIDTH) <= 640
    assert page.locator("#rules-link kbd").is_visible()


@pytest.mark.wide(but=["/"])
@pytest.mark.parametrize("path", ["/", "/?game=thiefs-market", "/me", "/learn/magnate"])
def test_a_finger_meets_everything_on_other_pages(window, path):
    at(window, "phone", "light")
    window.goto(path)
    assert not missed(window)
    window.evaluate(OPENED)
    assert not missed(window)


@WIDE
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: f"{one.game.name}-{one.number}")
def test_a_finger_meets_everything_in_a_lesson(window, lesson):
    at(window, "phone", "light")
    for n in range(len(lesson.steps)):
        window.goto(f"/learn/{lesson.game.name}/{lesson.key}?at={n}")
        assert not missed(window), n


@pytest.mark.parametrize(
    "ways", [pytest.param(FEW, id="few"), pytest.param(MORE, id="all", marks=WIDE)]
)
@pytest.mark.parametrize(
    ("path", "name"), [("/", "lobby"), pytest.param("/rules/secrets", "rules", marks=WIDE)]
)
def test_the_other_pages_are_for_everybody(window, path, name, ways):
    page = window
    page.faults.clear()
    page.context.clear_cookies()
    page.goto(path)
    assert not looked_at(page, name, ways)
    at(page, "phone", "light")
    assert not missed(page)


@pytest.mark.parametrize(
    "moment",
    [*(pytest.param(f"secrets-{m}", marks=WIDE) for m in ("orders", "policeman")), "secrets-six"],
)
def test_orders_stay_on_their_cards(window, moment):
    at(window, "phone", "light")
    sit(window, MOMENT[moment])
    outside = """() => [...document.querySelectorAll(".spy")].flatMap(card => {
        card.querySelectorAll(".goal .nom").forEach(e => e.textContent = "Bartholomew");
        const box = card.getBoundingClientRect();
        const parts = [...card.querySelectorAll(".goal, .goal > :not(.vh)")];
        return parts.filter(e => e.checkVisibility()).filter(e => {
            const r = e.getBoundingClientRect();
            return r.left < box.left || r.right > box.right || r.bottom > box.bottom;
        }).map(e => e.className || e.localName);
    })"""
    assert window.locator(".spy .goal").count() > 1
    assert not window.evaluate(outside)


# What covers something else on a card of the market, or is cut off there.
CROWDED = """() => {
    const faults = [];
    for (const card of document.querySelectorAll(".mcard")) {
        const box = card.getBoundingClientRect();
        const name = card.querySelector("h4").textContent;
        const rect = (e) => e.getBoundingClientRect();
        const gems = [...card.querySelectorAll(".top .pip")].map(rect);
        const icons = [...card.querySelectorAll(".top .ic, .top .pts")].map(rect);
        for (const g of gems) for (const i of icons) {
            if (g.left < i.right && i.left < g.right && g.top < i.bottom && i.top < g.bottom)
                faults.push(name + ": a gem covers an icon");
        }
        const parts = [...gems, ...icons, ...[...card.querySelectorAll("h4, .fx, .pay")].map(rect)];
        if (parts.some((r) => r.right > box.right + 1 || r.bottom > box.bottom + 1))
            faults.push(name + ": cut off");
        for (const e of card.querySelectorAll("h4, .fx, .pay")) {
            if (e.scrollWidth > e.clientWidth + 1) faults.push(name + ": text is cut off");
        }
    }
    return faults;
}"""


@pytest.mark.wide
@pytest.mark.parametrize("name", ["crowded", pytest.param("market", marks=WIDE)])
def test_gems_cover_no_icon_and_the_round_and_the_decks_are_in_sight(window, name):
    sit(window, MOMENT[f"thiefs-market-{name}"])
    for width, height in (*SIZES.values(), (1920, 1080)):
        window.set_viewport_size({"width": width, "height": height})
        assert not window.evaluate(CROWDED), width
        assert window.evaluate(WIDTH) <= width
        said = " ".join(window.inner_text(".course").split())
        assert re.match(r"Round \d+ Cards left: A \d+ .*B \d+ .*C \d+ .*end", said), said
        box = window.locator(".course").bounding_box()
        assert box["y"] + box["height"] < height / 3
