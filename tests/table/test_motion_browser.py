"""Pieces fly, dice tumble and sound, and what has gone wrong is seen before play goes on."""

import random

import pytest

from .browsing import all_shown, bots, click, may_act, moving_at, press, sit, still
from .moments import MOMENTS
from .shown import table

pytestmark = pytest.mark.browser

# Three suns lie in the bank; then one of them is in the bag: where it flies from, and where to.
FLOWN = """async () => {
    const here = document.querySelector("script[src*='table.js']").src;
    const { moved } = await import(new URL("animation.js", here));
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
