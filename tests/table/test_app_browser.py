"""The table as an app in Chromium: what is kept without network, what never, and for whom."""

import sqlite3

import pytest
from waiting import until

from yegg import games

from .browsing import SS, at, bots, seated
from .page_checks import found, shot
from .people import Player, finish
from .serving import running

pytestmark = pytest.mark.browser
OTHER = "from yegg.table.render import app_files; app_files.version = lambda: 'another'"
READY = "() => navigator.serviceWorker.controller !== null"
# Everything that this browser keeps: by cache, each address with its text.
KEPT = """async () => {
    const all = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        const rows = (await cache.keys()).map(async (request) => {
            const { pathname, search } = new URL(request.url);
            return [pathname + search, await (await cache.match(request)).text()];
        });
        all[name] = Object.fromEntries(await Promise.all(rows));
    }
    return all;
}"""
IS_KEPT = """async (address) => (await caches.match(address)) !== undefined"""
ALL_NEW = """async (before) => {
    const now = await caches.keys();
    return now.length && now.every((name) => !before.includes(name));
}"""
NOT_KEPT = """async (address) => (await caches.match(address)) === undefined"""


def until_so(page, what, *given):
    """Wait for what a browser answers later; `wait_for_function` takes a promise for yes."""
    until(lambda: page.evaluate(what, *given))


@pytest.fixture
def app(visitor):
    """Make somebody whose browser has the app's worker."""

    def make(size="desktop", **how):
        page = visitor(size, service_workers="allow", **how)
        page.goto("/me")
        page.wait_for_function(READY)
        for name in games.names():  # it keeps these by itself
            until_so(page, IS_KEPT, f"/rules/{name}")
        return page

    return make


def kept(page):
    """The address of every page that is kept, with its text; without files."""
    every = {}
    for cache in page.evaluate(KEPT).values():
        every |= cache
    return {address: text for address, text in every.items() if not address.startswith("/static/")}


def offline(page, off=True):
    page.context.set_offline(off)


def finished(page, **more):
    """A game of this browser's owner that has ended, and its page."""
    player = bots(page, short=True, **more)
    finish([player])
    page.goto(f"/t/{player.key}")
    until_so(page, IS_KEPT, f"/t/{player.key}")
    return player


def test_chromium_reads_all_that_it_wants_of_an_app_before_it_installs_it(app):
    """A window-less Chromium installs nothing, so its conditions are asked one by one."""
    page = app()
    chromium = page.context.new_cdp_session(page)
    read = chromium.send("Page.getAppManifest")
    assert read["url"].endswith("/manifest.webmanifest")
    assert read["errors"] == []
    said, home = read["manifest"], f"{page.server.base}/"
    assert said["name"]
    assert said["display"] == "kStandalone"
    assert (said["id"], said["startUrl"], said["scope"]) == (home, home, home)
    assert not said["preferRelatedApplications"]
    assert (
        page.evaluate("isSecureContext && navigator.serviceWorker.controller.state") == "activated"
    )
    icons = page.evaluate("""async () => {
        const link = document.querySelector("link[rel=manifest]");
        const { icons } = await (await fetch(link.href)).json();
        return Promise.all(icons.map(async ({src, sizes}) => {
            const image = new Image();
            image.src = src;
            await image.decode();
            return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
        }));
    }""")
    drawn = [(says, is_so) for says, is_so in icons if says != "any"]
    assert {says for says, _ in drawn} >= {"192x192", "512x512"}
    assert all(says == is_so for says, is_so in drawn)


@pytest.mark.wide(but=["phone"])
@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_without_network_a_game_that_goes_on_is_the_page_that_says_so(app, size):
    page = app(size)
    player = bots(page)
    offline(page)
    page.goto(f"/t/{player.key}")
    assert page.inner_text("#now") == "You are offline"
    assert "Your game is safe." in page.inner_text("main")
    assert not page.is_visible("text=What you have just pressed")
    assert not page.query_selector("#live"), "nothing of the position is shown"
    for scheme in ("dark", "light"):
        where = at(page, size, scheme)
        assert not found(page, where)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        shot(page, f"offline-{where}")
    offline(page, off=False)
    page.wait_for_selector("#live .table")


