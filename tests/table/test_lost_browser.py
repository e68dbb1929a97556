"""A page that gets no stream of news says so, asks for news itself, and tries again."""

import random
from contextlib import ExitStack

import httpx
import pytest

from .browsing import LISTEN, bots, found, may_act, number, press
from .serving import Served

pytestmark = pytest.mark.browser
SEAT = 8  # streams at once
# For a page that is yet to be opened: pauses of four seconds and more pass ten times as fast.
SOONER = """(() => {
    const later = window.setTimeout;
    window.setTimeout = (then, ms) => later(then, ms >= 4000 ? ms / 10 : ms);
})()"""
# Pauses are as long as they are, but pass a hundred times as fast.
HASTE = """
    window.pauses = [];
    const sleep = window.setTimeout;
    window.setTimeout = (then, ms) => {
        if (ms >= 500) window.pauses.push(ms / 1000);
        return sleep(then, ms >= 500 ? ms / 100 : ms);
    };
"""


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server that keeps to its limits."""
    served = Served(tmp_path_factory.mktemp("strict"), limits=True).start()
    yield served
    served.close()


def all_streams(page, server, stack):
    """Take all the streams that the page's seat may have."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    path = f"{server.base}/api/games/{page.url.partition('#')[0].rpartition('/')[2]}/events"
    page.goto("about:blank")  # gives its own back
    taken = 0
    for _ in range(200):
        stream = httpx.stream("GET", path, cookies=cookies, timeout=60)
        if stack.enter_context(stream).status_code == 200:
            taken += 1
        else:
            page.wait_for_timeout(50)
        if taken == SEAT:
            return
    raise AssertionError("the seat has fewer streams")


def test_a_page_too_many_says_so_and_goes_on_without_a_stream(visitor, strict):
    page, dice = visitor(base_url=strict.base), random.Random(7)
    page.add_init_script(SOONER)
    bots(page, "second-story")
    may_act(page)
    link = page.url
    with ExitStack() as stack:
        all_streams(page, strict, stack)
        page.goto(link)
        page.wait_for_selector("#away:visible")
        assert "too many windows" in page.text_content("#away")
        assert page.get_attribute("#away", "role") == "status"
        assert not found(page, "refused")
        before = number(page)
        for _ in range(4):
            press(page, dice)
        assert int(number(page)) > int(before)
        assert page.is_visible("#away")
        page.evaluate(LISTEN)
    page.wait_for_selector("#away", state="hidden")
    page.wait_for_function("() => told.some(text => text.includes('by itself again'))")
    press(page, dice)


def test_tries_grow_rarer_and_are_not_all_at_once(visitor):
    page = visitor()
    page.add_init_script(HASTE)
    bots(page, "second-story")
    may_act(page)  # so there is no news, after which it tries more often
    page.route("**/events?*", lambda route: route.fulfill(status=429, body="{}"))
    page.reload()
    page.wait_for_function("() => pauses.length > 8")
    pauses = page.evaluate("pauses")
    assert page.is_visible("#away")
    for i, pause in enumerate(pauses):
        usual = min(2**i, 30)
        assert 0.5 * usual <= pause <= 1.5 * usual, f"the {i}th of {pauses}"
    assert len({pause / min(2**i, 30) for i, pause in enumerate(pauses)}) > 4, "all alike"
    page.unroute("**/events?*")
    page.wait_for_selector("#away", state="hidden")


def test_a_table_that_is_gone_is_no_lost_connection(visitor):
    page = visitor()
    bots(page, "second-story")
    may_act(page)
    gone = page.request.get("/t/" + 22 * "x")
    assert gone.status == 404
    page.route("**/events?*", lambda route: route.fulfill(status=404, body="{}"))
    page.route("**/now", lambda route: route.fulfill(response=gone))
    page.evaluate("dispatchEvent(new Event('online'))")  # tries at once
    page.wait_for_selector("#away:visible")
    assert "no such table" in page.text_content("#away")
