"""What others did is seen one step after another, at a pace that a person sets."""

import random

import pytest

from .browsing import all_shown, bots, friends, may_act, over, press, there
from .page_checks import found
from .shown import EVENTS, WATCH, table

pytestmark = pytest.mark.browser

# For a page that is yet to be opened: whatever waits there waits an eighth of the time.
SOONER = """(() => {
    const [later, now] = [window.setTimeout, performance.now.bind(performance)];
    window.setTimeout = (then, ms) => later(then, ms / 8);
    performance.now = () => now() * 8;
})()"""
# Whatever waits from now on waits a thousand times as long: nothing ends by itself.
LATER = """() => {
    window.setTimeout = ((later) => (then, ms) => later(then, ms * 1000))(window.setTimeout);
}"""
# The tab is in the background from now on, or in front again.
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));
}"""


def turn(page, dice):
    """Act until it is the others' turn, and then one's own again; whether the game goes on."""
    page.evaluate("seen.length = 0")
    begin = page.evaluate(EVENTS)
    for _ in range(30):
        going = press(page, dice, ("stop", "done", "end"))
        all_shown(page)
        others = [line for _, _, line in page.evaluate("seen") if "Vera" not in line]
        if over(page) or others or not going:
            break
    may_act(page)
    all_shown(page)
    return begin


@pytest.mark.parametrize(
    "game",
    [
        "second-story",
        pytest.param("magnate", marks=pytest.mark.wide),
        pytest.param("thiefs-market", marks=pytest.mark.wide),
    ],
)
def test_what_bots_do_is_shown_step_by_step_and_ends_with_now(visitor, game):
    page = table(visitor, "fast", game, SOONER)
    dice, events, shown = random.Random(game), [], []
    # Of a single event of others there is nothing to show, and dice may have it so.
    while not over(page) and not (len(set(events)) > 3 and any(playing for _, playing, _ in shown)):
        begin = turn(page, dice)
        shown = page.evaluate("seen")
        events = [n for n, _, _ in shown]
    assert events == sorted(events)
    assert len(set(events)) > 3, "more than the end of it is shown"
    assert [n for n, playing, _ in shown if playing]
    assert not shown[-1][1]
    assert any(line.startswith("The turn of ") for _, playing, line in shown if playing)
    assert events[-1] - begin >= len(set(events)) - 1


@pytest.mark.wide
def test_at_once_shows_nothing_between_and_another_pace_is_remembered(visitor):
    page = table(visitor, "at once")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    turn(page, random.Random(1))
    assert not any("/steps" in url for url in asked)
    assert not any(playing for _, playing, _ in page.evaluate("seen"))
    assert any("pace=0" in url for url in asked) or not any("/events?" in url for url in asked)
    page.click("details.menu > summary")
    page.select_option("#pace", "slow")
    page.reload()
    page.click("details.menu > summary")
    assert page.input_value("#pace") == "slow"
    assert page.evaluate("localStorage['yegg-pace']") == "slow"


# How many of four views are shown in the first 1.2 seconds, and how many in the end.
PLAYED = """async (pace) => {
    localStorage.setItem("yegg-pace", pace);
    const here = document.querySelector("script[src*='table.js']").src;
    const { Player } = await import(new URL("player.js", here));
    window.views = [];
    new Player((html) => { views.push(html); }).play("abcd".split("").map(html => ({html})));
}"""


@pytest.mark.wide
def test_each_pace_has_its_time(window):
    bots(window)
    may_act(window)
    window.clock.install()
    window.clock.pause_at(window.evaluate("Date.now()") + 60_000)
    for pace, soon in (("fast", "abcd"), ("slow", "ab"), ("normal", "abc"), ("at once", "d")):
        window.evaluate(PLAYED, pace)
        window.clock.run_for(1200)
        assert "".join(window.evaluate("views")) == soon, pace
        window.clock.run_for(8000)
        assert window.evaluate("views[views.length - 1]") == "d"


# How long each of some frames is shown, in beats, where so many are left.
FITTED = """async ([frames, left]) => {
    const here = document.querySelector("script[src*='table.js']").src;
    const { fitted } = await import(new URL("missed.js", here));
    return fitted(frames.map(([seat, pause]) => ({ seat, pause })), left).map(({ pause }) => pause);
}"""


@pytest.mark.parametrize(
    ("frames", "left", "shown"),
    [
        ([(1, 1.0), (2, 1.0)], 12, [1.0, 1.0]),
        ([(1, 1.0), (1, 8.0)], 12, [0.9375, 7.0625]),  # a player's turn has eight beats
        ([(1, 1.0), (2, 1.0), (3, 1.0)], 2.0, [2 / 3] * 3),
        ([(1, 1.0), (2, 4.0)], 1.2, [0.525, 0.675]),  # none is shorter than half a beat
        ([(1, 1.0), (2, 1.0), (3, 1.0)], 1.4, []),  # then it is told, and now is shown at once
    ],
)
def test_what_happened_goes_into_the_time_that_is_left(window, frames, left, shown):
    bots(window)
    found = window.evaluate(FITTED, [frames, left])
    assert found == pytest.approx(shown)


def test_one_press_on_the_board_or_key_goes_to_now(visitor):
    for go in (lambda page: page.click("#live h2 >> nth=0"), lambda page: page.keyboard.press("x")):
        page = table(visitor, "fast")
        page.evaluate(LATER)
        page.keyboard.press(".")
        page.wait_for_selector("body.playing")
        go(page)
        assert page.wait_for_selector("body:not(.playing) #live .turn.mine")


def test_letters_do_not_go_to_now_where_single_keys_are_off(visitor):
    page = table(visitor, "fast")
    page.click("details.menu > summary")
    page.click(".seldom summary")
    page.uncheck("#keys")
    page.keyboard.press("Escape")
    page.evaluate(LATER)
    page.click("#last-turn")
    page.wait_for_selector("body.playing")
    page.evaluate("addEventListener('keyup', (event) => { window.typed = event.key; })")
    page.keyboard.press("x")
    page.wait_for_function("() => window.typed === 'x'")
    assert page.query_selector("body.playing"), "a letter is no key of the page now"
    page.click("#live h2 >> nth=0")
    page.wait_for_selector("body:not(.playing)")


@pytest.mark.wide
def test_the_last_turn_is_shown_again_by_a_key_and_ends_where_it_was(visitor):
    page = table(visitor, "fast")
    turn(page, random.Random(3))
    now = page.inner_html("#live")
    page.evaluate("seen.length = 0")
    page.keyboard.press(".")
    page.wait_for_function("() => seen.length > 2")
    all_shown(page)
    again = page.evaluate("seen")
    page.evaluate("seen.length = 0")
    page.click("#last-turn")
    page.wait_for_function("() => seen.length > 2")
    all_shown(page)
    assert page.evaluate("seen") == again, "the button does what the key does"
    assert again[0][0] < again[-1][0] == page.evaluate(EVENTS)
    assert page.locator("#live button[name=choice]").count() == now.count('name="choice"')


@pytest.mark.wide
def test_escape_leaves_out_the_rest(visitor):
    page = table(visitor, "at once")  # others may have had long turns before
    page.evaluate("localStorage['yegg-pace'] = 'slow'")
    page.reload()
    there(page)
    page.evaluate(WATCH)
    page.keyboard.press(".")
    page.wait_for_selector(".playbar:visible")
    assert not found(page, "while something is shown")
    page.evaluate("addEventListener('keydown', () => { seen.length = 0; }, {capture: true})")
    page.keyboard.press("Escape")
    all_shown(page)
    assert not [view for view, playing, _ in page.evaluate("seen") if playing]
    assert not page.locator(".playbar").is_visible()
    assert page.locator("button[name=choice]").count()


@pytest.mark.wide
def test_who_comes_back_to_the_tab_sees_what_has_happened(visitor):
    first, second = friends(visitor(pace="fast"), visitor(called="Ben", pace="fast"))
    while first.player.act():
        pass
    first.wait_for_selector(".turn:not(.mine)")
    all_shown(first)
    first.evaluate(WATCH)
    before = first.evaluate(EVENTS)
    first.evaluate(HIDE, True)
    while second.player.act():
        pass
    first.evaluate("seen.length = 0")
    first.evaluate(HIDE, False)
    first.wait_for_function("() => seen.some(([n, playing]) => playing)")
    all_shown(first)
    events = [n for n, _, _ in first.evaluate("seen")]
    assert events == sorted(events)
    assert events[-1] > before
