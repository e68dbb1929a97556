"""A hidden tab learns that it is somebody's turn: by its title, its icon, and a notification."""

import random

import pytest

from .browsing import found, press, shot
from .test_around_browser import HIDE
from .test_lost_browser import SOONER
from .test_seats_browser import joined, opened, whose

pytestmark = pytest.mark.browser
# A headless window shows no notifications, so what would be shown is written down.
NOTES = """() => {
    window.notes = [];
    window.Notification = class extends EventTarget {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, how) { super(); notes.push([title, how.tag]); }
        close() {}
    };
}"""
MARKED = "() => document.title.startsWith('● Your turn, Second Story')"
DOTTED = "() => document.querySelector('link[rel=icon]').href.includes('icon-turn')"


@pytest.fixture
def two(visitor):
    """Two people at a table, the first of whom is to move; the other's notes are kept."""
    ann, ben = visitor(), visitor()
    for page in (ann, ben):
        page.add_init_script(f"({NOTES})()")
        page.add_init_script(SOONER)  # a hidden page asks rarely
    joined(ben, opened(ann), "Ben")
    mine, (other,) = whose(ann, ben)
    return mine, other


def wish(page):
    page.click(".menu summary")
    page.check("#notify")
    page.keyboard.press("Escape")


def pass_on(page):
    """Play until it is the other's turn."""
    dice = random.Random(3)
    while page.query_selector(".turn.mine"):
        press(page, dice, ("stop",))


def test_a_hidden_tab_sees_title_icon_and_one_notification(two):
    mine, other = two
    wish(other)
    other.evaluate(HIDE, True)
    assert not other.evaluate(MARKED)
    pass_on(mine)
    other.wait_for_function(MARKED)
    other.wait_for_function(DOTTED)
    key = other.url.partition("#")[0][-22:]
    assert other.evaluate("notes") == [["Your turn, Second Story", key]]
    other.wait_for_event("response", lambda one: one.url.endswith("/api/me")).finished()
    assert len(other.evaluate("notes")) == 1
    other.evaluate(HIDE, False)
    other.wait_for_selector(".turn.mine")
    assert other.evaluate(MARKED)
    pass_on(other)
    other.wait_for_function(f"() => !({DOTTED})()")
    assert not other.evaluate(MARKED)


def test_of_two_hidden_tabs_one_asks_and_both_know(two):
    mine, other = two
    lobby = other.context.new_page()
    lobby.add_init_script(f"({NOTES})()")
    lobby.add_init_script(SOONER)
    lobby.goto("/")
    asked = []
    for page in (other, lobby):
        page.on(
            "request", lambda r, page=page: asked.append(page) if r.url.endswith("/api/me") else 0
        )
        page.evaluate(HIDE, True)
    wished = other.evaluate("() => localStorage.setItem('yegg-notify', 'on')")
    assert wished is None
    pass_on(mine)
    for page in (other, lobby):
        page.wait_for_function(MARKED)
    assert len(set(asked)) == 1
    assert sorted(len(page.evaluate("notes")) for page in (other, lobby)) == [0, 1]
    lobby.evaluate(HIDE, False)
    assert not lobby.evaluate(MARKED), "who looks at the lobby sees it in the list"


def test_nothing_is_notified_that_nobody_wished_for(two):
    mine, other = two
    other.evaluate(HIDE, True)
    pass_on(mine)
    other.wait_for_function(MARKED)
    assert other.evaluate("notes") == []


@pytest.mark.wide
def test_over_plain_http_the_menu_says_why_there_are_none(visitor):
    page = visitor("phone")
    page.add_init_script("""Object.defineProperty(window, "isSecureContext", {value: false});
        Object.defineProperty(Navigator.prototype, "locks", {value: undefined});""")
    other = visitor()
    joined(other, opened(page), "Ben")
    page.click(".menu summary")
    assert "Notifications need https." in page.inner_text("#notify-why")
    assert not page.is_visible("#notify")
    assert not found(page, "menu")
    shot(page, "turn-plain-http")
    page.keyboard.press("Escape")
    if whose(page, other)[0] is page:
        pass_on(page)
        other.wait_for_selector(".turn.mine")
    page.evaluate(HIDE, True)  # title and icon must do, also without locks
    pass_on(other)
    page.wait_for_function(MARKED)
    page.wait_for_function(DOTTED)
