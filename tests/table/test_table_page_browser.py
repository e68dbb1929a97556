"""The table's page in a browser: waiting for friends, menu, rules; and nothing jumps."""

import random

import pytest

from yegg import games

from .browsing import (
    ANEW,
    all_shown,
    bots,
    friends,
    making_a_choice,
    may_act,
    number,
    press,
    seated,
    still,
    there,
    whose,
)
from .page_checks import OUT_OF_SIGHT, found, shot
from .people import SS, Player

pytestmark = pytest.mark.browser
WIDE = pytest.mark.wide
BOTH = [pytest.param("desktop", marks=WIDE), "phone"]
SEATS = {"second-story": 2, "magnate": 2, "secrets": 3, "thiefs-market": 3}


def few(*names):
    return [pytest.param(game, marks=() if game in names else WIDE) for game in games.names()]


def invite(page, game=SS, seats=2):
    """Open a table where all other seats are for friends."""
    wish = ["me"] + ["open"] * (seats - 1)
    player = Player(page.server.client).open(game, wish, you=page.called)
    return seated(page, player)


def sit_down(page, name):
    page.fill(".join input[name=you]", name)
    page.locator(".join button:visible").first.click()
    page.wait_for_selector("#choose", state="attached")
    there(page)


# Waiting for friends


@pytest.mark.wide
@pytest.mark.parametrize("size", ["phone", pytest.param("desktop", marks=WIDE)])
@pytest.mark.parametrize("game", few("second-story"))
def test_what_one_needs_next_is_in_sight(visitor, game, size):
    host, *guests = (visitor(size) for _ in range(SEATS[game]))
    invite(host, game, SEATS[game])
    still(host)  # a browser scrolls late to where an address points
    assert not host.evaluate(OUT_OF_SIGHT, "#link, #copy, #now")
    assert not found(host, "host")
    shot(host, f"waiting-{game}-{size}-host")
    for i, guest in enumerate(guests):
        guest.goto(host.url)
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


@pytest.mark.wide
def test_a_seat_that_is_taken_is_offered_no_more_and_one_that_becomes_free_is(visitor):
    guest, another = visitor(), visitor()
    host = Player(guest.server.client).open("secrets", ["me", "open", "open"])
    for page in (guest, another):
        page.goto(f"/t/{host.key}")
    sit_down(guest, "Guest")
    another.wait_for_selector(".join button[value='2']", state="hidden")
    assert another.locator(".join button:visible").count() == 1
    third = Player(host.client)
    assert third.join(host.key, seat=3).status_code == 200
    another.wait_for_selector(".join", state="hidden")
    assert third.do("leave").status_code == 200
    another.wait_for_selector(".join button:visible")
    sit_down(another, "Another")


SAID = """() => {
    const said = document.getElementById("said").textContent;
    return said.includes("link is") && said;
}"""


@pytest.mark.wide
@pytest.mark.parametrize("way", ["clipboard", pytest.param("selection", marks=WIDE), "by hand"])
def test_the_link_is_copied_wherever_a_browser_can(visitor, way):
    page = visitor()
    if way == "clipboard":
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:  # as over plain http
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    if way == "by hand":
        page.add_init_script("document.execCommand = () => false")
    invite(page)
    page.click("#copy")
    said = page.wait_for_function(SAID).json_value()  # it does not stay for ever
    link = page.input_value("#link")
    if way == "clipboard":
        assert page.evaluate("navigator.clipboard.readText()") == link
    else:
        assert page.evaluate("getSelection().toString()") == link
    assert ("selected" if way == "by hand" else "copied") in said
    assert not found(page, "copied")


@pytest.mark.parametrize("game", [one for one in few(SS) if "secrets" not in one.values])
def test_on_a_phone_the_board_is_in_sight_when_one_s_turn_begins_and_ends(visitor, game):
    page, *others = friends(*(visitor("phone") for _ in range(SEATS[game])), game=game)
    dice, ends = random.Random(5), ("stop", "flee", "end", "sell", "steal", "done", "+ done")
    while page.query_selector(".turn.mine"):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        assert page.evaluate("scrollY") > 0
        press(page, dice, ends)
        all_shown(page)
    assert page.evaluate("scrollY") == 0
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    while not page.query_selector(".turn.mine"):
        press(whose(*others, page)[0], dice, ends)
    all_shown(page)
    assert page.evaluate("scrollY") == 0


# Menu and rules


@pytest.mark.wide
def test_the_menu_is_closed_by_escape_and_by_a_press_beside_it(window):
    bots(window)
    summary, panel = window.locator(".menu > summary"), window.locator(".menu .panel")
    summary.click()
    assert panel.is_visible()
    window.locator(".menu .panel a").first.focus()
    window.keyboard.press("Escape")
    assert not panel.is_visible()
    assert window.evaluate("document.activeElement.matches('.menu > summary')")
    summary.click()
    panel.click(position={"x": 5, "y": 5})
    assert panel.is_visible(), "a press in it leaves it open"
    window.click("#now")
    assert not panel.is_visible()
    summary.click()
    for _ in range(30):
        window.keyboard.press("Tab")
    assert not panel.is_visible(), "it does not lie over what has the focus"


CLAUSES = "() => document.querySelector('#live [data-clauses]').dataset.clauses.split(' ')"


