"""A second browser watches by the shared link in mid-game; phrases are heard, or not sent."""

import random

import chromium
import pytest

from .browsing import FLAGS, SOON, found, number, press, shot, until
from .conftest import set_pace
from .serving import Served
from .test_seats_browser import joined, opened, whose

pytestmark = pytest.mark.browser
# Keeps every phrase that is heard.
HEARD = """() => {
    window.phrases = [];
    const hear = (n) => phrases.push(n.textContent);
    const look = (seen) => seen.forEach(m => m.addedNodes.forEach(hear));
    new MutationObserver(look).observe(document.getElementById("heard"), {childList: true});
}"""
PLAIN = "table.test"  # a name that browsers do not trust without https, as an address in a network


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A server of its own, which has that name."""
    served = Served(tmp_path_factory.mktemp("plain"), "--allow", PLAIN).start()
    yield served
    served.close()


@pytest.fixture
def insecure(browser, plain):
    """Make pages of that server, by its name."""
    flags = [*FLAGS, f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1"]
    other = browser.browser_type.launch(executable_path=chromium.program(), args=flags)
    base = f"http://{PLAIN}:{plain.port}"

    def make(called="Vera"):
        context = other.new_context(base_url=base, reduced_motion="reduce")
        context.add_cookies([{"name": "yegg-name", "value": called, "url": base}])
        context.add_init_script(set_pace("at once"))
        page = context.new_page()
        page.set_default_timeout(SOON)
        return page

    yield make
    other.close()


def shared(page):
    """Press Share in the menu; the link."""
    page.click(".menu summary")
    page.click("#share-now")
    page.wait_for_selector("#shared:not(:empty)")
    return page.input_value("#table-link")


def watched(ann, guest, way):
    """A guest watches by the link that Ann shares in mid-game."""
    press(ann, random.Random(1))
    link = shared(ann)
    assert way in ann.inner_text("#shared")
    assert ann.evaluate("getSelection().toString()") == link or "copied" in way
    ann.keyboard.press("Escape")
    guest.goto(link)
    guest.wait_for_selector("#live .table[data-begun=yes]")
    assert "You are watching." in guest.inner_text("#live") or guest.query_selector(".turn")
    assert not guest.query_selector("button[name=choice]")
    ann.wait_for_selector(".where:has-text('one is watching')")


@pytest.mark.wide
def test_a_second_browser_watches_by_the_shared_link_in_mid_game(visitor):
    ann, ben = visitor(), visitor()
    joined(ben, opened(ann), "Ben")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    mine, _ = whose(ann, ben)
    mine.context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched(mine, visitor("phone", called="Cid"), "The link is copied.")
    mine.click(".menu summary")
    assert "One is watching." in mine.inner_text(".sharing")
    assert not found(mine, "menu")
    shot(mine, "share-menu")


@pytest.mark.wide
def test_the_same_over_plain_http(insecure):
    ann, ben = insecure("Ann"), insecure("Ben")
    joined(ben, opened(ann), "Ben")
    mine, _ = whose(ann, ben)
    assert not mine.evaluate("isSecureContext")
    mine.evaluate("() => { document.execCommand = () => false; }")
    watched(mine, insecure("Cid"), "The link is selected.")


def test_a_phrase_is_seen_by_all_who_like_it_until_something_happens(visitor):
    ann, ben, cid = visitor(), visitor("phone"), visitor()
    link = opened(ann, 3)
    joined(ben, link, "Ben")
    joined(cid, link, "Cid")
    mine, (hears, deaf) = whose(ann, ben, cid)
    deaf.click(".menu summary")
    with deaf.expect_navigation():
        deaf.click("button:has-text('Hear no phrases')")
    deaf.evaluate(HEARD)
    mine.click(".menu summary")
    shot(mine, "phrases-menu")
    mine.click("#say button:has-text('Well played')")
    for page in (mine, hears):
        page.wait_for_selector("#heard p:has-text('Well played')")
        assert not found(page, "heard")
        shot(page, f"phrase-{page.viewport_size['width']}")
    mine.evaluate("""() => {
        const say = document.getElementById("say");
        for (const phrase of [...say.elements.phrase].slice(0, 3)) say.requestSubmit(phrase);
    }""")
    mine.wait_for_selector("#said:has-text('One phrase in five seconds')")
    press(mine, random.Random(2))
    for page in (mine, hears):
        page.wait_for_selector("#heard p", state="detached")
    until(deaf, number(mine))  # what was said would have come before this
    assert not deaf.evaluate("phrases")


def test_two_browsers_and_a_bot_sit_at_the_new_table_after_one_press_each(visitor):
    ann, ben = visitor(), visitor("phone", called="Ben")
    ann.goto("/?game=second-story")
    ann.select_option("select[name=seat3]", "uniform")
    ann.locator(".houserules").evaluate("e => { e.open = true; }")
    ann.select_option("[name=opt-chips]", "3")
    ann.click("button:has-text('Open the table')")
    joined(ben, ann.input_value("#link"), "Ben")
    dice = random.Random(4)
    for _ in range(5_000):
        if ann.query_selector("[data-over=yes]"):
            break
        for page in (ann, ben):
            if page.query_selector(".turn.mine"):
                press(page, dice, ("stop", "continue"))
        ann.wait_for_timeout(20)
    ben.wait_for_selector("[data-over=yes]")
    old = ann.url
    ann.click("button:has-text('Rematch')")
    ann.wait_for_url(lambda url: url.partition("#")[0] != old.partition("#")[0])
    assert "Ben can read it at the old table." in ann.inner_text("#live")
    shot(ann, "rematch-held")
    ben.wait_for_selector("#anew:has-text('Vera has set the table again.')")
    assert not found(ben, "anew")
    shot(ben, "rematch-anew")
    ben.click("#anew button:has-text('Sit down')")
    for page in (ann, ben):
        page.wait_for_selector("#live .table[data-begun=yes]")
        assert page.url.partition("#")[0] == ann.url.partition("#")[0]
    seats = ann.evaluate(
        """async () => (await (await fetch(
            "/api" + location.pathname.replace("t", "games"))).json()).seats"""
    )
    assert [(seat["name"], seat["bot"]) for seat in seats[:2]] == [("Vera", None), ("Ben", None)]
    assert seats[2]["bot"] == "uniform"
