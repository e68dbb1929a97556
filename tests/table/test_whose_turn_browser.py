"""Whose turn it is in a browser: the title, the icon and a notification, in hidden tabs too."""

import random

import pytest

from .browsing import bots, friends, over, press
from .page_checks import found, shot
from .test_reconnect_browser import SOONER

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
NAMED = """() => {
    const line = document.getElementById("now").textContent;
    return document.title.startsWith(line.startsWith("Your turn") ? "● Your turn, " : line);
}"""
# The tab is in the background from now on, or in front again.
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));
}"""
# A headless window shows no notifications, so what would be shown is written down.
NOTES = """(() => {
    window.notes = [];
    window.Notification = class extends EventTarget {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, how) { super(); notes.push([title, how.tag]); }
        close() {}
    };
})()"""
MARKED = "() => document.title.startsWith('● Your turn, Second Story')"
DOTTED = "() => document.querySelector('link[rel=icon]').href.includes('icon-turn')"


def pass_on(page):
    """Play until it is the other's turn."""
    while page.player.act():
        pass


@pytest.fixture
def two(visitor):
    """Two people, the first of whom is to move; the other's tab is hidden, its notes are kept."""
    pages = visitor(), visitor()
    for page in pages:
        page.add_init_script(NOTES)
        page.add_init_script(SOONER)  # a hidden page asks rarely
    mine, other = friends(*pages)
    other.evaluate(HIDE, True)
    assert not other.evaluate(MARKED)
    return mine, other


@pytest.mark.wide
def test_the_title_follows_the_table(visitor):
    page, dice = visitor(), random.Random(1)
    bots(page, short=True)
    titles = set()
    while press(page, dice, ("stop", "end")):
        page.wait_for_function(NAMED)
        titles.add(page.title())
    assert over(page)
    page.wait_for_function(NAMED)
    assert "Your turn" not in page.title()
    assert page.title().endswith("Second Story")
    assert any("Your turn" in title for title in titles)


def test_a_hidden_tab_sees_title_icon_and_one_notification(two):
    mine, other = two
    other.evaluate("() => localStorage.setItem('yegg-notify', 'on')")
    pass_on(mine)
    other.wait_for_function(MARKED)
    other.wait_for_function(DOTTED)
    assert other.evaluate("notes") == [["Your turn, Second Story", other.player.key]]
    other.wait_for_event("response", lambda one: one.url.endswith("/api/me")).finished()
    assert len(other.evaluate("notes")) == 1
    other.evaluate(HIDE, False)
    other.wait_for_selector(".turn.mine")
    assert other.evaluate(MARKED)
    pass_on(other)
    other.wait_for_function(f"() => !({DOTTED})()")
    assert not other.evaluate(MARKED)


@pytest.mark.wide
@pytest.mark.parametrize("wished", [True, False])
def test_of_two_hidden_tabs_one_asks_and_both_know(two, wished):
    mine, other = two
    lobby = other.context.new_page()
    lobby.add_init_script(NOTES)
    lobby.add_init_script(SOONER)
    lobby.goto("/")
    lobby.evaluate(HIDE, True)
    asked = []
    for page in (other, lobby):
        page.on(
            "request", lambda r, page=page: asked.append(page) if r.url.endswith("/api/me") else 0
        )
    if wished:
        other.evaluate("() => localStorage.setItem('yegg-notify', 'on')")
    pass_on(mine)
    for page in (other, lobby):
        page.wait_for_function(MARKED)
    assert len(set(asked)) == 1
    notes = sorted(len(page.evaluate("notes")) for page in (other, lobby))
    assert notes == ([0, 1] if wished else [0, 0])
    lobby.evaluate(HIDE, False)
    assert not lobby.evaluate(MARKED), "who looks at the lobby sees it in the list"


@WIDE
def test_over_plain_http_the_menu_says_why_there_are_no_notifications(visitor):
    page, other = visitor("phone"), visitor()
    page.add_init_script("""Object.defineProperty(window, "isSecureContext", {value: false});
        Object.defineProperty(Navigator.prototype, "locks", {value: undefined});""")
    friends(page, other)
    page.click(".menu summary")
    page.click(".seldom summary")
    assert "Notifications need https." in page.inner_text("#notify-why")
    assert not page.is_visible("#notify")
    assert not found(page, "menu")
    shot(page, "turn-plain-http")
    page.keyboard.press("Escape")
    pass_on(page)
    other.wait_for_selector(".turn.mine")
    page.evaluate(HIDE, True)  # title and icon must do, also without locks
    pass_on(other)
    page.wait_for_function(MARKED)
    page.wait_for_function(DOTTED)
