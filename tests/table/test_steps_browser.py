"""What others did is seen one step after another, at a pace that a person sets; and it moves."""

import random

import pytest

from .browsing import (
    all_shown,
    bots,
    click,
    friends,
    may_act,
    moving_at,
    over,
    press,
    sit,
    still,
    there,
)
from .moments import MOMENTS
from .page_checks import found

pytestmark = pytest.mark.browser

# Writes down every view that is shown: after how many events, and whether something is played.
WATCH = """() => {
    window.seen = [];
    const look = () => {
        const view = document.querySelector("#live [data-events]");
        const line = document.getElementById("now").textContent;
        seen.push([Number(view.dataset.events), document.body.classList.contains("playing"), line]);
    };
    new MutationObserver(look).observe(document.getElementById("live"), {childList: true});
}"""
EVENTS = "() => Number(document.querySelector('#live [data-events]').dataset.events)"
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


def table(visitor, pace, game="second-story", script="", **how):
    """Sit down with bots, and wait until nothing is played."""
    page = visitor(pace=None, **how)
    page.add_init_script(script)
    page.add_init_script(f"try {{ localStorage['yegg-pace'] ??= {pace!r} }} catch {{ }}")
    bots(page, game)
    assert may_act(page)
    all_shown(page)
    page.evaluate(WATCH)
    return page


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
    begin = turn(page, random.Random(game))
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
        page.wait_for_selector("body:not(.playing)")
        assert page.query_selector("#live .turn.mine")


# Three suns lie in the bank; then one of them is in the bag: where it flies from, and where to.
FLOWN = """async () => {
    const here = document.querySelector("script[src*='table.js']").src;
    const { moved } = await import(new URL("moving.js", here));
    const root = document.body.appendChild(document.createElement("div"));
    const heap = (name, n, left) => `<svg data-heap="${name} suns" data-n="${n}" width="40"
        height="40" class="at-${left}"></svg>`;
    const put = (bank, bag) => {
        root.innerHTML = heap("bank", bank, 300) + heap("bag", bag, 700);
        for (const [i, e] of [...root.children].entries()) {
            Object.assign(e.style, {position: "fixed", top: "200px", left: `${300 + 400 * i}px`});
        }
    };
    put(3, 0);
    const ways = [];
    const look = (all) => all.flatMap(one => [...one.addedNodes])
        .filter(piece => piece.parentElement?.id === "flights")
        .forEach(piece => ways.push([
            ...piece.getAnimations()[0].effect.getKeyframes().map(frame => frame.transform),
            parseFloat(piece.style.width),
        ]));
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
    await moved(root, () => put(2, 1));
    root.remove();
    return [ways, document.querySelectorAll("#flights > *").length];
}"""


@pytest.mark.wide
def test_a_piece_flies_from_where_it_was_to_where_it_is(visitor):
    page = visitor(reduced_motion="no-preference")
    bots(page)
    may_act(page)
    all_shown(page)
    ways, left = page.evaluate(FLOWN)
    ((came, goes, wide),) = ways
    assert came == f"translate({320 - wide / 2:g}px, {220 - wide / 2:g}px)"
    assert goes == f"translate({720 - wide / 2:g}px, {220 - wide / 2:g}px)"
    assert left == 0


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


def moving(page):
    """Watch for what flies and tumbles while somebody plays."""
    page.evaluate("""() => {
        window.flown = 0;
        window.animated = new Set();
        const look = () => {
            flown = Math.max(flown, document.querySelectorAll("#flights > *").length);
            const all = document.getAnimations().filter(a => a instanceof CSSAnimation);
            for (const one of all) animated.add(one.animationName);
            requestAnimationFrame(look);
        };
        look();
    }""")


def played(page, dice):
    """Choose once and see what comes of it; how many pieces have flown, and what has moved."""
    assert press(page, dice, ("thorough", "quick", "stop"))
    still(page)
    return page.evaluate("[flown, [...animated]]")


@pytest.mark.wide
def test_dice_tumble_and_chips_fly_unless_somebody_wants_no_motion(visitor):
    page, dice = table(visitor, "fast", reduced_motion="no-preference"), random.Random(7)
    moving(page)
    flown, animated, choices = 0, [], 0
    while not flown or not {"tumble", "lamplit"} & set(animated):
        flown, animated = played(page, dice)
        choices += 1
    page, dice = table(visitor, "fast"), random.Random(7)
    moving(page)
    for _ in range(choices):
        assert played(page, dice) == [0, []]


@pytest.mark.wide
def test_a_click_while_dice_tumble_counts(visitor):
    page = table(visitor, "at once", reduced_motion="no-preference")
    moving_at(page, 0.1)  # so that it still moves when it is looked at
    dice = random.Random(11)
    for _ in range(12):
        assert may_act(page)
        legal = page.evaluate(
            "() => [...document.querySelectorAll('button.act:not([aria-disabled])')]"
            ".map(b => b.value)"
        )
        moves = page.evaluate("() => document.getAnimations().length")
        click(page, dice.choice(legal))
        if moves:
            break
    assert moves, "nothing has moved"


@pytest.mark.wide
def test_nothing_sounds_and_nothing_is_loaded_before_sounds_are_switched_on(visitor):
    page = table(visitor, "at once")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("""() => {
        window.sounded = [];
        document.addEventListener("sounded", (event) => sounded.push(event.detail));
    }""")
    dice = random.Random(13)
    press(page, dice)
    may_act(page)
    assert not any("sound.js" in url for url in asked)
    page.click("details.menu > summary")
    page.select_option("#sound", "20")
    page.wait_for_function("() => performance.getEntries().some(e => e.name.includes('sound.js'))")
    page.keyboard.press("Escape")
    while not page.evaluate("sounded.includes('die')"):
        assert press(page, dice), "nobody has rolled"
        may_act(page)
    page.click("details.menu > summary")
    page.select_option("#sound", "off")
    page.evaluate("sounded.length = 0")
    press(page, dice)
    may_act(page)
    assert not page.evaluate("sounded.length")
    kept = page.evaluate("[localStorage['yegg-sound'], localStorage['yegg-volume']]")
    assert kept == ["off", "20"]


# What has gone wrong is seen before play goes on


def moment(name):
    return next(m for m in MOMENTS if str(m) == f"second-story-{name}")


@pytest.mark.wide
def test_a_failed_roll_is_shown_before_the_next_night_and_stays_to_be_read(visitor):
    page = visitor(reduced_motion="no-preference")
    moves = moving_at(page, 0)
    sit(page, moment("failed"))
    page.wait_for_selector(".fall .rolled")
    assert page.inner_text(".fall").count("is detected!") == 1
    assert float(page.evaluate("getComputedStyle(document.querySelector('.turn')).opacity")) < 0.1
    moves.send("Animation.setPlaybackRate", {"playbackRate": 1})
    page.wait_for_selector(".fall", state="hidden")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('.turn')).opacity === '1'"
    )
    words = page.inner_text(".fallen")
    assert "was detected at" in words
    assert "was needed." in words


def test_who_wants_no_motion_reads_it_at_once(visitor):
    page = visitor("phone")
    sit(page, moment("failed-twice"))
    assert page.locator(".fallen li").count() == 2
    assert page.locator(".fallen li").first.is_visible()
    assert not page.locator(".fall").first.is_visible()


def test_the_chances_of_the_next_card_are_one_press_away(visitor):
    page = visitor()
    sit(page, moment("road"))
    assert not page.locator("#ahead table").is_visible()
    page.click("#ahead summary")
    assert "Ace" in page.inner_text("#ahead table")
    assert "The next house fails you" in page.inner_text("#act-continue")
