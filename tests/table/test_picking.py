"""Thief's Market in the browser: objects are picked in any order, and sent all at once."""

import re

import pytest

from .browsing import ANEW, bots, keys, looked_again, making_a_choice, number, over, sit
from .moments import MOMENTS

pytestmark = pytest.mark.browser
TM = "thiefs-market"
OBJECTS = "red white blue green bag mask marker".split()  # noqa: SIM905


def moment(name):
    return next(m for m in MOMENTS if m.game == TM and m.name == name)


def at_split(visitor, **how):
    """Somebody who may take from the centre."""
    page = visitor(**how)
    bots(page, TM)
    picks = "input[name=pick]"
    if how.get("java_script_enabled", True):
        page.wait_for_selector(picks, state="attached")
    else:
        looked_again(page, lambda: page.query_selector(picks))
    return page


def kinds(page):
    """What lies in the centre."""
    values = [box.get_attribute("value") for box in page.query_selector_all("input[name=pick]")]
    return [value.removeprefix("take ") for value in values]


def taken(page):
    """What the record says that people have taken or kept, in order."""
    key = re.search(r"/t/([\w-]+)", page.url)[1]
    record = page.request.get(f"/api/games/{key}/record").text()
    return re.findall(r"^1 (?:take )?(\w+)$", record, re.MULTILINE)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_marker_first_and_then_a_red(visitor, scripts):
    page = at_split(visitor, java_script_enabled=scripts)
    there = kinds(page)
    last, first = len(there), 1
    page.click(f".heap label[for=pick-{last}]")
    page.click(f".heap label[for=pick-{first}]")
    assert page.is_visible(f"#picked-{last}")
    assert page.is_visible(f"#picked-{first}")
    assert not page.is_visible("#picked-2")
    page.click(f"#picked-{last} label")  # and back
    assert not page.is_visible(f"#picked-{last}")
    page.click(f".heap label[for=pick-{last}]")
    if scripts:
        with making_a_choice(page):
            page.click("button[value='+ done']")
    else:
        page.click("button[value='+ done']")
        page.wait_for_load_state()
    assert taken(page)[:3] == [there[0], there[-1], "done"]


def test_nothing_picked_is_said_and_nothing_sent(visitor):
    page = at_split(visitor)
    before = number(page)
    keys(page, "k")
    page.wait_for_selector("#said:has-text('First press what you take.')")
    assert number(page) == before
    assert taken(page) == []


def test_what_is_picked_stays_picked_when_news_comes(visitor):
    page = at_split(visitor)
    keys(page, "1")
    keys(page, "3")
    page.evaluate(ANEW)
    assert [page.is_checked(f"#pick-{n}") for n in (1, 2, 3)] == [True, False, True]
    keys(page, "1")
    assert not page.is_checked("#pick-1"), "pressed again it is left"


def test_whole_piles_only_without_an_order(window, server):
    """The keys of a theft do not send what was picked."""
    sit(window, server, moment("split"))
    window.click(".heap li:first-child label")
    with making_a_choice(window):
        window.click(".act[value^=steal]")
    assert window.is_visible(".give")
    window.click(".heap li:last-child label")
    assert window.is_visible(".give .copy >> visible=true")
    with making_a_choice(window):
        window.click("button[value='+ done']")
    assert not window.query_selector("input[name=pick]")