@pytest.mark.wide
def test_without_network_what_was_pressed_is_said_not_to_have_got_there(app):
    page = app()
    page.goto("/")
    offline(page)
    page.click("button[name=play] >> nth=0")
    page.wait_for_selector("#now:has-text('You are offline')")
    assert page.is_visible("text=What you have just pressed did not get there.")


def test_without_network_rules_and_opened_lessons_can_be_read(app):
    page = app("phone")
    page.goto("/learn/magnate/1-the-first-property")
    page.wait_for_selector("#teacher")
    steps = int(page.get_attribute("body", "data-steps"))
    until_so(page, IS_KEPT, f"/learn/magnate/1-the-first-property?at={steps - 1}")
    offline(page)
    page.goto("/")
    page.wait_for_selector("text=Lessons")
    page.click("text=Rules of Magnate")
    page.wait_for_selector(".prose >> text=MG-1")
    page.wait_for_selector("#away:has-text('You are offline.')")
    shot(page, "offline-rules")
    page.goto("/learn/magnate/1-the-first-property")
    page.wait_for_selector("#away:has-text('You are offline.')")
    shot(page, "offline-lesson")
    told = set()
    for step in range(steps):
        page.goto(f"/learn/magnate/1-the-first-property?at={step}")
        page.wait_for_selector(f"body[data-step='{step}']")
        told.add(page.inner_text(".says"))
    assert len(told) == steps
    page.goto("/learn/magnate/2-what-the-dice-pay")
    assert page.inner_text("#now") == "You are offline", "it was not opened"


def test_one_s_own_finished_game_is_kept_with_the_positions_looked_at(app):
    page = app()
    player = finished(page)
    page.wait_for_selector("#at")
    page.press("body", "Home")
    page.wait_for_selector("#moment[data-at='0']")
    until_so(page, IS_KEPT, f"/t/{player.key}/at/0")
    offline(page)
    page.goto(f"/t/{player.key}")
    page.wait_for_selector(".ending")
    page.wait_for_selector("#away:has-text('You are offline. This is how your game ended.')")
    page.press("body", "Home")
    page.wait_for_selector("#moment[data-at='0']")
    page.press("body", "ArrowRight")
    page.wait_for_selector("#said:has-text('has not kept this position')")
    page.goto("/")
    page.click(f"a[href='/t/{player.key}']")
    page.wait_for_selector(".ending")
    assert page.inner_text("#moment")
    shot(page, "offline-ended")


@pytest.mark.wide
def test_a_game_that_ends_before_one_s_eyes_is_kept_as_it_ended(app):
    page = app()
    player = bots(page, short=True)
    finish([player])
    page.wait_for_selector(".ending")
    until_so(page, IS_KEPT, f"/t/{player.key}")
    offline(page)
    page.reload()
    assert page.inner_text(".ending h2").startswith("You")


def test_nothing_else_is_kept(app):
    page = app()
    own, others = finished(page), Player(page.server.client)
    finish([others.open(SS, ["me", "uniform"], options={"chips": "3"})])
    going = bots(page)
    for path in (f"/t/{others.key}", f"/t/{own.key}?eyes=2&at=3", f"/t/{own.key}/at/3?eyes=2"):
        page.goto(path)
    for path in ("/", "/me", f"/t/{own.key}/review", f"/t/{going.key}", "/learn/secrets"):
        page.goto(path)
    until_so(page, IS_KEPT, "/learn/secrets/1-four-spies?at=1")
    for address, text in kept(page).items():
        mine = address in {"/whose", f"/t/{own.key}"}
        public = address == "/offline" or address.startswith(("/rules/", "/learn/"))
        assert mine or public, address
        assert mine or "Vera" not in text, f"{address} is somebody's"
        assert going.key not in text, address


