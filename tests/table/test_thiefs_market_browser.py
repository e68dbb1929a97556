"""Thief's Market in the browser: objects are picked in any order, and sent all at once."""

import pytest

from .browsing import ANEW, bots, keys, looked_again, making_a_choice, number, seated, sit
from .conftest import a_context, opened_page
from .laid import lay
from .moments import MOMENTS
from .people import Player
from .serving import running

pytestmark = pytest.mark.browser
TM = "thiefs-market"


def moment(name):
    return next(m for m in MOMENTS if m.game == TM and m.name == name)


def at_split(visitor, **how):
    """The page of somebody who may take from the centre, and the player."""
    page = visitor(**how)
    player = bots(page, TM)
    picks = "input[name=pick]"
    if how.get("java_script_enabled", True):
        page.wait_for_selector(picks, state="attached")
    else:
        looked_again(page, lambda: page.query_selector(picks))
    return page, player


def taken(player):
    """What the record says that the first seat has taken or kept, in order."""
    lines = [line for line in player.record.splitlines() if line[:2] == "1 "]
    return [line[2:].removeprefix("take ") for line in lines]


@pytest.mark.wide(but=["False"])
@pytest.mark.parametrize("scripts", [True, False])
def test_the_marker_first_and_then_a_red(visitor, scripts):
    page, player = at_split(visitor, java_script_enabled=scripts)
    boxes = page.query_selector_all("input[name=pick]")
    there = [box.get_attribute("value").removeprefix("take ") for box in boxes]
    last, first = len(there), 1
    page.click(f".heap label[for=pick-{last}]")
    page.click(f".heap label[for=pick-{first}]")
    assert page.is_visible(f"#picked-{last}")
    assert page.is_visible(f"#picked-{first}")
    assert not page.is_visible("#picked-2")
    page.click(f"#picked-{last} label")  # and back
    assert not page.is_visible(f"#picked-{last}")
    page.click(f".heap label[for=pick-{last}]")
    if scripts:
        with making_a_choice(page):
            page.click("button[value='+ done']")
    else:
        page.click("button[value='+ done']")
        page.wait_for_load_state()
    assert taken(player)[:3] == [there[0], there[-1], "done"]


@pytest.mark.wide
def test_nothing_picked_is_said_and_what_is_picked_stays_picked_when_news_comes(visitor):
    page, player = at_split(visitor)
    before = number(page)
    keys(page, "k")
    page.wait_for_selector("#said:has-text('First press what you take.')")
    assert number(page) == before
    assert taken(player) == []
    keys(page, "13")
    page.evaluate(ANEW)
    assert [page.is_checked(f"#pick-{n}") for n in (1, 2, 3)] == [True, False, True]
    keys(page, "1")
    assert not page.is_checked("#pick-1"), "pressed again it is left"


@pytest.fixture
def own_window(browser, tmp_path):
    """A window at a server of its own, for playing on at a moment at which others look."""
    laid = lay(f"sqlite:///{tmp_path}/t.db", [moment("split")])
    with running(tmp_path) as server:
        server.laid = laid
        with a_context(browser, server) as context:
            yield opened_page(context, server)


@pytest.mark.wide
def test_whole_piles_only_without_an_order(own_window):
    """The keys of a theft do not send what was picked."""
    window = own_window
    sit(window, moment("split"))
    window.click(".heap li:first-child label")
    with making_a_choice(window):
        window.click(".act[value^=steal]")
    assert window.is_visible(".give")
    window.click(".heap li:last-child label")
    assert window.is_visible(".give .copy >> visible=true")
    with making_a_choice(window):
        window.click("button[value='+ done']")
    assert not window.query_selector("input[name=pick]")


# What does not lie whole within its button, and prices that are below the screen.
CUT_OFF = """() => {
    const inside = (e, o) => {
        const [a, b] = [e.getBoundingClientRect(), o.getBoundingClientRect()];
        return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    };
    const shown = [...document.querySelectorAll(".acts .act *:not(.vh, use)")];
    const acts = shown.filter(e => e.checkVisibility() && !inside(e, e.closest(".act")));
    const below = (e) => e.getBoundingClientRect().bottom > innerHeight;
    const prices = innerWidth > 1000 ? [...document.querySelectorAll(".pay")].filter(below) : [];
    return [...acts, ...prices].map(e => e.outerHTML);
}"""
LINES = """() => [...document.querySelectorAll(".acts .act")].map(e => {
    const tops = [...e.querySelectorAll(".brings .die")].map(d => d.getBoundingClientRect().top);
    return new Set(tops.map(Math.round)).size;
})"""


@pytest.mark.parametrize(
    ("touch", "width"),
    [
        (True, 1280),
        pytest.param(False, 1280, marks=pytest.mark.wide),
        pytest.param(True, 360, marks=pytest.mark.wide),
    ],
)
def test_each_choice_shows_what_it_brings_also_where_keys_are_hidden(visitor, touch, width):
    page = visitor(has_touch=touch)
    page.set_viewport_size({"width": width, "height": 800 if width > 360 else 740})
    page.goto("/learn/thiefs-market/2-too-good-to-keep")
    page.wait_for_selector(".acts .act")
    assert page.locator(".acts kbd").first.is_visible() == (not touch and width > 480)
    assert len(page.evaluate(LINES)) == 3
    assert set(page.evaluate(LINES)) <= {1, 2}
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.wide
def test_all_of_one_s_cards_are_counted_and_can_be_scrolled_to(window):
    sit(window, moment("market"))
    window.set_viewport_size({"width": 1280, "height": 800})
    cards = window.locator(".cardlist li:not(.none)")
    assert cards.count() > 1
    assert window.locator(".own h2 small").all_inner_texts() == [str(cards.count())]
    shade = "e => getComputedStyle(e).maskImage !== 'none'"
    more = window.locator(".cardlist").evaluate("e => e.scrollHeight > e.clientHeight")
    window.wait_for_function(
        f"more => ({shade})(document.querySelector('.cardlist')) === more", arg=more
    )
    window.locator(".cardlist").evaluate("e => e.scrollTo(0, e.scrollHeight)")
    window.wait_for_function(f"() => !({shade})(document.querySelector('.cardlist'))")
    last = cards.last.bounding_box()
    within = window.locator(".own").bounding_box()
    assert last["y"] + last["height"] <= within["y"] + within["height"]


# How high the page is with the longest pile that there is: four others have at least one object.
LONGEST = """() => {
    const die = document.querySelector(".heap .die").outerHTML;
    document.querySelector(".seats .pile").innerHTML = `<span class="o">${die}</span>`.repeat(10);
    return document.documentElement.scrollHeight;
}"""


@pytest.mark.wide
def test_five_players_fit_one_screen_where_the_market_has_one_row(visitor):
    page = visitor()
    seats = ["me", *["uniform"] * 4]
    seated(page, Player(page.server.client).open(TM, seats, you="Vera"))
    page.wait_for_selector("input[name=pick]", state="attached")
    assert page.evaluate(LONGEST) <= 800