COVERED = """() => {
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


SIZED = [(1280, 800), (360, 740), (820, 1180), (1180, 820), (1920, 1080)]
EACH = [(name, size) for name in ("crowded", "market") for size in SIZED]


@pytest.mark.parametrize(
    ("name", "size"),
    [*EACH[:2], *(pytest.param(*one, marks=pytest.mark.wide) for one in EACH[2:])],
)
def test_gems_do_not_cover_a_card_s_icon(window, server, name, size):
    window.set_viewport_size({"width": size[0], "height": size[1]})
    sit(window, server, moment(name))
    assert not window.evaluate(COVERED)
    assert window.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
def test_the_round_and_the_decks_are_in_sight(window, server, size):
    window.set_viewport_size({"width": size[0], "height": size[1]})
    sit(window, server, moment("market"))
    said = " ".join(window.inner_text(".course").split())
    assert re.match(r"Round \d+ Cards left: A \d+ .*B \d+ .*C \d+ .*end", said), said
    box = window.locator(".course").bounding_box()
    assert box["y"] + box["height"] < size[1] / 3
    assert not over(window)


# What does not lie whole within its button, and prices that are below the screen.
CUT_OFF = """() => {
    const inside = (e, o) => {
        const [a, b] = [e.getBoundingClientRect(), o.getBoundingClientRect()];
        return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    };
    const shown = [...document.querySelectorAll(".acts .act *:not(.vh, use)")];
    const acts = shown.filter(e => e.checkVisibility() && !inside(e, e.closest(".act")));
    const below = (e) => e.getBoundingClientRect().bottom > innerHeight;
    const prices = innerWidth > 1000 ? [...document.querySelectorAll(".pay")].filter(below) : [];
    return [...acts, ...prices].map(e => e.outerHTML);
}"""
LINES = """() => [...document.querySelectorAll(".acts .act")].map(e => {
    const tops = [...e.querySelectorAll(".brings .die")].map(d => d.getBoundingClientRect().top);
    return new Set(tops.map(Math.round)).size;
})"""


@pytest.mark.parametrize(
    ("touch", "width"),
    [
        (True, 1280),
        pytest.param(False, 1280, marks=pytest.mark.wide),
        pytest.param(True, 360, marks=pytest.mark.wide),
    ],
)
def test_each_choice_shows_what_it_brings_also_where_keys_are_hidden(visitor, touch, width):
    page = visitor(has_touch=touch)
    page.set_viewport_size({"width": width, "height": 800 if width > 360 else 740})
    page.goto("/learn/thiefs-market/2-too-good-to-keep")
    page.wait_for_selector(".acts .act")
    assert page.locator(".acts kbd").first.is_visible() == (not touch and width > 480)
    assert len(page.evaluate(LINES)) == 3
    assert set(page.evaluate(LINES)) <= {1, 2}
    assert page.evaluate(CUT_OFF) == []


def test_all_of_one_s_cards_are_counted_and_can_be_scrolled_to(window, server):
    sit(window, server, moment("market"))
    window.set_viewport_size({"width": 1280, "height": 800})
    cards = window.locator(".cardlist li:not(.none)")
    assert cards.count() > 1
    assert window.locator(".own h2 small").all_inner_texts() == [str(cards.count())]
    shade = "e => getComputedStyle(e).maskImage !== 'none'"
    more = window.locator(".cardlist").evaluate("e => e.scrollHeight > e.clientHeight")
    window.wait_for_function(
        f"more => ({shade})(document.querySelector('.cardlist')) === more", arg=more
    )
    window.locator(".cardlist").evaluate("e => e.scrollTo(0, e.scrollHeight)")
    window.wait_for_function(f"() => !({shade})(document.querySelector('.cardlist'))")
    last = cards.last.bounding_box()
    within = window.locator(".own").bounding_box()
    assert last["y"] + last["height"] <= within["y"] + within["height"]


# How high the page is with the longest pile that there is: four others have at least one object.
LONGEST = """() => {
    const die = document.querySelector(".heap .die").outerHTML;
    document.querySelector(".seats .pile").innerHTML = `<span class="o">${die}</span>`.repeat(10);
    return document.documentElement.scrollHeight;
}"""


def test_five_players_fit_one_screen_where_the_market_has_one_row(visitor):
    page = visitor()
    page.goto(f"/?game={TM}")
    for seat in range(2, 6):
        page.select_option(f"select[name=seat{seat}]", "uniform")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector("input[name=pick]", state="attached")
    page.wait_for_load_state()
    assert page.evaluate(LONGEST) <= 800
