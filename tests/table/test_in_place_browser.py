"""Nothing moves under a finger, and nothing that acts comes where something else was pressed."""

import pytest

from yegg import games

from .browsing import ANEW, QUIET, bots, making_a_choice, may_act, number, sit, still
from .moments import MOMENTS

pytestmark = pytest.mark.browser
MOMENT = {str(moment): moment for moment in MOMENTS}
# Shows views that stand until they are skipped, with the longest count that there is.
SHOWN = """async () => {
    const here = document.querySelector("script[src*='table.js']").src;
    const { Player } = await import(new URL("player.js", here));
    new Player(() => {}).play(Array(89).fill({ html: "", hold: 1e9 }));
}"""
# What can be pressed at some places: each place is the middle or a corner of a box.
PRESSABLE = """boxes => boxes.flatMap(({x, y, width, height}) =>
    [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].map(([across, down]) =>
        document.elementFromPoint(x + across * width, y + down * height)
            ?.closest("button, a, summary, select, input, label")?.outerHTML.slice(0, 80))
).filter(Boolean)"""
WIDE = pytest.mark.wide
BOTH = [pytest.param("desktop", marks=WIDE), "phone"]
ACTS = "() => [...document.querySelectorAll('.act:not([aria-disabled])')].map(b => b.value)"
AT = """([x, y]) => document.elementFromPoint(x, y)?.closest("button[name=choice]")?.value"""


@pytest.mark.parametrize(
    "size", [*BOTH, *(pytest.param(s, marks=WIDE) for s in ("across", "tablet"))]
)
def test_nothing_to_press_comes_where_skip_was(visitor, size):
    page = visitor(size)
    bots(page, "second-story")
    may_act(page)
    page.evaluate(SHOWN)
    page.wait_for_selector(".playbar:has-text('88 more')")
    skip = page.locator(".playbar button").bounding_box()
    whole = page.locator(".playbar").bounding_box()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.locator(".playbar button").click()
    page.wait_for_function(QUIET)
    assert page.locator(".playbar").is_hidden()
    assert not page.evaluate(PRESSABLE, [skip])
    assert not [what for what in page.evaluate(PRESSABLE, [whole]) if "undo" in what]


def test_the_second_press_of_a_double_click_makes_no_other_choice(visitor):
    page = visitor()
    bots(page, "second-story")
    posts = []
    page.on("request", lambda asked: posts.append(asked) if asked.url.endswith("/choices") else 0)
    for _ in range(30):
        may_act(page)
        first = page.evaluate(ACTS)[0]
        box = page.locator(f'.act[value="{first}"]').bounding_box()
        x, y = box["x"] + 20, box["y"] + box["height"] / 2
        with making_a_choice(page):
            page.mouse.click(x, y)
        may_act(page)
        still(page)
        if page.evaluate(AT, [x, y]) not in (None, first):
            break
    other, made = page.evaluate(AT, [x, y]), len(posts)
    assert other
    assert other != first
    before = number(page)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate("() => new Promise(done => setTimeout(done))")
    assert len(posts) == made
    with making_a_choice(page):
        page.mouse.click(x, y)  # as a first press it counts
    assert number(page) != before


def test_a_key_that_is_held_down_counts_once(visitor):
    page = visitor()
    bots(page, "second-story")
    for _ in range(3):
        page.keyboard.down("o")  # from the second time on the browser says that it repeats
    page.keyboard.up("o")
    assert page.get_attribute("#odds", "aria-pressed") == "false"


@pytest.mark.parametrize("size", BOTH)
def test_the_table_stays_where_it_was_after_the_first_move(visitor, size):
    page = visitor(size)
    bots(page, "second-story")
    may_act(page)
    still(page)
    assert page.is_visible(".newhere")
    before = page.locator("#live").bounding_box()
    with making_a_choice(page):
        page.locator(".act:not([aria-disabled])").first.click()
    still(page)
    assert not page.is_visible(".newhere")
    assert page.locator("#live").bounding_box()["y"] == before["y"]


@pytest.mark.parametrize("size", BOTH)
def test_what_was_said_stays_until_one_acts_or_had_time_to_read_it(visitor, size):
    page = visitor(size)
    bots(page, "thiefs-market")
    may_act(page)
    page.wait_for_selector("input[name=pick]", state="attached")
    still(page)
    lies = page.locator("#live").bounding_box()
    refused = page.locator(".acts .act:not([aria-disabled])").first
    said = page.locator("#said:has-text('First press what you take.')")
    refused.click()
    said.wait_for()
    assert page.locator("#live").bounding_box() == lies, "nothing moves for it"
    dock = page.locator(".acts").bounding_box()
    box = said.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= dock["y"]
    page.evaluate(ANEW)
    assert said.is_visible(), "what others do leaves it"
    page.locator("label.pick:visible").first.click()
    said.wait_for(state="hidden")
    page.locator("label.pick:visible").first.click()
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    refused.click()
    said.wait_for()
    page.clock.run_for(5_000)
    assert said.is_visible()
    page.clock.run_for(10_000)
    said.wait_for(state="hidden")


@pytest.mark.parametrize("size", BOTH)
@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g == "second-story" else WIDE) for g in games.names()]
)
def test_every_table_says_which_bot_plays_how_well(visitor, game, size):
    page = visitor(size)
    bots(page, game, "easy")
    may_act(page)
    people = page.evaluate(
        "fetch(location.pathname.replace('/t/', '/api/games/')).then(a => a.json())"
    )
    names = [seat["name"] for seat in people["seats"] if seat["bot"]]
    assert len(names) == games.find(game).usual - 1
    seen = """name => [...document.querySelectorAll("#live li, #live p, #live .who, #live .seat")]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right <= innerWidth)
        .some(e => e.innerText.includes(name) && e.innerText.includes("easy"))"""
    assert [name for name in names if not page.evaluate(seen, name)] == []


FEW = ("thiefs-market-market", "secrets-orders")
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


@pytest.mark.parametrize(
    "moment", [pytest.param(m, marks=() if m in FEW else WIDE) for m in MOMENT]
)
def test_at_the_end_of_the_page_nothing_lies_under_what_is_fixed_below(window, server, moment):
    sit(window, server, MOMENT[moment])
    window.set_viewport_size({"width": 360, "height": 740})
    lowest, covered = window.evaluate(LOWEST)
    assert lowest <= covered
