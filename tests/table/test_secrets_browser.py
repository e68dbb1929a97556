"""Secrets in a real browser: what a player sees first after a turn, and who gives orders."""

import random

import pytest

from .browsing import SIZES, press, seal, seated, still
from .people import Player

pytestmark = pytest.mark.browser
NAMES = ("Ann", "Bill")
# Whether the longest result that there is can be read whole in the report.
LONGEST_FITS = """() => {
    const cell = document.querySelector(".report td:last-child");
    cell.innerHTML = '<span class="res good">captured <b>+10</b></span>';
    return cell.scrollWidth <= cell.clientWidth;
}"""


@pytest.fixture
def sat(visitor):
    """A page whose player sits with two friends, and a function that gives their orders."""

    def sit(size, **options):
        page = visitor(size, called="Morgan")
        friends = [Player(page.server.client, seed=seed) for seed in (1, 2)]
        friends[0].open("secrets", ["me", "open", "open"], you=NAMES[0], options=options)
        mine = Player(page.server.client)
        for person, name in ((friends[1], NAMES[1]), (mine, "Morgan")):
            assert person.join(friends[0].key, you=name).status_code == 200
        seated(page, mine)

        def orders():
            for friend in friends:
                while friend.act():
                    pass

        return page, orders

    return sit


def top(page, wanted):
    """How far from the top of the page something begins."""
    return page.evaluate("q => document.querySelector(q).getBoundingClientRect().y", wanted)


def give_orders(page, dice):
    """All orders of a turn, the policeman's last, and hand them in."""
    while page.evaluate("!!document.querySelector('.goal.ask, .home.due')"):
        press(page, dice, ("guards",))
    seal(page)


@pytest.mark.wide
def test_on_a_phone_the_report_comes_first_and_then_the_next_orders(sat):
    page, others = sat("phone")
    assert page.inner_text(".round") == "Turn 1 of 5"
    assert top(page, "#sheet") < top(page, ".report"), "there is nothing to report yet"
    give_orders(page, random.Random(3))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    others()
    page.wait_for_selector("[data-top='report of turn 1']")
    still(page)
    assert page.evaluate("scrollY") == 0, "the report is in sight, wherever one was before"
    assert page.inner_text(".round") == "Turn 2 of 5"
    places = [top(page, what) for what in ("#now", ".report", "#sheet", ".rivals", ".scores")]
    assert places == sorted(places)
    told = page.inner_text(".report")
    assert all(name in told for name in NAMES)
    assert "Morgan" in told, "who came to one's own secrets"
    page.click("text=To your orders")
    page.wait_for_function("() => document.querySelector('#sheet').getBoundingClientRect().y < 100")
    still(page)
    before = page.evaluate("scrollY")
    press(page, random.Random(1))
    still(page)
    assert abs(page.evaluate("scrollY") - before) < 300, "orders do not lead back to the report"


@pytest.mark.wide
def test_players_see_which_turn_it_is_beside_their_orders(sat):
    page, others = sat("desktop", turns="2", posts="open")
    assert page.inner_text(".round") == "Turn 1 of 2"
    give_orders(page, random.Random(3))
    others()
    page.wait_for_selector("[data-top='report of turn 1']")
    assert page.inner_text(".round") == "Turn 2 of 2, the last"
    assert "Nobody sees them until all have sealed theirs." in page.inner_text("#live")
    told = page.inner_text(".report")
    assert told.count("stood at") == 3, "posts are open"
    assert told.count("must move") + told.count("may stay") == 3
    assert page.locator(".down").is_hidden()
    for wide in ("desktop", "phone"):
        page.set_viewport_size(dict(zip(("width", "height"), SIZES[wide], strict=True)))
        assert page.evaluate(LONGEST_FITS), wide


@pytest.mark.wide
def test_who_is_played_by_a_bot_reads_so_and_has_nothing_to_press(sat):
    page, _ = sat("phone")
    press(page, random.Random(3))
    page.wait_for_selector("#back")
    page.click(".menu summary")
    page.select_option("select[name=bot]", "uniform")
    page.click("button:has-text('Hand over')")
    page.wait_for_selector("text=A bot (uniform) is playing for you")
    page.wait_for_selector(".tag.good")
    assert page.inner_text("#now") == "A bot (uniform) is playing for you"
    assert not page.query_selector("#back")
    assert not page.query_selector("#live button[name=choice]")


def test_a_sheet_is_sealed_opened_and_sealed_and_the_end_offers_nothing_to_take_back(sat):
    page, others = sat("desktop", turns="1")
    give_orders(page, random.Random(3))
    page.wait_for_selector("#unseal")
    assert page.inner_text("#now") == "Your orders are sealed, Morgan"
    assert not page.query_selector("#live button[name=choice]")
    page.keyboard.press("u")
    page.wait_for_selector("#seal-now")
    page.keyboard.press("l")
    page.wait_for_selector("#unseal")
    page.keyboard.press("l")
    page.wait_for_selector("#seal-now")
    assert page.is_visible("#undo-tool")
    seal(page)
    others()
    page.wait_for_selector(".ending")
    assert page.inner_text("#now").startswith(("You win", "You are", "You share"))
    page.click("details.menu > summary")
    for gone in ("#undo-tool", "#coach-ask", "text=Leave the seat", "text=Close the table"):
        assert not page.locator(gone).first.is_visible(), gone
    assert page.is_visible("text=The record, to read or print")
