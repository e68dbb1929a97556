"""Clocks in a browser: they run by themselves, and a pause is asked for, agreed to and ended."""

import re

import pytest

from yegg import games

from .browsing import SIZES, found, shot
from .test_seats_browser import joined, whose

pytestmark = pytest.mark.browser
CLOCK = "document.querySelector('.clocks li.me > b').textContent"
UNTIL = "Number(document.querySelector('.clocks li.me > b').dataset.until)"
BELOW = "document.documentElement.scrollHeight - innerHeight"
FITS = "document.documentElement.scrollWidth <= innerWidth"


def opened(page, game="second-story", kind="live", seats=2):
    """Open a table with a clock for friends; the link to send them."""
    page.goto(f"/?game={game}")
    for seat in range(2, games.find(game).players[-1] + 1):
        page.select_option(f"select[name=seat{seat}]", "open" if seat <= seats else "")
    assert not page.is_visible("input[name=clock-days]")
    page.check(f"input[name=clock][value={kind}]")
    assert page.is_visible("input[name=clock-days]") == (kind == "days")
    page.click("button:has-text('Open the table')")
    return page.input_value("#link")


def test_clocks_run_on_the_page_and_in_its_title_and_stand_in_a_pause(visitor):
    one, other = visitor("desktop", called="Ann"), visitor("phone", called="Ben")
    joined(other, opened(one), "Ben")
    mine, (waits,) = whose(one, other)
    asked = []
    mine.on("request", lambda request: asked.append(request.url))
    before = mine.evaluate(CLOCK)
    mine.wait_for_function(f"before => {CLOCK} !== before", arg=before)
    mine.wait_for_function(f"() => document.title.includes({CLOCK})")
    assert re.match(r"● \d+:\d\d ", mine.title())
    assert not asked, "no network is needed"
    assert waits.evaluate(CLOCK) == "10:30"
    assert "medium plays this turn" in mine.inner_text(".clocks")
    for page in (mine, waits):
        assert page.evaluate(FITS)
        assert not found(page, "clocks")
    mine.click("#ask-pause")
    waits.wait_for_selector("#agree-pause")
    shot(waits, "clock-asked")
    waits.click("#agree-pause")
    for page in (mine, waits):
        page.wait_for_selector(".clocks.paused")
        assert not page.query_selector("button[name=choice]")
    waits.click("#end-pause")
    mine.wait_for_selector("button[name=choice]")
    until = mine.evaluate(UNTIL)
    waits.click("#give-time summary")
    waits.click("#give-time button")
    mine.wait_for_function(f"until => {UNTIL} === until + 30000", arg=until)


@pytest.mark.wide
def test_without_scripts_a_clock_is_read_and_asked_for_by_forms(visitor):
    one = visitor("desktop", called="Ann", java_script_enabled=False)
    other = visitor("phone", called="Ben")
    joined(other, opened(one, kind="days"), "Ben")
    one.reload()
    assert "2 d 23 h" in one.inner_text(".clocks")
    one.click("#ask-pause")
    assert "Ann would like a pause." in one.inner_text(".clocks")
    other.wait_for_selector("#agree-pause")
    one.goto("/")
    assert one.is_visible(".holiday")
    one.click("text=Go on holiday")
    other.wait_for_selector(".clocks:has-text('on holiday')")


@pytest.mark.wide
@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize("size", SIZES)
def test_a_clock_leaves_room_for_every_table(visitor, game, size):
    seats = games.find(game).usual
    one = visitor(size, called="Ann")
    link = opened(one, game, "days", seats)
    for name in ("Ben", "Cid", "Dee", "Eve")[: seats - 1]:
        joined(visitor("phone", called=name), link, name)
    one.wait_for_selector("#live .table[data-begun=yes]")
    one.reload()
    one.wait_for_selector(".clocks b")
    assert one.evaluate(FITS)
    shot(one, f"clock-{game}-{size}")
    if size == "desktop" and game != "secrets":
        assert one.is_visible(".newhere")
        assert one.evaluate(BELOW) <= 0, "not even with the line for newcomers"
    assert not found(one, "clocks")


@pytest.mark.wide
def test_the_lobby_says_how_long_each_table_waits(visitor):
    one, other = visitor("desktop", called="Ann"), visitor("phone", called="Ben")
    joined(other, opened(one, kind="days"), "Ben")
    mine, _ = whose(one, other)
    mine.goto("/")
    assert mine.inner_text(".my .tag").split() == ["your", "turn,", "2", "d", "23", "h"]
    mine.goto("/?game=secrets")
    mine.check("input[name=clock][value=days]")
    assert "SE-15" in mine.inner_text("select[name=clock-late]")
    assert mine.evaluate(FITS)
    assert not found(mine, "lobby")
    shot(mine, "clock-lobby")
