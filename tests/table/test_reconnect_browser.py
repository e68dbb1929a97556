"""A page whose stream is lost, refused or silent says so, asks for news itself, and tries again."""

import os
import random
import signal
from contextlib import ExitStack, suppress

import chromium
import pytest
from waiting import until

from .browsing import FLAGS, LISTEN, bots, may_act, number, press, seen, still
from .page_checks import found
from .people import Player
from .serving import running
from .silence import Front
from .test_nginx import NAME, behind  # noqa: F401  a fixture

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


@pytest.fixture
def playing(visitor):
    """A page of somebody who is to act against bots, after a script has been put there."""

    def sit(script="", **how):
        page = visitor(**how)
        page.add_init_script(script)
        page.player = bots(page)
        may_act(page)
        return page

    return sit


def test_a_lost_connection_comes_back(playing, tmp_path):
    dice = random.Random(2)
    with running(tmp_path) as server:
        page = playing(SOONER, at=server)
        before = number(page)
        page.context.set_offline(True)
        page.locator("button[name=choice]:not([aria-disabled]):visible").first.click()
        page.wait_for_selector("#said:has-text('No connection')")
        server.kill()
        page.context.set_offline(False)
        page.wait_for_selector("#away:visible")
        server.start()
        page.wait_for_selector("#away", state="hidden")
        assert number(page) == before, "what was not acknowledged was not done"
        for _ in range(3):
            press(page, dice)
        assert number(page) != before


def streaming(player):
    """A stream that has been opened; None as long as the server still counts one that is gone."""
    views = player.views()
    with suppress(AssertionError):
        next(views)
        return views
    return None


@pytest.mark.wide
def test_a_page_too_many_says_so_and_goes_on_without_a_stream(playing, strict):
    page, dice = playing(SOONER, at=strict), random.Random(7)
    link = page.url
    page.goto("about:blank")  # gives its own stream back
    with ExitStack() as stack:
        for _ in range(SEAT):
            stack.callback(until(lambda: streaming(page.player)).close)
        page.goto(link)
        page.wait_for_selector("#away:visible")
        assert "too many windows" in page.text_content("#away")
        assert page.get_attribute("#away", "role") == "status"
        assert not found(page, "refused")
        before = number(page)
        for _ in range(4):
            press(page, dice)
        assert number(page) > before
        assert page.is_visible("#away")
        page.evaluate(LISTEN)
    page.wait_for_selector("#away", state="hidden")
    page.wait_for_function("() => told.some(text => text.includes('by itself again'))")
    press(page, dice)


@pytest.mark.wide
def test_tries_grow_rarer_and_are_not_all_at_once(playing):
    page = playing(HASTE)  # no news comes, after which it would try more often
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


def test_a_table_that_is_gone_is_no_lost_connection(playing):
    page = playing()
    gone = page.request.get("/t/" + 22 * "x")
    assert gone.status == 404
    page.route("**/events?*", lambda route: route.fulfill(status=404, body="{}"))
    page.route("**/now", lambda route: route.fulfill(response=gone))
    page.evaluate("dispatchEvent(new Event('online'))")  # tries at once
    page.wait_for_selector("#away:visible")
    assert "no such table" in page.text_content("#away")


@pytest.mark.wide
def test_a_page_goes_on_when_its_stream_gives_no_sign_of_life(visitor, server):
    front = Front(server)
    page, dice = visitor(at=front), random.Random(2)
    page.clock.install()
    bots(page)
    may_act(page)
    still(page)
    front.silent = True
    before = number(page)
    with page.expect_response(lambda answer: answer.url.endswith("/choices")) as answer:
        page.locator(".act:not([aria-disabled])").first.click()
    kept = answer.value.json()["number"]
    page.clock.fast_forward(15_000)
    assert number(page) == before < kept, "it may still speak"
    page.clock.fast_forward(6_000)
    seen(page, kept)
    assert not page.is_visible("#away")
    front.silent = False
    assert press(page, dice)
    front.close()


@pytest.mark.wide
@pytest.mark.parametrize("stopped", [0, 1])
def test_a_page_goes_on_within_25_seconds_after_a_process_stood_still(behind, browser, stopped):  # noqa: F811
    """Two processes behind nginx: the page goes on at the other one."""
    front, servers = behind
    flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=chromium.program(), args=flags)
    base = f"https://{NAME}:{front.port}"
    page = other.new_page(ignore_https_errors=True, reduced_motion="reduce", base_url=base)
    ann = Player(servers[1 - stopped].client).open()
    page.goto(f"/t/{ann.key}")
    page.wait_for_selector("#live .table")
    page.wait_for_load_state()
    still(page)
    os.kill(servers[stopped].process.pid, signal.SIGSTOP)
    try:
        new = ann.do("name", you="Ann").raise_for_status().json()["number"]
        page.set_default_timeout(25_000)
        seen(page, new)
        assert number(page) == new
    finally:
        os.kill(servers[stopped].process.pid, signal.SIGCONT)
        other.close()