def test_somebody_else_in_the_same_browser_finds_no_game_of_the_first(app):
    page = app()
    player = finished(page)
    other = bots(page, short=True)  # with another cookie
    assert page.evaluate(NOT_KEPT, f"/t/{player.key}")
    offline(page)
    page.goto(f"/t/{player.key}")
    assert page.inner_text("#now") == "You are offline"
    page.goto(f"/t/{other.key}")
    assert page.inner_text("#now") == "You are offline"


@pytest.mark.wide(but=["forgotten"])
@pytest.mark.parametrize("way", ["forgotten", "signed off"])
def test_who_signs_off_or_is_forgotten_leaves_no_game_behind(app, way):
    page = app()
    player = finished(page)
    if way == "forgotten":
        page.goto("/me/guests")
        page.locator("summary", has_text="Forget me").first.click()
        page.click("form[action='/me/forget'] button")
        page.wait_for_url("**/forgotten")
    else:
        page.goto("/me")
        page.locator("summary", has_text="Sign out here").click()
        page.click("form[action='/me/end'] button")
        page.wait_for_url("**/")
    until_so(page, NOT_KEPT, f"/t/{player.key}")
    offline(page)
    page.goto(f"/t/{player.key}")
    assert page.inner_text("#now") == "You are offline"


def test_a_new_version_keeps_all_anew_and_deletes_the_old(app, tmp_path):
    with running(tmp_path) as server:
        page = app(at=server)
        finished(page)
        before = page.evaluate("caches.keys()")
        assert len(before) == 2
        server.stop()
        server.first = OTHER
        server.open()
        server.ready()
        page.goto("/")
        page.evaluate("navigator.serviceWorker.getRegistration().then((there) => there.update())")
        until_so(page, ALL_NEW, before)
        until_so(page, IS_KEPT, "/rules/magnate")
        assert "yegg-another" in page.evaluate("caches.keys()")
        offline(page)
        page.goto("/t/" + "x" * 22)
        assert page.inner_text("#now") == "You are offline"


# Being told, which is asked for once ------------------------------------------------------

# A browser without a window reaches no push service.
PUSH = """(() => {
    window.asked = 0;
    window.Notification = class { static permission = "default"; };
    window.Notification.requestPermission = async () => { asked += 1; return "denied"; };
})()"""


@pytest.fixture(scope="module")
def over_days(tmp_path_factory):
    """A server that tells browsers, and two games there of one person: the first took two days."""
    folder = tmp_path_factory.mktemp("days")
    with running(folder, "--address", "http://localhost/", "--push") as server:
        long, short = (Player(server.client), Player(server.client))
        for player in (long, short):
            player.token = long.token
            finish([player.open(SS, ["me", "uniform"], options={"chips": "3"})])
        server.stop()
        with sqlite3.connect(folder / "t.db") as db:
            db.execute("update games set at = at - 2 * 86400000 where key = ?", (long.key,))
        server.open()
        yield server.ready(), long, short


@pytest.mark.wide
def test_after_the_first_game_over_days_it_is_asked_once_whether_to_tell(visitor, over_days):
    server, long, short = over_days
    page = visitor("phone", at=server)
    page.add_init_script(PUSH)
    seated(page, short)
    page.wait_for_selector(".ending")
    assert page.is_hidden("#ask-push"), "it took no days"
    seated(page, long)
    page.wait_for_selector("#ask-push:has-text('tell you when it is your turn')")
    assert not page.evaluate("asked"), "the browser itself asks only whoever has said yes"
    assert not found(page, "ask-push")
    shot(page, "ask-push")
    page.click("#ask-push button[value=yes]")
    page.wait_for_selector("#ask-push:has-text('The browser does not allow it.')")
    assert page.evaluate("asked") == 1
    page.reload()
    page.wait_for_selector(".ending")
    page.wait_for_function("() => localStorage.getItem('yegg-push-asked') === 'yes'")
    assert page.is_hidden("#ask-push"), "it was asked before"