@pytest.mark.parametrize("game", few("magnate"))
def test_rules_open_at_the_clauses_that_apply_now_and_close_covers_none(visitor, game):
    page, dice, before = visitor("phone"), random.Random(game), None
    bots(page, game)
    prose, close = page.locator("dialog .prose"), page.locator("dialog .btn")
    for _ in range(12):
        assert may_act(page)
        apply = page.evaluate(CLAUSES)
        if apply != before:
            page.keyboard.press("r")
            page.wait_for_selector("dialog[open] .applies li")
            bold = page.locator(".applies li > p > strong").all_inner_texts()
            assert [text for text in bold if text[2:3] == "-"] == apply
            assert page.locator(".applies li:has(blockquote)").count() == len(apply)
            assert prose.evaluate("prose => prose.scrollTop") == 0
            if before:
                break
            lies = close.bounding_box()
            prose.evaluate("prose => prose.scrollTop = 700")
            assert close.bounding_box() == lies
            assert lies["y"] + lies["height"] <= prose.bounding_box()["y"]
            assert not found(page, "rules")
            close.click()
            page.wait_for_selector("dialog", state="hidden")
            before = apply
        press(page, dice)
    assert before != apply, "they are those of another question now"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="hidden")


# Nothing moves under a finger

# Shows views that stand until they are skipped, with the longest count that there is.
SHOWN = """async () => {
    const here = document.querySelector("script[src*='table.js']").src;
    const { Player } = await import(new URL("player.js", here));
    new Player(() => {}).play(Array(89).fill({ html: "", hold: 1e9 }));
}"""
# What can be pressed at some places: each place is the middle or a corner of a box.
PRESSABLE = """boxes => boxes.flatMap(({x, y, width, height}) =>
    [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].map(([across, down]) =>
        document.elementFromPoint(x + across * width, y + down * height)
            ?.closest("button, a, summary, select, input, label")?.outerHTML.slice(0, 80))
).filter(Boolean)"""
AT = """([x, y]) => document.elementFromPoint(x, y)?.closest("button[name=choice]")?.value"""


@pytest.mark.wide
@pytest.mark.parametrize("size", BOTH)
def test_nothing_to_press_comes_where_skip_was(visitor, size):
    page = visitor(size)
    bots(page)
    may_act(page)
    page.evaluate(SHOWN)
    page.wait_for_selector(".playbar:has-text('88 more')")
    skip = page.locator(".playbar button").bounding_box()
    whole = page.locator(".playbar").bounding_box()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.locator(".playbar button").click()
    all_shown(page)
    assert page.locator(".playbar").is_hidden()
    assert not page.evaluate(PRESSABLE, [skip])
    assert not [what for what in page.evaluate(PRESSABLE, [whole]) if "undo" in what]


@pytest.mark.wide
@pytest.mark.parametrize("size", BOTH)
def test_the_table_stays_after_the_first_move_and_a_second_press_chooses_nothing(visitor, size):
    page = visitor(size)
    bots(page)
    may_act(page)
    still(page)
    assert page.is_visible(".newhere")
    top = page.locator("#live").bounding_box()["y"]
    posts = []
    page.on("request", lambda asked: posts.append(asked) if asked.url.endswith("/choices") else 0)
    for _ in range(30):
        first = page.locator(".act:not([aria-disabled])").first
        chosen, box = first.get_attribute("value"), first.bounding_box()
        x, y = box["x"] + 20, box["y"] + box["height"] / 2
        with making_a_choice(page):
            page.mouse.click(x, y)
        may_act(page)
        still(page)
        if len(posts) == 1:
            assert not page.is_visible(".newhere")
            assert page.locator("#live").bounding_box()["y"] == top
        if page.evaluate(AT, [x, y]) not in (None, chosen):
            break
    assert page.evaluate(AT, [x, y]) not in (None, chosen)
    before, made = number(page), len(posts)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate("() => new Promise(done => setTimeout(done))")
    assert len(posts) == made
    with making_a_choice(page):
        page.mouse.click(x, y)  # as a first press it counts
    assert number(page) != before


@pytest.mark.wide
@pytest.mark.parametrize("size", BOTH)
def test_what_was_said_stays_until_one_acts_or_had_time_to_read_it(visitor, size):
    page = visitor(size)
    bots(page, "thiefs-market")
    may_act(page)
    page.wait_for_selector("input[name=pick]", state="attached")
    still(page)
    lies = page.locator("#live").bounding_box()
    refused = page.locator(".acts .act:not([aria-disabled])").first
    said = page.locator("#said:has-text('First press what you take.')")
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    refused.click()
    said.wait_for()
    page.clock.run_for(100)  # the button is let go
    assert page.locator("#live").bounding_box() == lies, "nothing moves for it"
    dock, box = page.locator(".acts").bounding_box(), said.bounding_box()
    assert 0 <= box["y"] <= box["y"] + box["height"] <= dock["y"]
    page.evaluate(ANEW)
    assert said.is_visible(), "what others do leaves it"
    page.locator("label.pick:visible").first.click()
    said.wait_for(state="hidden")
    page.locator("label.pick:visible").first.click()
    refused.click()
    said.wait_for()
    page.clock.run_for(5_000)
    assert said.is_visible()
    page.clock.run_for(10_000)
    said.wait_for(state="hidden")


@pytest.mark.parametrize("game", few("second-story"))
def test_every_table_says_which_bot_plays_how_well(visitor, game):
    page = visitor("phone")
    player = bots(page, game, "easy")
    may_act(page)
    names = [seat["name"] for seat in player.table["seats"] if seat["bot"]]
    assert len(names) == games.find(game).usual - 1
    shown = """name => [...document.querySelectorAll("#live li, #live p, #live .who, #live .seat")]
        .filter(e => e.checkVisibility() && e.getBoundingClientRect().right <= innerWidth)
        .some(e => e.innerText.includes(name) && e.innerText.includes("easy"))"""
    for size in ((360, 740), (1280, 800)):
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        assert [name for name in names if not page.evaluate(shown, name)] == []
