"""The coach in a real browser: bars beside the choices, and a look back that opens positions."""

import random

import pytest

from yegg import games
from yegg.coach.preparation import COACH, CompileProcess

from .browsing import MORE, at, bots, looked_again, may_act, press, sit
from .moments import MOMENTS
from .page_checks import found, looked_at, shot

pytestmark = pytest.mark.browser
OVER = [m for m in MOMENTS if m.name == "over"]
ASKED = [m for m in MOMENTS if m.eyes == "actor" and m.name not in ("over", "policeman", "ready")]
FIRST = [next(m for m in ASKED if m.game == game) for game in games.names()]


def compiled(*names):
    """Have the coach of these games compiled, so that no page waits for it."""
    process = CompileProcess()
    for name in names:
        process.compile(games.find(name), COACH)
    process.close()


def looked_back(page):
    """Wait until the coach has gone through the game; meanwhile its page comes again and again."""
    page.wait_for_selector(".plot", timeout=300_000)


@pytest.fixture(autouse=True, scope="module")
def ready():
    """The game that most tests here play."""
    compiled("second-story")


@pytest.mark.parametrize("size", [pytest.param("desktop", marks=pytest.mark.wide), "phone"])
def test_advice_stands_beside_the_choices_until_one_is_made(visitor, size):
    page, dice = visitor(size), random.Random(4)
    bots(page)
    assert may_act(page)
    page.keyboard.press("!")
    page.wait_for_selector("#coach .spoken")
    acts = page.locator("button.act[name=choice]:not([aria-disabled])")
    assert page.locator("button.act .rated").count() == acts.count()
    assert page.locator("#coach li").count() == acts.count()
    assert not found(page, "coach")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    shot(page, f"coach-{size}")
    press(page, dice)
    page.wait_for_selector("#coach .spoken", state="detached")
    assert page.locator("button.act .rated").count() == 0


# Everything that scrolls, and how far it is; `to`: each part goes to its middle before.
SCROLLED = """(to) => [...document.querySelectorAll("html, body *")]
    .filter((part) => part.scrollHeight > part.clientHeight + 1 && !part.closest("#coach"))
    .filter((part) => part.matches("html") || /auto|scroll/.test(getComputedStyle(part).overflowY))
    .map((part) => {
        if (to) part.scrollTop = (part.scrollHeight - part.clientHeight) / 2;
        return [part.localName, part.id, part.className, part.scrollTop];
    })"""


def settled(page):
    """Wait until what has come is laid out."""
    frame = "new Promise((laid) => requestAnimationFrame(() => requestAnimationFrame(laid)))"
    page.evaluate(f"() => {frame}")


def check_nothing_scrolls(page, ask):
    """Ask the coach, in whatever way; nothing has scrolled."""
    before = page.evaluate(SCROLLED, False)
    ask()
    page.wait_for_selector("#coach .spoken")
    settled(page)
    after = page.evaluate(SCROLLED, False)
    assert [part for part in before if part not in after] == []
    page.keyboard.press("Escape")
    page.wait_for_selector("#coach .spoken", state="detached")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["wide", "narrow"])
@pytest.mark.parametrize("moment", FIRST, ids=str)
def test_asking_scrolls_nothing(window, moment, size):
    compiled(moment.game)
    window.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    sit(window, moment)
    settled(window)
    window.evaluate(SCROLLED, True)
    check_nothing_scrolls(window, lambda: window.keyboard.press("!"))
    button = window.locator("#coach-ask")
    button.scroll_into_view_if_needed()
    check_nothing_scrolls(window, button.click)


@pytest.mark.wide
def test_without_scripts_advice_is_a_page(visitor):
    page = visitor(java_script_enabled=False)
    bots(page)
    looked_again(page, lambda: page.locator("button[name=choice]").count())
    page.click("#coach-ask")
    page.wait_for_load_state()
    looked_again(page, lambda: page.locator(".coach li").count())
    assert page.locator(".coach li").count() > 1
    page.click("text=Back to the table")
    page.locator("button[name=choice]").first.wait_for()


@pytest.mark.wide
def test_a_look_back_opens_the_position_of_a_costly_choice(visitor):
    page, dice = visitor(), random.Random(3)
    bots(page)
    while press(page, dice):
        pass
    page.click("text=How it went")
    looked_back(page)
    assert not found(page, "coach")
    page.click("text=The same as a table")
    assert page.locator(".scroll tbody tr").count() > 5
    shot(page, "look-back")
    link = page.locator(".slips li a").first
    at = link.locator(".tn").inner_text()
    link.click()
    page.wait_for_selector("#moment")
    said = "at => document.querySelector('output').textContent.startsWith(`${at} of `)"
    page.wait_for_function(said, arg=at)


@pytest.mark.wide
@pytest.mark.parametrize("moment", ASKED, ids=str)
def test_advice_at_any_moment_is_for_everybody(window, moment):
    page = window
    compiled(moment.game)
    sit(page, moment)
    at(page, "desktop", "dark")
    page.keyboard.press("!")
    page.wait_for_selector("#coach .spoken")
    page.click("#coach summary")
    way = ("phone", "light") if ASKED.index(moment) % 2 else ("desktop", "dark")
    assert not looked_at(page, f"coach-{moment}", [way])


@pytest.mark.wide
@pytest.mark.parametrize("moment", OVER, ids=str)
def test_how_any_game_went_is_for_everybody(window, moment):
    page = window
    compiled(moment.game)
    sit(page, moment)
    page.click("text=How it went")
    looked_back(page)
    assert not looked_at(page, f"review-{moment}", MORE)
    page.click("text=The same as a table")
    assert not looked_at(page, f"review-table-{moment}", MORE[2:4])
