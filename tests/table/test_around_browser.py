"""Around the table, in a real browser: the link, the title, the menu, rules, keys and frames."""

import random

import pytest

from yegg import games

from .browsing import bots, found, may_act, over, press, shot, sit, still, there
from .moments import MOMENTS
from .sight import BARS, COVERED, KEYS_HIDDEN, OUT_OF_SIGHT

pytestmark = pytest.mark.browser
MOMENT = {str(moment): moment for moment in MOMENTS}
FEW = {"second-story": 2, "magnate": 2, "secrets": 3, "thiefs-market": 3}
WIDE = pytest.mark.wide
SEEN = (("second-story", "phone"), ("magnate", "desktop"))
EACH = [
    pytest.param(game, size, marks=() if (game, size) in SEEN else WIDE)
    for game in games.names()
    for size in ("desktop", "phone")
]
GOOD = """() => {
    const said = document.getElementById("said");
    said.insertAdjacentHTML("afterend", '<i id="green" class="res good"></i>');
    const green = getComputedStyle(document.documentElement).getPropertyValue("--good");
    document.getElementById("green").style.color = green;
    const colour = (id) => getComputedStyle(document.getElementById(id)).color;
    return colour("said") === colour("green");
}"""
NAMED = """() => {
    const line = document.getElementById("now").textContent;
    return document.title.startsWith(line.startsWith("Your turn") ? "● Your turn, " : line);
}"""
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));
}"""


def invite(page, game, seats):
    """Open a table where all other seats are for friends."""
    page.goto(f"/?game={game}")
    for seat in range(2, games.find(game).players[-1] + 1):
        page.select_option(f"select[name=seat{seat}]", "open" if seat <= seats else "")
    page.click("button:has-text('Open the table')")
    page.wait_for_selector("#link")
    return page.url


def sit_down(page, name):
    page.fill(".join input[name=you]", name)
    page.locator(".join button:visible").first.click()
    page.wait_for_selector("#choose", state="attached")
    there(page)


@pytest.mark.parametrize(("game", "size"), EACH)
def test_what_one_needs_next_is_in_sight(visitor, game, size):
    host, *guests = (visitor(size) for _ in range(FEW[game]))
    link = invite(host, game, FEW[game])
    still(host)  # a browser scrolls late to where an address points
    assert not host.evaluate(OUT_OF_SIGHT, "#link, #copy, #now")
    assert not found(host, "host")
    shot(host, f"waiting-{game}-{size}-host")
    for i, guest in enumerate(guests):
        guest.goto(link)
        still(guest)
        assert not guest.evaluate(OUT_OF_SIGHT, ".join input[name=you], .join button, #now")
        sit = guest.locator(".join button:visible").first.bounding_box()
        assert sit["y"] < guest.locator(".share").bounding_box()["y"]
        if i == 0:  # the others see the same
            assert not found(guest, "guest")
        shot(guest, f"waiting-{game}-{size}-guest")
        host.evaluate("scrollTo(0, document.body.scrollHeight)")
        sit_down(guest, f"Guest {i}")
    host.wait_for_selector(".share", state="detached")
    for page in (host, guests[-1]):
        still(page)
        assert not page.evaluate(OUT_OF_SIGHT, "#now")
        assert "Waiting for one more" not in page.title()


def test_a_seat_that_is_taken_is_offered_no_more(visitor):
    host, guest, another = visitor(), visitor(), visitor()
    link = invite(host, "secrets", 3)
    for page in (guest, another):
        page.goto(link)
    sit_down(guest, "Guest")
    another.wait_for_selector(".join button[value='2']", state="hidden")
    assert another.locator(".join button:visible").count() == 1
    another.fill(".join input[name=you]", "Another")
    sit_down(another, "Another")
    host.wait_for_selector(".share", state="detached")
    watcher = visitor()
    watcher.goto(link)
    assert not watcher.locator(".join").is_visible()


def test_the_title_follows_the_table(visitor):
    page, dice = visitor(), random.Random(1)
    bots(page, "second-story", short=True)
    titles = set()
    while press(page, dice, ("stop", "end")):
        page.wait_for_function(NAMED)
        titles.add(page.title())
    assert over(page)
    page.wait_for_function(NAMED)
    assert "Your turn" not in page.title()
    assert page.title().endswith("Second Story")
    assert any("Your turn" in title for title in titles)


@WIDE
def test_a_page_in_the_background_hears_whose_turn_it_is(visitor):
    host, guest = visitor(), visitor()
    link = invite(host, "second-story", 2)
    guest.goto(link)
    sit_down(guest, "Guest")
    host.wait_for_selector(".share", state="detached")
    people = [host, guest]
    mine = next(p for p in people if "Your turn" in p.title())
    other = next(p for p in people if p is not mine)
    other.evaluate(HIDE, True)
    dice = random.Random(2)
    while "Your turn" in mine.title():
        press(mine, dice, ("stop",))
        mine.wait_for_function(NAMED)
    other.wait_for_function("() => document.title.startsWith('● Your turn')")
    other.evaluate(HIDE, False)
    assert may_act(other)


@pytest.mark.parametrize("way", ["clipboard", pytest.param("selection", marks=WIDE), "by hand"])
def test_the_link_is_copied_wherever_a_browser_can(visitor, way):
    page = visitor()
    if way == "clipboard":
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:  # as over plain http
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    if way == "by hand":
        page.add_init_script("document.execCommand = () => false")
    invite(page, "second-story", 2)
    page.click("#copy")
    page.wait_for_selector("#said:has-text('link is')")
    said, good = page.text_content("#said"), page.evaluate(GOOD)  # it does not stay for ever
    assert good
    assert not found(page, "copied")
    link = page.input_value("#link")
    if way == "clipboard":
        assert page.evaluate("navigator.clipboard.readText()") == link
    else:
        assert page.evaluate("getSelection().toString()") == link
    assert ("selected" if way == "by hand" else "copied") in said


def test_the_menu_is_closed_by_escape_and_by_a_press_beside_it(visitor):
    page = visitor()
    bots(page, "second-story")
    summary, panel = page.locator(".menu > summary"), page.locator(".menu .panel")
    summary.click()
    assert panel.is_visible()
    page.locator(".menu .panel a").first.focus()
    page.keyboard.press("Escape")
    assert not panel.is_visible()
    assert page.evaluate("document.activeElement.matches('.menu > summary')")
    summary.click()
    panel.click(position={"x": 5, "y": 5})
    assert panel.is_visible(), "a press in it leaves it open"
    page.mouse.click(400, 200)
    assert not panel.is_visible()
    summary.click()
    for _ in range(30):
        page.keyboard.press("Tab")
    assert not panel.is_visible(), "it does not lie over what has the focus"


@pytest.mark.parametrize("size", [pytest.param("desktop", marks=WIDE), "phone"])
def test_close_covers_no_rule(visitor, size):
    page = visitor(size)
    bots(page, "second-story")
    page.click("#rules-link")
    page.wait_for_selector("dialog[open] .prose li")
    close = page.locator("dialog .btn").bounding_box()
    page.locator("dialog .prose").evaluate("prose => prose.scrollTop = 700")
    assert page.locator("dialog .prose").evaluate("prose => prose.scrollTop") == 700
    assert page.locator("dialog .btn").bounding_box() == close
    assert close["y"] + close["height"] <= page.locator("dialog .prose").bounding_box()["y"]
    assert not found(page, "rules")
    page.click("dialog .btn")
    assert not page.locator("dialog").is_visible()


CLAUSES = "() => document.querySelector('#live [data-clauses]').dataset.clauses.split(' ')"


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g == "magnate" else WIDE) for g in games.names()]
)
def test_rules_open_at_the_clauses_that_apply_now_each_with_an_example(visitor, game):
    page, dice, before = visitor(), random.Random(game), None
    bots(page, game)
    for _ in range(12):
        assert may_act(page)
        apply = page.evaluate(CLAUSES)
        if apply != before:
            page.keyboard.press("r")
            page.wait_for_selector("dialog[open] .applies li")
            bold = page.locator(".applies li > p > strong").all_inner_texts()
            assert [text for text in bold if text[2:3] == "-"] == apply
            assert page.locator(".applies li:has(blockquote)").count() == len(apply)
            assert page.locator("dialog .prose").evaluate("prose => prose.scrollTop") == 0
            page.keyboard.press("Escape")
            if before:
                break
            before = apply
        press(page, dice)
    assert before != apply, "they are those of another question now"


FRAMED = ("second-story-plan", "thiefs-market-split", "magnate-over")


@pytest.mark.parametrize(
    "moment", [pytest.param(name, marks=() if name in FRAMED else WIDE) for name in MOMENT]
)
def test_the_frame_of_the_focus_covers_no_text(window, server, moment):
    sit(window, server, MOMENT[moment])
    window.emulate_media(color_scheme="dark")
    window.set_viewport_size({"width": 1280, "height": 800})
    window.evaluate("document.getElementById('now').focus({focusVisible: true})")
    assert not window.evaluate(COVERED)


ENLARGED = ("second-story-tenement", "magnate-card")


@pytest.mark.parametrize(
    "moment", [pytest.param(name, marks=() if name in ENLARGED else WIDE) for name in MOMENT]
)
def test_at_200_percent_keys_stay_and_bars_are_low(visitor, server, moment):
    page = visitor(device_scale_factor=2)
    page.set_viewport_size({"width": 640, "height": 400})
    page.faults = []
    sit(page, server, MOMENT[moment])
    shot(page, f"enlarged-{moment}")
    bars = page.evaluate(BARS)
    assert bars
    assert max(bars) <= 400 / 5, bars
    assert not page.evaluate(KEYS_HIDDEN)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.locator("#odds kbd").is_visible()


@pytest.mark.parametrize(
    "moment",
    [*(pytest.param(f"secrets-{m}", marks=WIDE) for m in ("orders", "policeman")), "secrets-six"],
)
def test_orders_stay_on_their_cards(window, server, moment):
    sit(window, server, MOMENT[moment])
    window.set_viewport_size({"width": 360, "height": 740})
    outside = """() => [...document.querySelectorAll(".spy")].flatMap(card => {
        const box = card.getBoundingClientRect();
        const parts = [...card.querySelectorAll(".goal, .goal > :not(.vh)")];
        return parts.filter(e => e.checkVisibility()).filter(e => {
            const r = e.getBoundingClientRect();
            return r.left < box.left || r.right > box.right || r.bottom > box.bottom;
        }).map(e => e.className || e.localName);
    })"""
    assert window.locator(".spy .goal").count() > 1
    window.evaluate(
        "document.querySelectorAll('.goal .nom').forEach(e => e.textContent = 'Bartholomew')"
    )
    assert not window.evaluate(outside)


def test_a_seat_that_becomes_free_is_offered(visitor):
    host, guest, watcher = visitor(), visitor(), visitor()
    link = invite(host, "second-story", 2)
    guest.goto(link)
    sit_down(guest, "Guest")
    watcher.goto(link)
    assert not watcher.locator(".join").count()
    csrf = guest.get_attribute("meta[name=csrf]", "content")
    left = guest.request.post(
        f"/api/games/{link.rpartition('/')[2]}/leave", headers={"X-CSRF-Token": csrf}
    )
    assert left.ok, left.text()
    watcher.wait_for_selector(".join button")
    sit_down(watcher, "Watcher")
