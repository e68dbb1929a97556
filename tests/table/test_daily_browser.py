"""The deal of the day in a browser: begun, played to its end, and its result, on a phone too."""

import pytest

from .browsing import SIZES, may_act, number, over, seen
from .page_checks import found, missed, shot

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
# Press the first choice, if there is one now.
CHOOSE = """() => {
    const choice = document.querySelector("button[name=choice]:not([aria-disabled])");
    choice?.click();
    return choice !== null;
}"""
# The widest that can stand in the row of a game, and how much of the table is cut off.
WIDEST = """() => {
    const said = ["Second Story", "several bots", "1000", "100 %", "43–100 %", "33 %"];
    document.querySelectorAll(".own tbody tr:first-child > *").forEach((cell, i) => {
        if (i < said.length) (cell.querySelector("b, span") ?? cell).textContent = said[i];
    });
}"""
CUT_OFF = "(s => s.scrollWidth - s.clientWidth)(document.querySelector('.own .scroll'))"
WIDER = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def played(visitor):
    """Somebody who has played the deal of Second Story by the first button, on a phone."""
    page = visitor("phone")
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.click("a.daily")
    page.click("li.second-story button.go")
    page.wait_for_url("**/t/*")
    while not over(page):
        may_act(page)
        before = number(page)
        if page.evaluate(CHOOSE):
            seen(page, before + 1)
    return page


def test_from_the_lobby_to_the_result_on_a_phone(played):
    page = played
    page.click("text=Your result of the day")
    page.wait_for_url("**/daily/second-story/*")
    assert page.locator("h2#now").inner_text().startswith("You ")
    assert page.locator("tr.mine").count() == 1
    assert "Second Story, " in page.locator("#result").input_value()
    shot(page, "deal-of-the-day-phone")
    for width, height in ((390, 844), SIZES["desktop"]):
        page.set_viewport_size({"width": width, "height": height})
        for path in (page.url, "/daily"):
            page.goto(path)
            assert not page.evaluate(WIDER), (path, width)
            assert found(page, path) == []
            assert width > 390 or missed(page) == []


def test_the_table_of_your_games_is_not_cut_off_on_a_phone(played):
    page = played
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/you")
    page.locator(".own .scroll").first.wait_for()
    page.evaluate(WIDEST)
    assert page.evaluate(CUT_OFF) == 0
    assert not page.evaluate(WIDER)
    shot(page, "your-games-phone")


def test_a_deal_offers_no_coach_and_no_bot_in_your_place(visitor):
    page = visitor()
    page.goto("/daily")
    page.click("li.magnate button.go")
    page.wait_for_url("**/t/*")
    may_act(page)
    assert page.locator("#coach-ask, form[action$='/hand'].pair").count() == 0
    assert page.locator("#odds").count() == 1
    page.goto("/daily")
    assert page.locator("li.magnate button.go").inner_text().split("\n")[1] == "Go on"
